public import TerminalKit

/// A key and what it does on a screen, as `UIKeyCommand` says it in UIKit.
///
/// Help, hint line and keyboard are made from the same commands, so they always agree.
public struct KeyCommand {
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
  /// Runs the command, with the number that was typed before the key; nil if none was.
  let action: @MainActor (_ count: Int?) -> Void

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - keys: The keys; of two commands with the same key the later one has it.
  ///   - section: The section of the help that lists the command.
  ///   - label: How the help writes the keys; nil for their names.
  ///   - help: What the command does; empty to leave it out of the help.
  ///   - hint: What it does in a word, for the hint line; nil to leave it out.
  ///   - action: Does it.
  public init(
    _ keys: Key..., section: KeySection = .change, label: String? = nil, help: String,
    hint: String? = nil, action: @escaping @MainActor () -> Void
  ) {
    self.init(keys, section: section, label: label, help: help, hint: hint) { _ in action() }
  }

  /// Creates a command that takes the number typed before its key: `5j`.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - section: The section of the help that lists the command.
  ///   - label: How the help writes the keys; nil for their names.
  ///   - help: What the command does; empty to leave it out of the help.
  ///   - hint: What it does in a word, for the hint line; nil to leave it out.
  ///   - action: Does it with the number; nil if none was typed.
  public init(
    _ keys: [Key], section: KeySection = .change, label: String? = nil, help: String,
    hint: String? = nil, action: @escaping @MainActor (_ count: Int?) -> Void
  ) {
    self.keys = keys
    self.section = section
    self.label = label
    self.help = help
    self.hint = hint
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
struct KeyCommandMap {
  let commands: [KeyCommand]
  /// The bindings; the action is the index of the command.
  let map: KeyMap<Int>

  /// Makes the map; of two commands with the same key the later one has it.
  init(_ commands: [KeyCommand]) {
    self.commands = commands
    var taken: Set<Key> = []
    var bindings: [KeyBinding<Int>] = []
    for (index, command) in commands.enumerated().reversed() {
      let keys = command.keys.filter { taken.insert($0).inserted }
      guard !keys.isEmpty else { continue }
      bindings.append(
        KeyBinding(
          keys, action: index, section: command.section, label: command.label,
          help: command.help, hint: command.hint))
    }
    map = KeyMap(bindings.reversed())
  }

  /// The command of a key; nil if it is not bound.
  subscript(key: Key) -> KeyCommand? { map.action(for: key).map { commands[$0] } }

  /// The commands that the help lists; in ASCII without labels, whose arrows it could not show.
  func help(_ signs: Signs) -> KeyMap<Int> {
    KeyMap(
      map.bindings.filter { !$0.help.isEmpty }.map { binding in
        guard !signs.isUnicode, binding.label != nil else { return binding }
        return KeyBinding(
          binding.keys, action: binding.action, section: binding.section, help: binding.help)
      })
  }
}
