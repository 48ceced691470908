/// The help overlay, generated from a key map; it can be filtered and can run the selected action.
package struct HelpPanel<Action: Hashable & Sendable>: Hashable, Sendable {
  /// The result of a key press.
  package enum Outcome: Hashable, Sendable {
    /// The help stays open.
    case open
    /// The help was closed.
    case closed
    /// The help was closed and this action was selected.
    case run(Action)
  }

  /// The name of the screen, such as `Person list`; drawn in the top edge.
  package let title: String
  /// The key bindings to show.
  package let map: KeyMap<Action>
  /// The filter text; empty right after `/`, nil if the help is not filtered.
  package private(set) var filter: String?
  /// The cursor among the bindings shown.
  var scroll = LineScroll()
  /// The index of the selected binding among those shown.
  var selected: Int { scroll.cursor }

  /// Creates a help overlay with the first binding selected.
  package init(_ title: String, map: KeyMap<Action>) {
    self.title = title
    self.map = map
    scroll.setRows(bindings.count)
  }

  /// The sections to show, with the bindings that match the filter; all without a filter.
  var groups: [(section: KeySection, bindings: [KeyBinding<Action>])] {
    let wanted = (filter ?? "").lowercased()
    guard !wanted.isEmpty else { return map.sections }
    return map.sections.compactMap { section, bindings in
      let matching = bindings.filter { binding in
        "\(binding.shownKeys(.unicode)) \(binding.help)".lowercased().contains(wanted)
      }
      return matching.isEmpty ? nil : (section, matching)
    }
  }

  private var bindings: [KeyBinding<Action>] { groups.flatMap(\.bindings) }

  /// Handles a key press.
  package mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case .enter:
      let shown = bindings
      return shown.indices.contains(selected) ? .run(shown[selected].action) : .open
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

  /// Selects a binding by its index among those shown.
  package mutating func select(_ index: Int) { scroll.setCursor(index) }

  private mutating func narrow(to text: String?) {
    filter = text
    scroll.setRows(bindings.count)
    scroll.setCursor(0)
  }
}
