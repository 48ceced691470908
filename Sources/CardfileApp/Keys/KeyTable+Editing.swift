import TerminalKit

extension KeyTable {
  /// Edits the value under the cursor.
  static let edit = Entry(
    section: .change, label: "e", help: "edit the value", bindings: [(.character("e"), .edit)],
    hint: "edit", isChange: true)
}
