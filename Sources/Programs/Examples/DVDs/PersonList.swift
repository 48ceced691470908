import Cardfile

/// The people with the number of their DVDs: choose one, or register one with `o`.
final class PersonList: ListScreen<MOPerson>, TableViewProviderDelegate {
  init(context: ManagedObjectContext) {
    let provider = TableViewProvider<MOPerson>(display: MOPerson.username, context: context)
    provider.sortDescriptors = [MOPerson.name.ascending(by: .localized)]
    provider.cellStyle = .value1
    provider.accessory = .disclosure
    super.init(title: "DVDs", provider: provider)
    provider.delegate = self
    addKeyCommand(
      KeyCommand("o", "+", help: "register a person", hint: "register") { [weak self] in
        self?.register(in: context)
      })
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

  /// Asks for a user name; the cursor goes to the person if it is taken.
  private func register(in context: ManagedObjectContext) {
    prompt("User name") { [weak self] username in
      if let known = try MOPerson.find(username, in: context) {
        self?.moveCursor(to: known)
        return
      }
      self?.prompt("Name of \(username)") { [weak self] name in
        try self?.insert("Register \(username)") {
          try MOPerson.register(username, name: name, in: $0)
        }
      }
    }
  }
}
