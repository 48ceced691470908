/// The one table that binds keys to actions.
///
/// The help overlay, the hint line and the manual are made from it, so they cannot disagree.
public struct KeyMap<Action: Hashable & Sendable>: Hashable, Sendable {
  /// The bindings, in the order in which the help shows them.
  public let bindings: [KeyBinding<Action>]
  private let actions: [Key: Action]

  /// Creates a table.
  ///
  /// - Precondition: No key is bound twice.
  public init(_ bindings: [KeyBinding<Action>]) {
    self.bindings = bindings
    var actions: [Key: Action] = [:]
    for binding in bindings {
      for key in binding.keys {
        precondition(actions[key] == nil, "The key \(key) is bound twice.")
        actions[key] = binding.action
      }
    }
    self.actions = actions
  }

  /// What a key does; nil when it is not bound.
  public func action(for key: Key) -> Action? { actions[key] }

  /// The groups that have keys, each with its bindings in order.
  public var sections: [(section: KeySection, bindings: [KeyBinding<Action>])] {
    KeySection.allCases.compactMap { section in
      let members = bindings.filter { $0.section == section }
      return members.isEmpty ? nil : (section, members)
    }
  }

  /// The hints: the first key of each binding that has one.
  ///
  /// - Parameters:
  ///   - signs: The glyphs of the terminal.
  ///   - isAvailable: Leaves out actions that make no sense just now.
  /// - Returns: In the order of the table.
  public func hints(_ signs: Signs, where isAvailable: (Action) -> Bool = { _ in true }) -> [Hint] {
    bindings.compactMap { binding in
      guard let text = binding.hint, let key = binding.keys.first, isAvailable(binding.action)
      else { return nil }
      return Hint(key.label(signs), text)
    }
  }

  /// The table as text for the manual: a group's name on a line, then a line for each binding.
  public var manual: String {
    var lines: [String] = []
    for (section, bindings) in sections {
      if !lines.isEmpty { lines.append("") }
      lines.append(section.rawValue)
      for binding in bindings {
        let keys = Signs.unicode.fit(binding.shownKeys(.unicode), to: 22)
        lines.append("  \(keys)  \(binding.help)")
      }
    }
    return lines.joined(separator: "\n")
  }
}
