/// A key press, with its modifiers.
///
/// Characters are whole graphemes: `é` typed as two scalars is one key.
public enum Key: Hashable, Sendable {
  /// A printable character; the space bar is `.character(" ")`.
  case character(Character)
  /// Control with a letter or symbol; letters are in lower case: `.control("d")`.
  case control(Character)
  /// Alt (Meta) with a character.
  case meta(Character)
  /// A function key: `.function(1)` is F1.
  case function(Int)
  /// Enter or Return.
  case enter
  /// Escape by itself.
  case escape
  /// Tab.
  case tab
  /// Shift-Tab.
  case backTab
  /// Backspace.
  case backspace
  /// Delete.
  case delete
  /// Insert.
  case insert
  /// Arrow up.
  case up
  /// Arrow down.
  case down
  /// Arrow left.
  case left
  /// Arrow right.
  case right
  /// Home.
  case home
  /// End.
  case end
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Creates a ``character(_:)``: `"j"`.
  public init(extendedGraphemeClusterLiteral value: Character) { self = .character(value) }
}

extension Key: CustomStringConvertible {
  /// The key's name as shown in the help: `j`, `C-d`, `M-x`, `F1`, `PgDn`, `↓`.
  ///
  /// Use `label(_:)` on a terminal that may not show Unicode.
  public var description: String { label(.unicode) }

  /// The key's name as shown in the help, in the glyphs that the terminal can show.
  package func label(_ signs: Signs) -> String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(" "): "C-Space"
    case .control(let character): "C-\(character)"
    case .meta(let character): "M-\(character)"
    case .function(let number): "F\(number)"
    case .enter: signs.enter
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "S-Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: signs.isUnicode ? "↑" : "Up"
    case .down: signs.isUnicode ? "↓" : "Down"
    case .left: signs.isUnicode ? "←" : "Left"
    case .right: signs.isUnicode ? "→" : "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    }
  }
}
