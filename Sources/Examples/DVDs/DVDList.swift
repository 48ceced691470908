import Foundation
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The DVDs of a person by title: Enter opens one, `o` adds, `d` deletes.
final class DVDList: ListScreen<MODVD>, TableViewProviderDelegate {
  private let owner: MOPerson

  init(owner: MOPerson, context: ManagedObjectContext) {
    self.owner = owner
    let request = FetchRequest<MODVD>(
      predicate: MODVD.owner == owner, sortDescriptors: [MODVD.title.ascending(by: .localized)])
    let provider = TableViewProvider(
      fetchRequest: request, displayAttributeName: MODVD.title.name, context: context)
    provider.cellStyle = .value1
    provider.accessory = .disclosure
    provider.emptyText = ["No DVDs yet", "o adds one"]
    super.init(title: owner.shownName, provider: provider)
    provider.delegate = self
    orders = [
      ListOrder("title", MODVD.title.ascending(by: .localized)),
      ListOrder("date", MODVD.purchaseDate.descending),
    ]
  }

  func provider(
    _ provider: TableViewProvider<MODVD>, configureCell cell: inout TableCell, for dvd: MODVD
  ) {
    cell.detailText = dvd.purchaseDate?.formatted(.iso8601.year().month().day()) ?? ""
  }

  func provider(_ provider: TableViewProvider<MODVD>, didSelect dvd: MODVD) {
    push(ObjectScreen(title: dvd.title, object: dvd, attributeNames: ["title", "purchaseDate"]))
  }

  override var keyCommands: [KeyCommand] {
    super.keyCommands + [
      KeyCommand("o", "+", help: "add a DVD", hint: "add") { [weak self] in self?.add() }
    ]
  }

  private func add() {
    prompt("Title") { [weak self] title in
      guard let self, let context = managedObjectContext else { return }
      var dvd: MODVD?
      try change("Add \(title)") {
        dvd = try MODVD.insert(title, of: owner, bought: Date(), into: context)
      }
      if let dvd { moveCursor(to: dvd) }
    }
  }
}
