import TerminalKit

/// The key bindings of one kind of screen, from which its help, hints and manual are made.
struct KeyTable {
  /// Keys that share a line of the help.
  struct Entry {
    let section: KeySection
    /// The keys as the help shows them.
    let label: String
    /// What they do.
    let help: String
    /// The keys and their actions; choosing the entry in the help performs the first one.
    let bindings: [(key: Key, action: Action)]
    /// What the hint line says of the first binding's action; nil for an action without a hint.
    var hint: String?
    /// The keys that the hint line names; empty for the first one.
    var hintKeys: [Key] = []
    /// Whether the entry changes the store, so that it is left out when that is read-only.
    var isChange = false
  }

  /// The tables of all screens.
  static let all: [KeyTable] = [
    .list, .grid, .choosing, .detail, .viewer, .entityList, .start,
  ]

  /// The kind of screen, as the help's title names it.
  let name: String
  /// The lines of the help.
  let entries: [Entry]
  /// The actions that the hint line names, from left to right.
  let hintedActions: [Action]
  private let keys: KeyMap<Action>

  init(name: String, hinting hintedActions: [Action], entries: [Entry]) {
    self.name = name
    self.entries = entries
    self.hintedActions = hintedActions
    keys = KeyMap(
      entries.flatMap { entry in
        entry.bindings.map {
          KeyBinding(
            $0.key, action: $0.action, section: entry.section, label: entry.label,
            help: entry.help, hint: entry.hint, hintKeys: entry.hintKeys)
        }
      })
  }

  /// The action of a key; nil if it is not bound.
  subscript(key: Key) -> Action? { keys.action(for: key) }

  /// The hints of actions, with signs that the terminal can show.
  func hints(for actions: [Action], _ signs: Signs, isReadOnly: Bool) -> [Hint] {
    let changes = entries.filter(\.isChange).flatMap(\.bindings).map(\.action)
    return keys.hints(
      signs, for: isReadOnly ? actions.filter { !changes.contains($0) } : actions)
  }

  /// The table for the help and the manual: a line for each entry, with the action of its first
  /// key.
  func help(_ signs: Signs, isReadOnly: Bool = false) -> KeyMap<Action> {
    KeyMap(
      entries.compactMap { entry in
        guard let first = entry.bindings.first, !(isReadOnly && entry.isChange) else { return nil }
        return KeyBinding(
          first.key, action: first.action, section: entry.section,
          label: Self.visible(entry.label, signs), help: Self.visible(entry.help, signs))
      })
  }

  /// A label, its arrows and signs replaced by words on an ASCII terminal.
  static func visible(_ label: String, _ signs: Signs) -> String {
    guard !signs.isUnicode else { return label }
    let names: [Character: String] = [
      "⏎": "Enter", "↑": "Up", "↓": "Down", "←": "Left", "→": "Right", "−": "-", "…": "...",
    ]
    return label.reduce(into: "") { $0 += names[$1] ?? String($1) }
  }
}
