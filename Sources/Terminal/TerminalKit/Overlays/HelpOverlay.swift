/// The keys of a screen; they can be filtered, and Enter runs the command under the cursor.
@MainActor
package final class HelpOverlay: ItemOverlay {
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

  /// The command under the cursor; nil if none matches the filter.
  package var selectedCommand: KeyCommand? {
    let shown = commands
    return shown.indices.contains(selected) ? shown[selected] : nil
  }

  /// Handles a key press.
  package func handle(_ key: Key) -> OverlayReply {
    switch key {
    case .enter:
      guard let command = selectedCommand else { break }
      return .perform { command.action(nil) }
    case .escape where filter != nil: narrow(to: nil)
    case .escape, .control("g"), .control("c"): return .close
    case .backspace:
      guard let filter else { return .close }
      narrow(to: filter.isEmpty ? nil : String(filter.dropLast()))
    case .character("/") where filter == nil: narrow(to: "")
    case .character("q") where filter == nil, .character("?") where filter == nil: return .close
    default:
      if let motion = TableMotion(key, isTyping: filter != nil) {
        scroll.move(motion)
      } else if case .character(let character) = key, let filter {
        narrow(to: filter + String(character))
      }
    }
    return .stay
  }

  /// Adds pasted text to the filter while it is typed.
  package func paste(_ text: String) {
    guard let filter else { return }
    narrow(to: filter + text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  package func press(_ item: Int, isDouble: Bool) -> OverlayReply {
    scroll.setCursor(item)
    return isDouble ? handle(.enter) : .stay
  }

  private func narrow(to text: String?) {
    filter = text
    scroll.setRows(commands.count)
    scroll.setCursor(0)
  }
}
