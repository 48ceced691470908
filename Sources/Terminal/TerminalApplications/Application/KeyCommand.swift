public import TerminalKit

/// A key and what it does on a screen, as `UIKeyCommand` says it in UIKit.
///
/// Help, hint line and keyboard are made from the same commands, so they always agree.
public struct KeyCommand {
  /// What a command acts on.
  public enum Target: Hashable, Sendable {
    /// No row.
    case nothing
    /// The row under the cursor, or the object of a page.
    case row
    /// The selected rows; without a selection those from the cursor on.
    case rows
  }

  /// The keys; the hint line names the first one.
  public let keys: [Key]
  /// The section of the help that lists the command.
  public let section: KeySection
  /// How the help writes the keys, as `42G`; nil for the names of ``keys``.
  public let label: String?
  /// What the command does, for the help; empty to leave it out.
  public let help: String
  /// What it does in a word, for the hint line; nil to leave it out.
  public let hint: String?
  /// What it acts on; such a key waits for rows that the keys before it have asked for.
  public let target: Target
  /// The keys that the hint line names; empty for the first of ``keys``.
  package var hintKeys: [Key] = []
  /// The position in the hint line; nil for that among the commands.
  package var hintPosition: Int?
  /// Whether it leaves the screen, which gives up what is tried again while a store is locked.
  package var leavesScreen = false
  /// Runs the command, with the number that was typed before the key; nil if none was.
  package let action: @MainActor (_ count: Int?) -> Void

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - keys: The keys; of two commands with the same key the later one has it.
  ///   - section: The section of the help that lists the command.
  ///   - label: How the help writes the keys; nil for their names.
  ///   - help: What the command does; empty to leave it out of the help.
  ///   - hint: What it does in a word, for the hint line; nil to leave it out.
  ///   - target: What it acts on.
  ///   - action: Does it.
  public init(
    _ keys: Key..., section: KeySection = .change, label: String? = nil, help: String,
    hint: String? = nil, target: Target = .nothing, action: @escaping @MainActor () -> Void
  ) {
    self.init(
      keys, section: section, label: label, help: help, hint: hint, target: target
    ) { _ in action() }
  }

  /// Creates a command that takes the number typed before its key: `5j`.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - section: The section of the help that lists the command.
  ///   - label: How the help writes the keys; nil for their names.
  ///   - help: What the command does; empty to leave it out of the help.
  ///   - hint: What it does in a word, for the hint line; nil to leave it out.
  ///   - target: What it acts on.
  ///   - action: Does it with the number; nil if none was typed.
  public init(
    _ keys: [Key], section: KeySection = .change, label: String? = nil, help: String,
    hint: String? = nil, target: Target = .nothing,
    action: @escaping @MainActor (_ count: Int?) -> Void
  ) {
    self.keys = keys
    self.section = section
    self.label = label
    self.help = help
    self.hint = hint
    self.target = target
    self.action = action
  }
}

extension KeyCommand {
  /// A command that moves by the number typed before its key.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - label: How the help writes the keys; nil for their names.
  ///   - help: What the command does; empty to leave it out of the help.
  ///   - motion: The motion for the number; nil if none was typed.
  ///   - move: Moves.
  /// - Returns: The command.
  static func motion(
    _ keys: [Key], _ label: String?, _ help: String,
    _ motion: @escaping @MainActor (Int?) -> TableMotion,
    move: @escaping @MainActor (TableMotion) -> Void
  ) -> KeyCommand {
    KeyCommand(keys, section: .move, label: label, help: help) { move(motion($0)) }
  }
}

/// The commands of a screen by their keys.
@MainActor
package struct KeyCommandMap {
  package let commands: [KeyCommand]
  /// The bindings; the action is the index of the command.
  package let map: KeyMap<Int>

  /// Makes the map; of two commands with the same key the later one has it.
  package init(_ commands: [KeyCommand]) {
    self.commands = commands
    var taken: Set<Key> = []
    var bindings: [KeyBinding<Int>] = []
    for (index, command) in commands.enumerated().reversed() {
      let keys = command.keys.filter { taken.insert($0).inserted }
      guard !keys.isEmpty else { continue }
      bindings.append(
        KeyBinding(
          keys, action: index, section: command.section, label: command.label,
          help: command.help, hint: command.hint, hintKeys: command.hintKeys))
    }
    map = KeyMap(bindings.reversed())
  }

  /// The command of a key; nil if it is not bound.
  package subscript(key: Key) -> KeyCommand? { map.action(for: key).map { commands[$0] } }

  /// The commands that the hint line names.
  package func hints(_ signs: Signs) -> [Hint] {
    let hinted = map.bindings.map(\.action).filter { commands[$0].hint != nil }
    return map.hints(
      signs,
      for: hinted.sorted { commands[$0].hintPosition ?? $0 < commands[$1].hintPosition ?? $1 })
  }

  /// The commands that the help lists, on an ASCII terminal with words for arrows and signs.
  package func help(_ signs: Signs) -> KeyMap<Int> {
    KeyMap(
      map.bindings.filter { !$0.help.isEmpty }.map { binding in
        guard !signs.isUnicode else { return binding }
        return KeyBinding(
          binding.keys, action: binding.action, section: binding.section,
          label: binding.label.map(Self.ascii), help: Self.ascii(binding.help))
      })
  }

  /// A text with words for arrows and signs.
  private static func ascii(_ text: String) -> String {
    let names: [Character: String] = [
      "⏎": "Enter", "↑": "Up", "↓": "Down", "←": "Left", "→": "Right", "−": "-", "…": "...",
    ]
    return text.reduce(into: "") { $0 += names[$1] ?? String($1) }
  }
}
