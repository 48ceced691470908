import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalKit
import Testing

@testable import ListProviders

@MainActor
struct TableListControllerTests {
  private final class OldFilms: TableListDataSource {
    let modelName = "Films"
    let entityName = "DVD"
    var defaultPredicate: FetchPredicate?
    let defaultSortDescriptors = [FetchSortDescriptor("year", ascending: false)]
    let cellIdentifier = "film"

    init() throws { defaultPredicate = try FetchPredicate(format: "year < 1990") }

    func provider(
      _ provider: TableViewProvider<ManagedObject>, configureCell cell: inout TableCell,
      for object: ManagedObject
    ) {
      cell.detailText = object["year"].description
    }
  }

  private let collection: Collection
  private let list: TableListController<ManagedObject>

  init() throws {
    let collection = try Collection("Alien 1979", "Brazil 1985", "Cube 1997")
    self.collection = collection
    list = try TableListController(dataSource: OldFilms(), tableView: collection.table) { name in
      #expect(name == "Films")
      return collection.context
    }
    list.register(TableCell(style: .value1, accessory: .checkmark), forCellIdentifier: "film")
    list.willAppear()
  }

  @Test func `a data source describes the list`() throws {
    let lines = collection.picture().split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains("Brazil") == true)
    #expect(lines.first?.contains("1985") == true)
    #expect(
      list.provider.cell(for: try #require(list.provider.cursorObject)).accessory == .checkmark)
  }

  @Test func `setting a nil predicate does not restore the default one`() {
    list.predicate = nil
    #expect(collection.table.numberOfRows == 3)
    list.sortDescriptors = [FetchSortDescriptor("title")]
    #expect(list.provider.objectID(at: TablePath(section: 0, row: 0)) != nil)
    #expect(collection.picture().contains("Alien"))
    list.useDefaults()
    #expect(collection.table.numberOfRows == 2)
  }

  @Test func `a hidden list is up to date when it is shown again`() throws {
    list.didDisappear()
    try collection.add("Dune 1984")
    collection.process()
    #expect(collection.picture() == "")
    list.willAppear()
    #expect(collection.picture().contains("Dune"))
    #expect(collection.table.numberOfRows == 3)
  }
}
