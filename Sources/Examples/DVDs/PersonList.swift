import ListProviders
import ManagedObjects
import TerminalApplications
import TerminalKit

/// The people with the number of their DVDs: choose one, or register one with `o`, which goes to the
/// person of a user name that is taken.
final class PersonList: ListScreen<MOPerson>, TableViewProviderDelegate {
  init(context: ManagedObjectContext) {
    let provider = TableViewProvider<MOPerson>(display: MOPerson.username, context: context)
    provider.sortDescriptors = [MOPerson.name.ascending(by: .localized)]
    provider.cellStyle = .value1
    provider.accessory = .disclosure
    provider.emptyText = ["Nobody is registered", "o registers a person"]
    super.init(title: "DVDs", provider: provider)
    provider.delegate = self
  }

  func provider(
    _ provider: TableViewProvider<MOPerson>, configureCell cell: inout TableCell,
    for person: MOPerson
  ) {
    cell.text = person.shownName
    cell.detailText = "\(person.dvds.count)"
  }

  func provider(_ provider: TableViewProvider<MOPerson>, didSelect person: MOPerson) {
    push(DVDList(owner: person, context: provider.managedObjectContext))
  }

  override var keyCommands: [KeyCommand] {
    super.keyCommands + [
      KeyCommand("o", "+", help: "register a person", hint: "register") { [weak self] in
        self?.register()
      },
      KeyCommand("e", help: "edit", hint: "edit") { [weak self] in
        guard let person = self?.provider.cursorObject else { return }
        self?.push(ObjectScreen(title: person.shownName, object: person))
      },
    ]
  }

  private func register() {
    prompt("User name") { [weak self] username in
      guard let self, let context = managedObjectContext else { return }
      if let known = try MOPerson.find(username, in: context) { return moveCursor(to: known) }
      prompt("Name of \(username)") { [weak self] name in
        guard let self else { return }
        var person: MOPerson?
        try change("Register \(username)") {
          person = try MOPerson.register(
            username, name: name.isEmpty ? nil : name, in: context)
        }
        if let person { moveCursor(to: person) }
      }
    }
  }
}
