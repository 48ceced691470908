import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalKit
import Testing

@testable import ListProviders

@MainActor
struct TableViewProviderTests {
  @Test func `an entity name is enough for a list`() throws {
    let collection = try Collection("Brazil", "Alien")
    let provider = TableViewProvider<ManagedObject>(entityName: "DVD", context: collection.context)
    provider.attach(to: collection.table)
    provider.performFetchAndReloadTableView()
    expectPicture(
      collection.picture(),
      """
      ▌  Alien
         Brazil
      """)
    #expect(provider.displayAttributeName == "title")
  }

  @Test func `other values are shown by their description and nil as empty`() throws {
    let collection = try Collection("Alien 1979", "Brazil")
    let provider = collection.provider { $0.displayAttributeName = "year" }
    #expect(
      collection.picture().split(separator: "\n").map { $0.filter(\.isNumber) } == ["", "1979"])
    #expect(provider.sortDescriptors == [FetchSortDescriptor("year")])
  }

  @Test func `inserted and changed objects have a flag`() throws {
    let collection = try Collection("Alien", "Brazil")
    let provider = collection.provider()
    try collection.add("Cube")
    try collection.dvd("Brazil").setValue(1985, forKey: "year")
    collection.process()
    expectPicture(
      collection.picture(),
      """
      ▌  Alien
       * Brazil
       + Cube
      """)
    #expect(provider.mostRecentError == nil)
  }

  @Test func `the delegate has full control over the cell`() throws {
    let collection = try Collection("Alien 1979")
    let provider = collection.provider { provider in
      provider.cellStyle = .value1
      provider.accessory = .disclosure
      collection.delegate.configureCell = { cell, object in
        cell.text = cell.text.uppercased()
        cell.detailText = object["year"].description
      }
    }
    let picture = collection.picture()
    #expect(picture.contains("ALIEN"))
    #expect(picture.contains("1979"))
    #expect(provider.accessory == .disclosure)
  }

  @Test func `a subtitle cell has two lines`() throws {
    let collection = try Collection("Alien 1979", "Brazil 1985")
    let provider = collection.provider { provider in
      provider.cellStyle = .subtitle
      collection.delegate.configureCell = { $0.detailText = $1["year"].description }
    }
    expectPicture(
      collection.picture(),
      """
      ▌  Alien
      ▌  1979
         Brazil
         1985
      """)
    provider.cellStyle = .standard
    #expect(collection.picture().split(separator: "\n").count == 2)
  }

  @Test func `sections have headers, footers and an index`() throws {
    let collection = try Collection("Alien", "Aliens", "brazil")
    let provider = collection.provider { provider in
      provider.sectionNameKeyPath = "title:initial"
      collection.delegate.footerTitle = { "end of \($0)" }
      collection.delegate.headerDetail = { "\($1) in \($0)" }
    }
    #expect(provider.sortDescriptors == [FetchSortDescriptor("title", comparison: .localized)])
    #expect(collection.table.numberOfSections == 2)
    let picture = collection.picture()
    #expect(picture.contains("─ A ─"))
    #expect(picture.contains("2 in A"))
    #expect(picture.contains("end of A"))
    #expect(provider.fetchedResultsController.sectionIndexTitles == ["A", "B"])
    collection.table.move(.section(1))
    #expect(provider.cursorObject?["title"] == "brazil")
  }

  @Test func `the text of an empty list is shown in the middle`() throws {
    let collection = try Collection()
    let provider = collection.provider { $0.emptyText = ["No DVDs"] }
    #expect(collection.picture().contains("No DVDs"))
    #expect(provider.fetchedResultsController.fetchState == .complete)
  }

  // MARK: Following

  @Test func `the cursor stays on its object when the list changes`() throws {
    let collection = try Collection("Brazil", "Cube")
    let provider = collection.provider()
    collection.table.move(.down(1))
    try collection.add("Alien")
    try collection.dvd("Brazil").setValue("Zardoz", forKey: "title")
    collection.process()
    expectPicture(
      collection.picture(),
      """
       + Alien
      ▌  Cube
       * Zardoz
      """)
    #expect(provider.cursorObject?["title"] == "Cube")
  }

  @Test(arguments: [false, true])
  func `a reloaded table keeps cursor and selection too`(isWhole: Bool) throws {
    let collection = try Collection("Brazil", "Cube", "Dune")
    let provider = collection.provider { $0.reloadsEntireTableViewForAnyChange = isWhole }
    collection.table.move(.down(1))
    collection.table.setSelected(true, rows: 2..<3)
    try collection.add("Alien")
    collection.process()
    #expect(provider.cursorObject?["title"] == "Cube")
    #expect(collection.table.selection == RowSet(3..<4))
    try collection.context.delete(collection.dvd("Cube"))
    collection.process()
    #expect(provider.cursorObject?["title"] == "Dune")
    #expect(provider.tablePath(for: try collection.dvd("Dune").objectID)?.row == 2)
    #expect(provider.objectID(at: TablePath(section: 0, row: 9)) == nil)
  }

  @Test func `the delegate is notified of a change before and after the table shows it`() throws {
    let collection = try Collection("Brazil")
    var reported: [String] = []
    let (table, delegate) = (collection.table, collection.delegate)
    delegate.willChangeContent = { reported.append("will \(table.numberOfRows)") }
    delegate.didChangeContent = { change, origin in
      reported.append("did \(table.numberOfRows), \(change.insertedRows.count) new, \(origin)")
    }
    delegate.didMoveCursor = { if let path = $0 { reported.append("cursor \(path.row)") } }
    let provider = collection.provider()
    reported = []
    try collection.add("Alien")
    collection.process()
    #expect(reported == ["will 1", "cursor 1", "did 2, 1 new, context"])
    #expect(provider.fetchedResultsController.fetchState == .complete)
  }

  @Test func `a suspended list shows collected changes when it resumes`() throws {
    let collection = try Collection("Brazil", "Cube")
    let provider = collection.provider()
    collection.table.move(.down(1))
    provider.isSuspended = true
    try collection.add("Alien")
    collection.process()
    try collection.context.save()
    #expect(collection.table.numberOfRows == 2)
    provider.isSuspended = false
    #expect(collection.table.numberOfRows == 3)
    #expect(provider.cursorObject?["title"] == "Cube")
  }

  @Test func `only the visible rows and their neighbours are read`() throws {
    let collection = try Collection()
    for number in 100..<300 { try collection.add("t\(number)") }
    try collection.context.save()
    let context = ManagedObjectContext(coordinator: collection.context.persistentStoreCoordinator)
    let provider = TableViewProvider<ManagedObject>(entityName: "DVD", context: context)
    provider.attach(to: collection.table)
    var shown: [Int] = []
    provider.delegate = collection.delegate
    collection.delegate.willDisplay = { ids in shown.append(ids.count) }
    provider.performFetchAndReloadTableView()
    _ = collection.picture()
    let ids = try #require(provider.fetchedResultsController.results?.ids)
    let read = Array(ids).map { !context.object(with: $0).isFault }
    #expect(read.firstIndex(of: false) == 12)
    #expect(read.lastIndex(of: true) == 11)
    #expect(shown == [6])
    collection.table.move(.last)
    #expect(collection.picture().contains("t299"))
    #expect(context.object(with: ids[100]).isFault)
  }
}
