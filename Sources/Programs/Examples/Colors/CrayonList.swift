import Cardfile

/// The crayons in sections by initial, each row in its colour.
///
/// Enter tints the first line. In edit mode (`E`) Enter renames, `c` mixes another colour, `o` makes a
/// crayon and `d` deletes; everything is saved when edit mode ends, and `u` undoes it by name.
final class CrayonList: ListScreen<Crayon>, TableViewProviderDelegate {
  init(context: ManagedObjectContext) {
    let provider = TableViewProvider<Crayon>(display: Crayon.name, context: context)
    provider.sectionKey = SectionKey("name", .initial)
    provider.cellStyle = .value1
    provider.saveContextAfterEditing = false
    super.init(title: "Colors", provider: provider)
    provider.delegate = self
    hasEditMode = true
    searchAttributes = ["name"]
  }

  // MARK: The rows

  func provider(
    _ provider: TableViewProvider<Crayon>, configureCell cell: inout TableCell, for crayon: Crayon
  ) {
    cell.swatch = crayon.color
    cell.detailText = crayon[Crayon.hex]
  }

  func provider(_ provider: TableViewProvider<Crayon>, didSelect crayon: Crayon) {
    if isEditing { return rename(crayon) }
    tintColor = crayon.color
    show("\(crayon[Crayon.name]) tints the first line")
  }

  // MARK: Edit mode

  override var keyCommands: [KeyCommand] {
    guard isEditing else { return super.keyCommands }
    return super.keyCommands + [
      KeyCommand("o", "+", help: "new colour", hint: "new") { [weak self] in self?.insert() },
      KeyCommand("c", help: "mix another colour", hint: "mix") { [weak self] in self?.mix() },
    ]
  }

  override func setEditing(_ isEditing: Bool) {
    super.setEditing(isEditing)
    guard !isEditing, let context = managedObjectContext, context.hasChanges else { return }
    if showingErrors({ try context.save() }) { show("Saved") }
  }

  private func rename(_ crayon: Crayon) {
    let name = crayon[Crayon.name]
    prompt("Rename", text: name) { [weak self] text in
      try self?.change("Rename \(name)") { crayon[Crayon.name] = text }
      self?.moveCursor(to: crayon)
    }
  }

  private func mix() {
    guard let crayon = provider.cursorObject else { return }
    prompt("Mix \(crayon[Crayon.name])", text: crayon[Crayon.hex]) { [weak self] text in
      guard Color(hex: text) != nil else { throw NoColor(text: text) }
      try self?.change("Mix \(crayon[Crayon.name])") { crayon[Crayon.hex] = text }
    }
  }

  private func insert() {
    prompt("New colour") { [weak self] text in
      try self?.insert("Insert \(text)") { context in
        let crayon = try Crayon.insert(into: context)
        crayon[Crayon.name] = text
        crayon[Crayon.hex] = "#808080"
        return crayon
      }
    }
  }
}

/// A text that is no colour.
struct NoColor: Error, CustomStringConvertible {
  let text: String
  var description: String { "“\(text)” is no colour such as #F0A830" }
}
