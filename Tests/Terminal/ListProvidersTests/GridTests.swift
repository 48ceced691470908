import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalKit
import TestSupport
import Testing

@testable import ListProviders

@MainActor
struct GridTests {
  private final class Films: TableListDataSource {
    let modelName = "Films"
    let entityName = "DVD"
    let defaultSortDescriptors = [FetchSortDescriptor("title")]
  }

  private func picture(_ grid: GridView) -> String {
    var canvas = Canvas(size: Size(width: 46, height: 8))
    grid.draw(in: &canvas)
    return canvas.text
  }

  @Test func `a data source describes a grid as it describes a table`() throws {
    let collection = try Collection("Alien", "Brazil", "Cube")
    let list = try GridListController(dataSource: Films()) { _ in collection.context }
    list.gridView.cellWidth = 15
    list.willAppear()
    #expect(picture(list.gridView).hasPrefix("▌  Alien          Brazil         Cube"))
    list.gridView.move(.right(2))
    try collection.add("Brazil 2")
    collection.process()
    #expect(list.provider.cursorObject?["title"] == "Cube")
    list.didDisappear()
    try collection.add("Aguirre")
    collection.process()
    list.willAppear()
    #expect(picture(list.gridView).contains("Aguirre"))
    #expect(list.provider.cursorObject?["title"] == "Cube")
  }

  @Test func `cursor and selection go from a table to a grid and back`() throws {
    let collection = try Collection("Alien", "Brazil", "Cube", "Dune")
    let provider = collection.provider()
    collection.table.move(.row(3))
    collection.table.setSelected(true, rows: 0..<2)
    let grid = GridView()
    provider.attach(to: grid)
    #expect(provider.tableView === grid)
    #expect(provider.cursorObject?["title"] == "Cube")
    #expect(grid.selection == RowSet(0..<2))
    // The table no longer follows the list.
    try collection.add("Alphaville")
    collection.process()
    #expect(grid.numberOfRows == 5)
    #expect(collection.table.numberOfRows == 4)
    provider.attach(to: collection.table)
    #expect(collection.table.numberOfRows == 5)
    #expect(provider.cursorObject?["title"] == "Cube")
  }

  @Test(arguments: 0..<20)
  func `cursor and selection of a grid follow their objects through random changes`(
    _ seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let collection = try Collection()
    for number in 0..<30 { try collection.add("film \(number % 7) \(1950 + number)") }
    try collection.context.save()
    let provider = TableViewProvider<ManagedObject>(
      fetchRequest: FetchRequest(
        entityName: "DVD",
        sortDescriptors: [FetchSortDescriptor("title"), FetchSortDescriptor("year")]),
      context: collection.context)
    if Bool.random(using: &generator) { provider.sectionNameKeyPath = "title" }
    let grid = GridView()
    grid.cellWidth = 14
    grid.clock = { 0 }
    provider.attach(to: grid)
    provider.performFetchAndReloadTableView()
    for _ in 0..<15 {
      _ = picture(grid)
      let rows = (0..<grid.numberOfRows).compactMap { row in
        grid.path(ofRow: row).flatMap { provider.object(at: $0) }
      }
      #expect(rows.count == grid.numberOfRows)
      grid.move(.row(.random(in: 1...max(rows.count, 1), using: &generator)))
      grid.selectNone()
      var selected: Set<ObjectID> = []
      for (row, object) in rows.enumerated() where generator.chance(oneIn: 4) {
        grid.setSelected(true, rows: row..<row + 1)
        selected.insert(object.objectID)
      }
      let cursor = provider.cursorObject
      var gone: Set<ObjectID> = []
      for object in rows where generator.chance(oneIn: 8) {
        if Bool.random(using: &generator) {
          object["title"] = .string("film \(Int.random(in: 0..<9, using: &generator))")
        } else {
          gone.insert(object.objectID)
          try collection.context.delete(object)
        }
      }
      if Bool.random(using: &generator) { try collection.add("film 3 2001") }
      collection.process()
      if let cursor, !gone.contains(cursor.objectID) { #expect(provider.cursorObject === cursor) }
      let after = (0..<grid.numberOfRows).filter { grid.selection.contains($0) }
        .compactMap { grid.path(ofRow: $0).flatMap { provider.objectID(at: $0) } }
      #expect(Set(after) == selected.subtracting(gone))
    }
    grid.clock = { .max }
    let fresh = GridView()
    fresh.cellWidth = 14
    let before = picture(grid)
    let position = grid.position
    provider.attach(to: fresh)
    _ = picture(fresh)
    fresh.position = position
    #expect(picture(fresh) == before)
  }
}
