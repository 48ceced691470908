/// The help overlay, generated from a key map; it can be filtered and can run the selected action.
public struct HelpPanel<Action: Hashable & Sendable>: Hashable, Sendable {
  /// The result of a key press.
  public enum Outcome: Hashable, Sendable {
    /// The help stays open.
    case open
    /// The help was closed.
    case closed
    /// The help was closed and this action was selected.
    case run(Action)
  }

  /// The name of the screen, such as `Person list`; drawn in the top edge.
  public let title: String
  /// The key bindings to show.
  public let map: KeyMap<Action>
  /// The filter text; empty right after `/`, nil if the help is not filtered.
  public private(set) var filter: String?
  /// The index of the selected binding among those shown.
  private(set) var selected = 0

  /// Creates a help overlay with the first binding selected.
  public init(_ title: String, map: KeyMap<Action>) {
    self.title = title
    self.map = map
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
  public mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case .enter:
      let shown = bindings
      return shown.indices.contains(selected) ? .run(shown[selected].action) : .open
    case .down, .control("n"): select(selected + 1)
    case .up, .control("p"): select(selected - 1)
    case .pageDown, .control("f"): select(selected + 10)
    case .pageUp, .control("b"): select(selected - 10)
    case .home: select(0)
    case .end: select(bindings.count - 1)
    case .escape where filter != nil: narrow(to: nil)
    case .escape, .control("g"), .control("c"): return .closed
    case .backspace:
      guard let filter else { return .closed }
      narrow(to: filter.isEmpty ? nil : String(filter.dropLast()))
    case .character(let character): return handle(character)
    default: break
    }
    return .open
  }

  private mutating func handle(_ character: Character) -> Outcome {
    if let filter {
      narrow(to: filter + String(character))
      return .open
    }
    switch character {
    case "/": narrow(to: "")
    case "j": select(selected + 1)
    case "k": select(selected - 1)
    case "g": select(0)
    case "G": select(bindings.count - 1)
    case "q", "?": return .closed
    default: break
    }
    return .open
  }

  /// Selects a binding by its index among those shown.
  public mutating func select(_ index: Int) {
    selected = min(max(index, 0), max(bindings.count - 1, 0))
  }

  private mutating func narrow(to text: String?) {
    filter = text
    selected = 0
  }
}
