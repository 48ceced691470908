/// The commands of a screen by their keys.
///
/// The help overlay, the hint line and the manual are generated from it, so they always agree.
package struct KeyMap: Sendable {
  /// The commands that have a key, in the order in which the help shows them.
  package let commands: [KeyCommand]
  /// The index of the command of each key.
  private let indices: [Key: Int]

  /// Makes the map; of two commands with the same key the later one has it.
  package init(_ commands: [KeyCommand]) {
    var taken: Set<Key> = []
    self.commands = commands.reversed().compactMap { command in
      var command = command
      command.keys = command.keys.filter { taken.insert($0).inserted }
      return command.keys.isEmpty ? nil : command
    }.reversed()
    var indices: [Key: Int] = [:]
    for (index, command) in self.commands.enumerated() {
      for key in command.keys { indices[key] = index }
    }
    self.indices = indices
  }

  /// The command of a key; nil if it is not bound.
  package subscript(key: Key) -> KeyCommand? { indices[key].map { commands[$0] } }

  /// The help's sections that have commands, each with its commands in order.
  package var sections: [(section: KeySection, commands: [KeyCommand])] {
    KeySection.allCases.compactMap { section in
      let members = commands.filter { $0.section == section }
      return members.isEmpty ? nil : (section, members)
    }
  }

  /// The hints of the commands that have one, by their positions in the hint line.
  package func hints(_ signs: Signs) -> [Hint] {
    let hinted = commands.enumerated().filter { $0.element.hint != nil }
      .sorted {
        $0.element.hintPosition ?? $0.offset < $1.element.hintPosition ?? $1.offset
      }
    return hinted.map { _, command in
      let keys = command.hintKeys.isEmpty ? Array(command.keys.prefix(1)) : command.hintKeys
      return Hint(
        keys.map { $0.label(signs) }.joined(separator: "/"), command.hint ?? "", press: keys.first)
    }
  }

  /// The commands that the help lists, on an ASCII terminal with words for arrows and signs.
  package func help(_ signs: Signs) -> KeyMap {
    KeyMap(
      commands.filter { !$0.help.isEmpty }.map { command in
        guard !signs.isUnicode else { return command }
        var command = command
        command.label = command.label.map(Self.ascii)
        command.help = Self.ascii(command.help)
        return command
      })
  }

  /// A text with words for arrows and signs.
  private static func ascii(_ text: String) -> String {
    let names: [Character: String] = [
      "⏎": "Enter", "↑": "Up", "↓": "Down", "←": "Left", "→": "Right", "−": "-", "…": "...",
    ]
    return text.reduce(into: "") { $0 += names[$1] ?? String($1) }
  }

  /// The key map as text for the manual: each section's name, then one line for each command.
  package var manual: String {
    var lines: [String] = []
    for (section, commands) in sections {
      if !lines.isEmpty { lines.append("") }
      lines.append(section.rawValue)
      for command in commands {
        let keys = Signs.unicode.fit(command.shownKeys(.unicode), to: 22)
        lines.append("  \(keys)  \(command.help)")
      }
    }
    return lines.joined(separator: "\n")
  }
}
