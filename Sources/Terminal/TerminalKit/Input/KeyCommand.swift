/// A key and what it does on a screen, as `UIKeyCommand` says it in UIKit.
///
/// Help, hint line and keyboard are made from the same commands, so they always agree.
public struct KeyCommand: Sendable {
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
  package internal(set) var keys: [Key]
  /// The section of the help that lists the command.
  package let section: KeySection
  /// How the help writes the keys, as `42G`; nil for the names of ``keys``.
  package internal(set) var label: String?
  /// What the command does, for the help; empty to leave it out.
  package internal(set) var help: String
  /// What it does in a word, for the hint line; nil to leave it out.
  package let hint: String?
  /// What it acts on; such a key waits for rows that the keys before it have asked for.
  package let target: Target
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
  package static func motion(
    _ keys: [Key], _ label: String?, _ help: String,
    _ motion: @escaping @MainActor (Int?) -> TableMotion,
    move: @escaping @MainActor (TableMotion) -> Void
  ) -> KeyCommand {
    KeyCommand(keys, section: .move, label: label, help: help) { move(motion($0)) }
  }

  /// The text for the keys in the help: ``label``, or the names of ``keys``.
  package func shownKeys(_ signs: Signs) -> String {
    label ?? keys.map { $0.label(signs) }.joined(separator: " ")
  }
}

/// The section of the help overlay and the manual that lists a key; the raw value is its heading.
public enum KeySection: String, Hashable, Sendable, CaseIterable {
  /// Moving the cursor.
  case move = "Move"
  /// Searching and filtering.
  case find = "Find"
  /// Opening objects and following relationships.
  case follow = "Follow"
  /// Selecting, deleting, undoing and saving.
  case change = "Change"
  /// Sorting, refreshing and other views of the data.
  case view = "View"
  /// Everything else.
  case other = "Other"
}
