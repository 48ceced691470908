import Cardfile

/// The DVDs of a person by title: Enter opens one, `o` adds, `d` deletes.
final class DVDList: ListScreen<MODVD>, TableViewProviderDelegate {
  init(owner: MOPerson, context: ManagedObjectContext) {
    let provider = TableViewProvider(
      fetchRequest: FetchRequest<MODVD>(
        predicate: MODVD.owner == owner, sortDescriptors: [MODVD.title.ascending(by: .localized)]),
      displayAttributeName: MODVD.title.name, context: context)
    provider.cellStyle = .value1
    provider.accessory = .disclosure
    provider.emptyText = ["No DVDs yet", "o adds one"]
    super.init(title: owner.shownName, provider: provider)
    provider.delegate = self
    addKeyCommand(
      KeyCommand("o", "+", help: "add a DVD", hint: "add") { [weak self] in
        self?.prompt("Title") { [weak self] title in
          try self?.insert("Add \(title)") {
            try MODVD.insert(title, of: owner, bought: Date(), into: $0)
          }
        }
      })
  }

  func provider(
    _ provider: TableViewProvider<MODVD>, configureCell cell: inout TableCell, for dvd: MODVD
  ) {
    cell.detailText = dvd.purchaseDate?.formatted(.iso8601.year().month().day()) ?? ""
  }

  func provider(_ provider: TableViewProvider<MODVD>, didSelect dvd: MODVD) {
    push(ObjectScreen(title: dvd.title, object: dvd, attributeNames: ["title", "purchaseDate"]))
  }
}
