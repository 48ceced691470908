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
  /// The values that can be completed, which are single words.
  var choices: [String] { values.filter { !$0.contains(" ") } }
  /// The value as it would be written.
  package let text: (Settings) -> String
  /// Changes it to a value as it is written.
  let change: (inout Settings, String) throws(TypedTextError) -> Void

  /// All settings but those of keys.
  package static let plain: [Setting] = [
    flag("mouse", \.usesMouse, "handle clicks and the wheel"),
    choice("colors", \.colors, colorNames, "the most colours to use"),
    choice(
      "theme", \.background, [("auto", nil), ("dark", .dark), ("light", .light)],
      "colours for a dark or a light terminal; auto asks it"),
    choice(
      "dates", \.dates, DateForm.allCases.map { ($0.rawValue, $0) },
      "how exactly lists write dates"),
    flag("read-only", \.isReadOnly, "refuse changes"),
    flag("save-after-edit", \.savesAfterEdit, "save after each change; a deletion asks first"),
    flag(
      "backup", \.makesBackup, "copy a Core Data store before the first save",
      note: " — from the next store that is opened"),
    flag("remember", \.remembers, "keep choices and histories of stores between runs"),
  ]

  /// All settings, those of styles and of keys last.
  package static var all: [Setting] {
    plain + Theme.elements.map { style(of: $0.name) } + Action.allCases.map { keys(of: $0) }
  }

  /// The setting of a name.
  ///
  /// - Throws: ``TypedTextError`` with an empty range and the names that are near.
  static func named(_ name: String) throws(TypedTextError) -> Setting {
    if let found = all.first(where: { $0.name == name }) { return found }
    throw TypedTextError(
      "there is no setting “\(name)”", at: 0..<0,
      suggestions: NearestNames.suggestions(for: name, in: all.map(\.name)),
      expected: "a name that cardfile config lists")
  }

  private static let colorNames: [(name: String, support: ColorSupport?)] = [
    ("auto", nil), ("none", ColorSupport.none), ("8", .eight), ("16", .sixteen),
    ("256", .palette),
  ]

  private static func flag(
    _ name: String, _ path: WritableKeyPath<Settings, Bool>, _ help: String, note: String = ""
  ) -> Setting {
    choice(
      name, path, [("yes", true), ("no", false)], help, note: note,
      others: ["true": "yes", "on": "yes", "false": "no", "off": "no"])
  }

  /// A setting with some values, by their names.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - path: Its value in the settings.
  ///   - values: The names and the values.
  ///   - help: What it does.
  ///   - note: What `:set` says after a value that has its effect later.
  ///   - others: Other words for names.
  /// - Returns: The setting.
  private static func choice<Value: Equatable>(
    _ name: String, _ path: WritableKeyPath<Settings, Value>, _ values: [(name: String, Value)],
    _ help: String, note: String = "", others: [String: String] = [:]
  ) -> Setting {
    let names = values.map(\.name)
    return Setting(
      name: name, help: help, values: names, note: note,
      text: { settings in values.first { $0.1 == settings[keyPath: path] }?.name ?? names[0] },
      change: { settings, text throws(TypedTextError) in
        let word = others.isEmpty ? text : others[text.lowercased()] ?? text.lowercased()
        guard let found = values.first(where: { $0.name == word }) else {
          throw TypedTextError(
            "“\(text)” is no value of \(name)", at: 0..<text.count,
            expected: names.joined(separator: ", "))
        }
        settings[keyPath: path] = found.1
      })
  }

  /// The setting of an element's style.
  private static func style(of name: String) -> Setting {
    Setting(
      name: "styles.\(name)", help: "the style of \(name)",
      values: ["theme", "words, such as: bold red on #202020"],
      text: { $0.styles[name]?.description ?? "theme" },
      change: { settings, text throws(TypedTextError) in
        guard text != "theme" else { return settings.styles[name] = nil }
        do throws(Style.UnknownWord) {
          settings.styles[name] = try Style(text)
        } catch {
          throw TypedTextError(
            "“\(error.word)” is neither a colour nor an attribute of text", at: 0..<text.count,
            suggestions: NearestNames.suggestions(for: error.word, in: Style.UnknownWord.known),
            expected: "theme, or attributes and colours such as: bold red on #202020")
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
}
