import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import FetchedResults

struct ResultsChangeTests {
  @Test func `a change has rows as index paths in the old and new list`() {
    let change = ResultsChange(
      from: list("a:1,2 b:3 c:4,5"), to: list("a:2 c:6,4,5 d:7"), updated: [id(5)])
    var expected = ResultsChange()
    expected.deletedSections = [1]
    expected.insertedSections = [2]
    expected.deletedRows = [IndexPath(row: 0, section: 0), IndexPath(row: 0, section: 1)]
    expected.insertedRows = [IndexPath(row: 0, section: 1), IndexPath(row: 0, section: 2)]
    expected.updates = [
      .init(old: IndexPath(row: 1, section: 2), new: IndexPath(row: 2, section: 1))
    ]
    #expect(change == expected)
  }

  @Test func `an object that changes its section is moved`() {
    let change = ResultsChange(from: list("a:1,2 b:3"), to: list("a:1 b:2,3"))
    #expect(
      change.moves == [
        .init(old: IndexPath(row: 1, section: 0), new: IndexPath(row: 0, section: 1))
      ])
    #expect(change.rowCount == 1)
  }

  @Test func `a renamed section is deleted and inserted with its rows moved`() {
    let change = ResultsChange(from: list("a:1,2"), to: list("b:1,2"))
    #expect(change.deletedSections == [0] && change.insertedSections == [0])
    #expect(change.moves.count == 2)
  }

  @Test func `the change between equal lists is empty`() {
    #expect(ResultsChange(from: list("a:1 b:2"), to: list("a:1 b:2")).isEmpty)
    #expect(ResultsChange(from: flatList([]), to: flatList([])).isEmpty)
  }

  @Test func `lists that differ in too many rows are reloaded`() {
    let change = ResultsChange(
      from: flatList(Array(0..<100)), to: flatList(Array((0..<100).reversed())), limit: 20)
    #expect(change.isReload)
    #expect(change.rowCount == 0)
  }

  @Test func `a moved block of thousands of rows is matched as a whole`() {
    let all = Array(Int64(0)..<30_000)
    let change = ResultsChange(
      from: flatList(all), to: flatList(Array(all[..<100] + all[5_100...])))
    #expect(change.deletedRows.count == 5_000)
    #expect(change.moves.isEmpty && change.insertedRows.isEmpty)
  }

  @Test func `rows of different entities with equal keys are different`() {
    func other(_ key: Int64) -> ObjectID {
      ObjectID(storeIdentifier: "S", entityName: "F", key: .integer(key))
    }
    let mixed = ResultsSections(
      FetchedIDs(ids: ObjectIDList([id(1), other(1), id(2)])), isSectioned: false)
    let change = ResultsChange(from: flatList([1, 2]), to: mixed)
    #expect(change.insertedRows == [IndexPath(row: 1, section: 0)])
    #expect(change.rowCount == 1)
    let foreign = ResultsSections(
      FetchedIDs(ids: ObjectIDList(keys: [1, 2], storeIdentifier: "S", entityName: "F")),
      isSectioned: false)
    #expect(ResultsChange(from: flatList([1, 2]), to: foreign).rowCount == 4)
  }

  @Test(arguments: 0..<120)
  func `replaying a change on the old list gives the new one`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let isSectioned = seed % 2 == 0
    let isShuffled = seed % 3 == 0
    let bound = Int64.random(in: 1..<120, using: &generator)
    let old = randomList(
      upTo: bound, isSectioned: isSectioned, isShuffled: isShuffled, using: &generator)
    let new = randomList(
      upTo: bound, isSectioned: isSectioned || seed % 7 == 0, isShuffled: isShuffled,
      using: &generator)
    let updated = Set((0..<bound).filter { _ in Bool.random(using: &generator) }.map(id))
    let change = ResultsChange(from: old, to: new, updated: updated)
    #expect(change.leads(from: old, to: new))
    #expect(!change.isReload)
    let left = Set(old.ids).subtracting(new.ids)
    #expect(change.deletedRows.count == left.count)
    #expect(change.insertedRows.count == Set(new.ids).subtracting(old.ids).count)
  }

  @Test func `a change that does not fit its list is rejected`() {
    var change = ResultsChange()
    change.deletedRows = [IndexPath(row: 0, section: 0), IndexPath(row: 0, section: 0)]
    #expect(change.replayed(on: [[1]], insertingFrom: [[]]) == nil)
    change.deletedRows = [IndexPath(row: 3, section: 0)]
    #expect(change.replayed(on: [[1]], insertingFrom: [[]]) == nil)
    change = ResultsChange()
    change.deletedSections = [0]
    #expect(change.replayed(on: [[1], [2]], insertingFrom: [[2]]) == nil)
    change = ResultsChange()
    change.insertedRows = [IndexPath(row: 0, section: 0)]
    #expect(!change.leads(from: flatList([1]), to: flatList([1, 2])))
  }
}
