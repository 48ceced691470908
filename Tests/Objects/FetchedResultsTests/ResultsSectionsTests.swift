import Foundation
import ManagedObjects
import ObjectModel
import Testing

@testable import FetchedResults

struct ResultsSectionsTests {
  @Test func `index paths and indexes convert to each other`() {
    let names = (1...40).map { "s\($0)" }
    let counts = (1...40).map { $0 % 7 + 1 }
    let total = counts.reduce(0, +)
    let list = ResultsSections(
      FetchedIDs(
        ids: ids(Array(0..<Int64(total))),
        sections: zip(names, counts).map { SectionRun(name: $0, count: $1) }),
      isSectioned: true)
    var position = 0
    for section in 0..<40 {
      #expect(list.range(ofSection: section) == position..<position + counts[section])
      for row in 0..<counts[section] {
        let path = IndexPath(row: row, section: section)
        #expect(list.indexPath(at: position) == path)
        #expect(list.index(at: path) == position)
        position += 1
      }
    }
    #expect(list.indexPath(of: id(total.asKey)) == nil)
    #expect(list.section(named: "s40") == 39)
  }

  @Test func `a list without a section key has one section, even if empty`() {
    let empty = flatList([])
    #expect(empty.names == [""])
    #expect(empty.count(inSection: 0) == 0)
    #expect(!empty.contains(IndexPath(row: 0, section: 0)))
    #expect(flatList([7, 3]).indexPath(of: id(3)) == IndexPath(row: 1, section: 0))
  }

  @Test func `a section name that occurs twice is found`() {
    let torn = list("a:1,2 b:3 a:4")
    #expect(torn.firstOutOfOrder?.name == "a")
    #expect(torn.firstOutOfOrder?.index == 3)
    #expect(list("a:1 b:2").firstOutOfOrder == nil)
  }

  @Test func `a row beyond the end of its section traps with the numbers`() async {
    await #expect(processExitsWith: .failure) {
      _ = list("a:1,2").index(at: IndexPath(row: 2, section: 0))
    }
  }

  @Test func `the run that holds a position is found, empty ones are not`() {
    let counts = RunningCounts([3, 0, 2, 5, 1])
    #expect((0...5).map { counts.start(of: $0) } == [0, 3, 3, 5, 10, 11])
    #expect(counts.run(holding: 3) == (2, 0))
    #expect(counts.run(holding: 9) == (3, 4))
    #expect(counts.run(holding: 10) == (4, 0))
  }

  @Test func `edits join, create and delete sections`() throws {
    let old = list("a:1,2 c:5 d:6,7")
    let edited = try old.applying(
      ListEdits(
        removals: [2, 3],
        insertions: [
          .init(gap: 0, id: id(9), sectionName: "A"),
          .init(gap: 2, id: id(3), sectionName: "a"),
          .init(gap: 2, id: id(4), sectionName: "b"),
          .init(gap: 2, id: id(8), sectionName: "b"),
          .init(gap: 3, id: id(6), sectionName: "d"),
        ]))
    #expect(text(edited) == "A:9 a:1,2,3 b:4,8 d:7,6")
    let match = SectionMatch(from: old, to: edited)
    #expect(match.deleted == [1])
    #expect(match.inserted == [0, 2])
    #expect(match.isSame(0, 1) && match.isSame(2, 3))
  }

  @Test func `a section that loses its last row and gets a new one stays`() throws {
    let edited = try list("a:1 b:2 c:3").applying(
      ListEdits(removals: [1], insertions: [.init(gap: 1, id: id(4), sectionName: "b")]))
    #expect(text(edited) == "a:1 b:4 c:3")
  }

  @Test(arguments: [("b", 1), ("c", 0), ("a", 3)])
  func `an object that does not belong between its neighbours is rejected`(name: String, gap: Int) {
    #expect(throws: SplitSection.self) {
      try list("a:1,2 c:3").applying(
        ListEdits(removals: [], insertions: [.init(gap: gap, id: id(9), sectionName: name)]))
    }
  }

  @Test func `a list with unsaved objects still takes 8 bytes an object`() throws {
    let new = ObjectID(storeIdentifier: "", entityName: "E", key: .temporary(3))
    let edited = try flatList([1, 2]).applying(
      ListEdits(removals: [], insertions: [.init(gap: 1, id: new, sectionName: "")]))
    #expect(Array(edited.ids) == [id(1), new, id(2)])
    #expect(edited.ids.withKeys { $0.count } == 3)
    #expect(edited.indexPath(of: new) == IndexPath(row: 1, section: 0))
  }

  @Test func `the smallest integer keys are not mistaken for unsaved objects`() {
    let list = ids([Int64.min + 1, 5])
    #expect(list[0] == id(Int64.min + 1))
    #expect(list.index(of: id(5)) == 1)
  }

  @Test(arguments: [1, 4, 5, 60])
  func `the indexes of many objects are found in one pass`(count: Int) {
    let list = ids((0..<1000).map { $0 * 3 })
    let wanted = (0..<count).map { Int64($0 * 48) }
    let found = list.indexes(of: Set(wanted.map(id)).union([id(1), id(2)]))
    #expect(found.map(\.id) == wanted.map(id))
    #expect(found.map(\.index) == wanted.map { Int($0 / 3) })
  }
}

extension Int {
  fileprivate var asKey: Int64 { Int64(self) }
}
