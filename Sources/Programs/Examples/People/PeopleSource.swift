import Cardfile

/// What the table and the grid show: all people by name.
final class PeopleSource: TableListDataSource {
  typealias Object = Person

  let modelName = "people"
  let defaultSortDescriptors = [Person.name.ascending(by: .localized)]

  func provider(
    _ provider: TableViewProvider<Person>, configureCell cell: inout TableCell, for person: Person
  ) {
    guard !(provider.tableView is GridView) else { return }
    cell.style = .value1
    cell.detailText = String(person.string("objectId").prefix(8))
  }
}
