/// The help overlay, generated from a key map; it can be filtered and can run the selected command.
package struct HelpPanel: Sendable {
  /// The result of a key press.
  package enum Outcome: Sendable {
    /// The help stays open.
    case open
    /// The help was closed.
    case closed
    /// The help was closed and a command was selected.
    case run(KeyCommand)
  }

  /// The name of the screen, such as `Person list`; drawn in the top edge.
  package let title: String
  /// The commands to show.
  package let map: KeyMap
  /// The filter text; empty right after `/`, nil if the help is not filtered.
  package private(set) var filter: String?
  /// The cursor among the commands shown.
  var scroll = LineScroll()
  /// The index of the selected command among those shown.
  var selected: Int { scroll.cursor }

  /// Creates a help overlay with the first command selected.
  package init(_ title: String, map: KeyMap) {
    self.title = title
    self.map = map
    scroll.setRows(commands.count)
  }

  /// The sections to show, with the commands that match the filter; all without a filter.
  var groups: [(section: KeySection, commands: [KeyCommand])] {
    let wanted = (filter ?? "").lowercased()
    guard !wanted.isEmpty else { return map.sections }
    return map.sections.compactMap { section, commands in
      let matching = commands.filter { command in
        "\(command.shownKeys(.unicode)) \(command.help)".lowercased().contains(wanted)
      }
      return matching.isEmpty ? nil : (section, matching)
    }
  }

  private var commands: [KeyCommand] { groups.flatMap(\.commands) }

  /// Handles a key press.
  package mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case .enter:
      let shown = commands
      return shown.indices.contains(selected) ? .run(shown[selected]) : .open
    case .escape where filter != nil: narrow(to: nil)
    case .escape, .control("g"), .control("c"): return .closed
    case .backspace:
      guard let filter else { return .closed }
      narrow(to: filter.isEmpty ? nil : String(filter.dropLast()))
    case .character("/") where filter == nil: narrow(to: "")
    case .character("q") where filter == nil, .character("?") where filter == nil: return .closed
    default:
      if let motion = TableMotion(key, isTyping: filter != nil) {
        scroll.move(motion)
      } else if case .character(let character) = key, let filter {
        narrow(to: filter + String(character))
      }
    }
    return .open
  }

  /// Adds pasted text to the filter while it is typed.
  mutating func paste(_ text: String) {
    guard let filter else { return }
    narrow(to: filter + text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  /// Selects a command by its index among those shown.
  package mutating func select(_ index: Int) { scroll.setCursor(index) }

  private mutating func narrow(to text: String?) {
    filter = text
    scroll.setRows(commands.count)
    scroll.setCursor(0)
  }
}
