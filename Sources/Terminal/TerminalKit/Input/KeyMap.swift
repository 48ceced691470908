/// The table that binds keys to actions.
///
/// The help overlay, the hint line and the manual are generated from it, so they always agree.
package struct KeyMap<Action: Hashable & Sendable>: Hashable, Sendable {
  /// The bindings, in the order in which the help shows them.
  package let bindings: [KeyBinding<Action>]
  private let actions: [Key: Action]

  /// Creates a key map.
  ///
  /// - Precondition: No key is bound twice.
  package init(_ bindings: [KeyBinding<Action>]) {
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

  /// Returns the action bound to a key; nil if the key is not bound.
  package func action(for key: Key) -> Action? { actions[key] }

  /// The help's sections that have bindings, each with its bindings in order.
  package var sections: [(section: KeySection, bindings: [KeyBinding<Action>])] {
    KeySection.allCases.compactMap { section in
      let members = bindings.filter { $0.section == section }
      return members.isEmpty ? nil : (section, members)
    }
  }

  /// Returns the hints of actions.
  ///
  /// - Parameters:
  ///   - signs: The glyphs to write the keys with.
  ///   - actions: The actions to name, in the order of the hints; nil for all in the order of
  ///     ``bindings``.
  /// - Returns: A hint for each action that has one.
  package func hints(_ signs: Signs, for actions: [Action]? = nil) -> [Hint] {
    let hinted = bindings.filter { $0.hint != nil }
    let chosen = actions?.compactMap { action in hinted.first { $0.action == action } } ?? hinted
    return chosen.map { binding in
      let keys = binding.hintKeys.isEmpty ? Array(binding.keys.prefix(1)) : binding.hintKeys
      return Hint(
        keys.map { $0.label(signs) }.joined(separator: "/"), binding.hint ?? "", press: keys.first)
    }
  }

  /// The key map as text for the manual: each section's name, then one line for each binding.
  package var manual: String {
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
