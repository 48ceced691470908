/// A key, or a combination of keys, that was pressed.
///
/// Characters are whole graphemes: `é` typed as two scalars is one key.
public enum Key: Hashable, Sendable {
  /// A key that types something; the space bar is `.character(" ")`.
  case character(Character)
  /// Control with a letter or sign; letters in lower case: `.control("d")`.
  case control(Character)
  /// Alt (Meta) with a character.
  case meta(Character)
  /// A function key, from 1.
  case function(Int)
  /// Enter or Return.
  case enter
  /// Escape by itself.
  case escape
  /// Tab.
  case tab
  /// Shift with Tab.
  case backTab
  /// Backspace; never deletes an object.
  case backspace
  /// Delete.
  case delete
  /// Insert.
  case insert
  /// Arrow up.
  case up
  /// Arrow down.
  case down
  /// Arrow to the left.
  case left
  /// Arrow to the right.
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

extension Key: CustomStringConvertible {
  /// The key as the help shows it: `j`, `C-d`, `M-x`, `F1`, `PgDn`, `↓`.
  ///
  /// On a terminal without Unicode the arrows are drawn by ``label(_:)``.
  public var description: String { label(.unicode) }

  /// The key as the help shows it on a certain terminal.
  public func label(_ signs: Signs) -> String {
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
