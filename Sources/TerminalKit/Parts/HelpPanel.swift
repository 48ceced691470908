/// The help overlay, made from a table of keys; it can be narrowed, and runs what is chosen.
public struct HelpPanel<Action: Hashable & Sendable>: Hashable, Sendable {
  /// What a key did.
  public enum Outcome: Hashable, Sendable {
    /// The help stays open.
    case open
    /// The help was closed.
    case closed
    /// The help was closed, and an action chosen.
    case run(Action)
  }

  /// Stands in the upper edge: `Person list`.
  public let title: String
  /// The keys.
  public let map: KeyMap<Action>
  /// What was typed to narrow the help; nil while it is not being narrowed.
  public private(set) var filter: String?
  /// The line that Enter takes, by its place among those shown.
  private(set) var selected = 0

  /// Creates a help overlay.
  public init(_ title: String, map: KeyMap<Action>) {
    self.title = title
    self.map = map
  }

  /// The groups that are shown, with the lines that match.
  var groups: [(section: KeySection, bindings: [KeyBinding<Action>])] {
    let wanted = foldedForMatching(filter ?? "")
    guard !wanted.isEmpty else { return map.sections }
    return map.sections.compactMap { section, bindings in
      let matching = bindings.filter { binding in
        foldedForMatching("\(binding.shownKeys(.unicode)) \(binding.help)").contains(wanted)
      }
      return matching.isEmpty ? nil : (section, matching)
    }
  }

  private var bindings: [KeyBinding<Action>] { groups.flatMap(\.bindings) }

  /// Handles a key.
  public mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case .enter:
      let shown = bindings
      return shown.indices.contains(selected) ? .run(shown[selected].action) : .open
    case .down, .control("n"): select(selected + 1)
    case .up, .control("p"): select(selected - 1)
    case .pageDown, .control("f"): select(selected + 10)
    case .pageUp, .control("b"): select(selected - 10)
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
    case "q", "?": return .closed
    default: break
    }
    return .open
  }

  private mutating func select(_ place: Int) {
    selected = min(max(place, 0), max(bindings.count - 1, 0))
  }

  private mutating func narrow(to text: String?) {
    filter = text
    selected = 0
  }
}
