import ObjectModel
import TerminalKit

/// A setting: its name, what it does, and how its value is written.
///
/// The settings file, `cardfile config`, `:set` and its completion use the same table.
package struct Setting {
  /// The name, as in the settings file.
  package let name: String
  /// The action whose keys it sets; nil for another setting.
  var action: Action?
  /// What it does.
  package let help: String
  /// What can be written, in words or as a list of words.
  package let values: [String]
  /// What `:set` says after the value when it has its effect later; empty for at once.
  var note = ""
  /// The values that can be completed; empty for a setting of keys.
  var choices: [String] { action != nil ? [] : values }
  /// The value as it would be written.
  package let text: (Settings) -> String
  /// Changes it to a value as it is written.
  let change: (inout Settings, String) throws(TypedTextError) -> Void

  /// All settings but those of keys.
  package static let plain: [Setting] = [
    flag("mouse", \.usesMouse, "handle clicks and the wheel"),
    Setting(
      name: "colors", help: "the most colours to use", values: Array(colorNames.map(\.name)),
      text: { settings in
        colorNames.first { $0.support == settings.colors }?.name ?? "auto"
      },
      change: { settings, text throws(TypedTextError) in
        guard let found = colorNames.first(where: { $0.name == text }) else {
          throw Self.wrong(text, for: "colors", among: colorNames.map(\.name))
        }
        settings.colors = found.support
      }),
    Setting(
      name: "dates", help: "how exactly lists write dates",
      values: DateForm.allCases.map(\.rawValue), text: \.dates.rawValue,
      change: { settings, text throws(TypedTextError) in
        guard let form = DateForm(rawValue: text) else {
          throw Self.wrong(text, for: "dates", among: DateForm.allCases.map(\.rawValue))
        }
        settings.dates = form
      }),
    flag("read-only", \.isReadOnly, "refuse changes"),
    flag("save-after-edit", \.savesAfterEdit, "save after each change; a deletion asks first"),
    flag(
      "backup", \.makesBackup, "copy a Core Data store before the first save",
      note: " — from the next store that is opened"),
    flag("remember", \.remembers, "keep choices and histories of stores between runs"),
  ]

  /// All settings, those of keys last.
  package static var all: [Setting] { plain + Action.allCases.map { keys(of: $0) } }

  /// The setting of a name.
  ///
  /// - Throws: ``TypedTextError`` with an empty range and the names that are near.
  static func named(_ name: String) throws(TypedTextError) -> Setting {
    if let found = all.first(where: { $0.name == name }) { return found }
    throw TypedTextError(
      "there is no setting “\(name)”", at: 0..<0,
      suggestions: NearestNames.suggestions(for: name, in: all.map(\.name)),
      expected: "cardfile config lists them")
  }

  private static let colorNames: [(name: String, support: ColorSupport?)] = [
    ("auto", nil), ("none", ColorSupport.none), ("8", .eight), ("16", .sixteen),
    ("256", .palette),
  ]

  private static func flag(
    _ name: String, _ path: WritableKeyPath<Settings, Bool>, _ help: String,
    note: String = ""
  ) -> Setting {
    Setting(
      name: name, help: help, values: ["yes", "no"], note: note,
      text: { $0[keyPath: path] ? "yes" : "no" },
      change: { settings, text throws(TypedTextError) in
        switch text.lowercased() {
        case "yes", "true", "on": settings[keyPath: path] = true
        case "no", "false", "off": settings[keyPath: path] = false
        default: throw Self.wrong(text, for: name, among: ["yes", "no"])
        }
      })
  }

  /// The setting of an action's keys.
  private static func keys(of action: Action) -> Setting {
    Setting(
      name: "keys.\(action.settingName)", action: action, help: "the keys of \(action.settingName)",
      values: ["keys, such as: d Del C-x F5"],
      text: { settings in
        let keys = settings.keys[action] ?? KeyTable.defaultKeys(of: action)
        return keys.isEmpty ? "none" : keys.map(\.settingName).joined(separator: " ")
      },
      change: { settings, text throws(TypedTextError) in
        settings.keys[action] = try Key.keys(typed: text)
      })
  }

  private static func wrong(_ text: String, for name: String, among values: [String])
    -> TypedTextError
  {
    TypedTextError(
      "“\(text)” is no value of \(name)", at: 0..<text.count,
      expected: values.joined(separator: ", "))
  }
}
