import TerminalKit

/// The key bindings of one kind of screen, from which its commands and the manual are made.
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

  init(name: String, hinting hintedActions: [Action], entries: [Entry]) {
    self.name = name
    self.entries = entries
    self.hintedActions = hintedActions
  }

  /// The commands of a screen: one for each action of an entry, of which the first has its line of
  /// the help.
  ///
  /// - Parameters:
  ///   - actions: The actions that the hint line names, from left to right.
  ///   - isReadOnly: Whether help and hints leave out what changes the store.
  ///   - isPage: Whether the screen shows one object.
  ///   - perform: Performs an action with the number typed before its key.
  /// - Returns: The commands.
  func commands(
    hinting actions: [Action], isReadOnly: Bool = false, isPage: Bool = false,
    perform: @escaping (Action, Int?) -> Void
  ) -> [KeyCommand] {
    var unhinted = Set(actions)
    return entries.flatMap { entry in
      let isShown = !(isReadOnly && entry.isChange)
      return Dictionary(grouping: entry.bindings.indices) { entry.bindings[$0].action }
        .sorted { $0.value[0] < $1.value[0] }
        .map { action, indices in
          let isFirst = isShown && indices[0] == 0
          let isHinted = isShown && entry.hint != nil && unhinted.remove(action) != nil
          var command = KeyCommand(
            indices.map { entry.bindings[$0].key }, section: entry.section, label: entry.label,
            help: isFirst ? entry.help : "", hint: isHinted ? entry.hint : nil,
            target: action.target(onPage: isPage)
          ) { perform(action, $0) }
          command.hintKeys = entry.hintKeys
          command.hintPosition = actions.firstIndex(of: action)
          command.leavesScreen = [.quit, .quitProgram, .back].contains(action)
          return command
        }
    }
  }

  /// The first key of an action; nil if it has none.
  func key(of action: Action) -> Key? {
    entries.lazy.flatMap(\.bindings).first { $0.action == action }?.key
  }

  /// The action of a key; nil if it has none.
  func action(of key: Key) -> Action? {
    entries.lazy.flatMap(\.bindings).first { $0.key == key }?.action
  }

  /// The table for the manual and for tests: a line for each entry.
  var help: KeyMap {
    KeyMap(commands(hinting: hintedActions) { _, _ in }).help(.unicode)
  }
}

/// The keys of all screens as text, for the manual page.
///
/// It is made from the same tables as the help and the hints.
package var keyManual: String {
  KeyTable.all
    .map { "Keys: \($0.name)\n\n\($0.help.manual)" }
    .joined(separator: "\n\n")
}
