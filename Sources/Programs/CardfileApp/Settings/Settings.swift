package import TerminalKit

/// The settings of the program: defaults, changed by the settings file, the command line and `:set`.
package nonisolated struct Settings: Hashable, Sendable {
  /// Where the value of a setting comes from.
  package enum Origin: Hashable, Sendable {
    /// The program's own default.
    case standard
    /// A line of the settings file.
    case file(path: String, line: Int)
    /// An option of the command line.
    case commandLine
    /// `:set`, until the program ends.
    case session
  }

  /// Whether the mouse is handled.
  package var usesMouse = true
  /// The most colours that are used; nil for as many as the terminal has.
  package var colors: ColorSupport?
  /// Whether the theme for dark or for light terminals is used; nil to ask the terminal.
  package var background: TerminalBackground?
  /// The styles that replace those of the theme, by the names of ``Theme/elements``.
  var styles: [String: Style] = [:]
  /// How exactly lists write dates.
  package var dates = DateForm.seconds
  /// Whether changes are refused.
  package var isReadOnly = false
  /// Whether each change is saved at once.
  package var savesAfterEdit = false
  /// Whether a Core Data store is copied before the first save.
  package var makesBackup = true
  /// Whether choices and histories are kept between runs.
  package var remembers = true
  /// The keys of actions that do not have their default ones.
  var keys: [Action: [Key]] = [:]
  /// Where values that are not the default come from, by the setting's name.
  private var origins: [String: Origin] = [:]

  /// Creates the default settings.
  package init() {}

  /// Where the value of a setting comes from.
  package func origin(of name: String) -> Origin { origins[name] ?? .standard }

  /// A value for a setting.
  package struct Assignment: Hashable, Sendable {
    /// The name of the setting, such as `mouse` or `keys.delete`.
    package var name: String
    /// The value as it is written.
    package var text: String
    /// Where the value comes from.
    package var origin: Origin

    /// Creates an assignment.
    package init(_ name: String, to text: String, from origin: Origin) {
      self.name = name
      self.text = text
      self.origin = origin
    }
  }

  /// Changes a setting.
  ///
  /// - Parameters:
  ///   - name: The name of the setting, such as `mouse` or `keys.delete`.
  ///   - text: The value as it is written.
  ///   - origin: Where the value comes from.
  /// - Throws: ``TypedTextError`` about the value, or with an empty range about the name.
  @MainActor package mutating func set(_ name: String, to text: String, from origin: Origin)
    throws(TypedTextError)
  {
    if let wrong = set([Assignment(name, to: text, from: origin)]).first { throw wrong.error }
  }

  /// Changes settings, all at once, so that keys can be exchanged.
  ///
  /// - Parameter assignments: The new values.
  /// - Returns: The assignments that are wrong, by index; their settings stay as they are.
  @MainActor package mutating func set(_ assignments: [Assignment])
    -> [(index: Int, error: TypedTextError)]
  {
    let before = self
    var wrong: [(index: Int, error: TypedTextError)] = []
    var actions: [(index: Int, action: Action)] = []
    for (index, assignment) in assignments.enumerated() {
      do {
        let setting = try Setting.named(assignment.name)
        try setting.change(&self, assignment.text)
        origins[assignment.name] = assignment.origin
        if let action = setting.action { actions.append((index, action)) }
      } catch {
        wrong.append((index, error))
      }
    }
    for (index, action) in actions {
      guard let (key, other) = KeyTable.conflict(of: action, in: keys) else { continue }
      let name = assignments[index].name
      keys[action] = before.keys[action]
      origins[name] = before.origins[name]
      wrong.append(
        (
          index,
          TypedTextError(
            "\(key.settingName) is the key of \(other.settingName) too",
            at: 0..<assignments[index].text.count,
            expected: "another key, or other keys for keys.\(other.settingName) too")
        ))
    }
    return wrong.sorted { $0.index < $1.index }
  }

  /// Changes a setting by an option of the command line.
  package mutating func chooseOnCommandLine(
    _ name: String, _ path: WritableKeyPath<Settings, Bool>, _ value: Bool
  ) {
    self[keyPath: path] = value
    origins[name] = .commandLine
  }
}
