/// The group that a key belongs to in the help.
public enum KeySection: String, Hashable, Sendable, CaseIterable {
  /// Where the cursor goes.
  case move = "Move"
  /// What is done to objects.
  case change = "Change"
  /// Searching and filtering.
  case find = "Find"
  /// How things are shown.
  case view = "View"
  /// Going to other objects.
  case follow = "Follow"
  /// Everything else.
  case other = "Other"
}

/// One line of the table of keys: which keys do what, and how the help says it.
public struct KeyBinding<Action: Hashable & Sendable>: Hashable, Sendable {
  /// The keys; the first one is named in hints.
  public let keys: [Key]
  /// What they do.
  public let action: Action
  /// The group in the help.
  public let section: KeySection
  /// How the help writes the keys, where it differs from their names: `42G`, `' letter`.
  public let label: String?
  /// What the help says.
  public let help: String
  /// What the hint line says; nil where the key is not worth a hint.
  public let hint: String?

  /// Creates a binding.
  public init(
    _ keys: Key..., action: Action, section: KeySection, label: String? = nil, help: String,
    hint: String? = nil
  ) {
    self.keys = keys
    self.action = action
    self.section = section
    self.label = label
    self.help = help
    self.hint = hint
  }

  /// The keys as the help shows them.
  public func shownKeys(_ signs: Signs) -> String {
    label ?? keys.map { $0.label(signs) }.joined(separator: " ")
  }
}
