import TerminalKit

extension KeyTable {
  /// Edits the value under the cursor.
  static let edit = Entry(
    section: .change, label: "e", help: "edit the value", bindings: [("e", .edit)],
    hint: "edit", isChange: true)
  /// Makes an object.
  static let insert = Entry(
    section: .change, label: "o O", help: "new object, duplicate",
    bindings: [("o", .insert), ("O", .duplicate)], hint: "new",
    isChange: true)
  /// Adds objects to a to-many relationship.
  static let add = Entry(
    section: .change, label: "a", help: "add to relationship",
    bindings: [("a", .add)], hint: "add", isChange: true)

  /// The actions that the hint line names in the list of a relationship.
  var relationshipActions: [Action] {
    [.open, .add, .insert, .unmark, .delete, .undo, .save, .filter, .help]
  }
}
