import TerminalKit

nonisolated extension Action {
  /// The action's name in the settings: `row-down`.
  var settingName: String {
    rawValue.reduce(into: "") { name, character in
      name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
  }
}

extension KeyTable {
  /// The keys of an action, on whichever screen has most of them.
  static func defaultKeys(of action: Action) -> [Key] {
    all.map { $0.keys(of: action) }.max { $0.count < $1.count } ?? []
  }

  private func keys(of action: Action) -> [Key] {
    entries.flatMap(\.bindings).filter { $0.action == action }.map(\.key)
  }

  /// The table with other keys for some actions; their labels name the new keys.
  ///
  /// A key that another action of this table has stays with that one.
  func rebound(_ changed: [Action: [Key]]) -> KeyTable {
    guard entries.contains(where: { $0.isChanged(by: changed) }) else { return self }
    var taken = Set(entries.flatMap(\.bindings).filter { changed[$0.action] == nil }.map(\.key))
    return KeyTable(
      name: name, hinting: hintedActions,
      entries: entries.compactMap { entry in
        entry.isChanged(by: changed) ? entry.rebound(changed, taken: &taken) : entry
      })
  }

  /// The key of an action that another action has too, on the same screen; nil if there is none.
  static func conflict(of action: Action, in changed: [Action: [Key]]) -> (key: Key, with: Action)?
  {
    // A key that an action has by default on one screen can be another action's on another.
    let wanted = Set(changed[action] ?? []).subtracting(all.flatMap { $0.keys(of: action) })
    for table in all where !table.keys(of: action).isEmpty {
      let others = Set(table.entries.flatMap(\.bindings).map(\.action)).subtracting([action])
      for other in others.sorted(by: { $0.rawValue < $1.rawValue }) {
        let keys = changed[other] ?? table.keys(of: other)
        if let key = keys.first(where: wanted.contains) { return (key, other) }
      }
    }
    return nil
  }
}

extension KeyTable.Entry {
  fileprivate func isChanged(by changed: [Action: [Key]]) -> Bool {
    bindings.contains { changed[$0.action] != nil }
  }

  /// The entry with other keys; nil if none is left.
  fileprivate func rebound(_ changed: [Action: [Key]], taken: inout Set<Key>) -> KeyTable.Entry? {
    var seen: Set<Action> = []
    let bindings = bindings.flatMap { binding -> [(key: Key, action: Action)] in
      guard let keys = changed[binding.action] else { return [binding] }
      guard seen.insert(binding.action).inserted else { return [] }
      return keys.filter { taken.insert($0).inserted }.map { ($0, binding.action) }
    }
    guard !bindings.isEmpty else { return nil }
    return KeyTable.Entry(
      section: section, label: bindings.map { $0.key.label(.unicode) }.joined(separator: " "),
      help: help, bindings: bindings, hint: hint, isChange: isChange)
  }
}
