import TerminalApplications
import TerminalKit

/// Messages name keys as they are bound now.
extension Session {
  /// The key of an action on the screen that is shown; nil if no key does it.
  func key(of action: Action) -> Key? {
    let changed = options.settings.keys
    let table = (app?.screen as? BrowserScreen)?.keys.rebound(changed)
    return table?.key(of: action) ?? (changed[action] ?? KeyTable.defaultKeys(of: action)).first
  }

  /// Its name; nil if no key does it.
  func keyName(of action: Action) -> String? { key(of: action)?.label(look.signs) }

  /// " — u undo, W save": what can be done next, and by which key.
  ///
  /// - Parameter steps: The actions with a word for each; one that no key does is left out, and
  ///   saving where each change is saved.
  /// - Returns: The advice; empty if nothing is left of it.
  func advice(_ steps: (action: Action, text: String)...) -> String {
    let parts = steps.compactMap { step -> String? in
      if step.action == .save, options.settings.savesAfterEdit { return nil }
      return keyName(of: step.action).map { "\($0) \(step.text)" }
    }
    return parts.isEmpty ? "" : " — " + parts.joined(separator: ", ")
  }

  /// How a change is taken back or saved.
  var undoOrSave: String { advice((.undo, "undo"), (.save, "save")) }
}
