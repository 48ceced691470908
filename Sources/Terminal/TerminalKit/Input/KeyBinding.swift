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

/// Binds one or more keys to an action, with the texts for the help and the hint line.
package struct KeyBinding<Action: Hashable & Sendable>: Hashable, Sendable {
  /// The keys that run the action; hints show the first one.
  package let keys: [Key]
  /// The action that the keys run.
  package let action: Action
  /// The section of the help that lists the binding.
  package let section: KeySection
  /// How the help writes the keys, such as `42G` or `' letter`; nil for the names of ``keys``.
  package let label: String?
  /// The description in the help.
  package let help: String
  /// The description in the hint line; nil if the hint line does not show the key.
  package let hint: String?
  /// The keys that the hint line names, joined by `/`; empty for the first of ``keys``.
  package let hintKeys: [Key]

  /// Creates a binding.
  package init(
    _ keys: Key..., action: Action, section: KeySection, label: String? = nil, help: String,
    hint: String? = nil, hintKeys: [Key] = []
  ) {
    self.init(
      keys, action: action, section: section, label: label, help: help, hint: hint,
      hintKeys: hintKeys)
  }

  /// Creates a binding of an array of keys.
  package init(
    _ keys: [Key], action: Action, section: KeySection, label: String? = nil, help: String,
    hint: String? = nil, hintKeys: [Key] = []
  ) {
    self.keys = keys
    self.action = action
    self.section = section
    self.label = label
    self.help = help
    self.hint = hint
    self.hintKeys = hintKeys
  }

  /// Returns the text for the keys in the help: ``label``, or the names of ``keys``.
  package func shownKeys(_ signs: Signs) -> String {
    label ?? keys.map { $0.label(signs) }.joined(separator: " ")
  }
}
