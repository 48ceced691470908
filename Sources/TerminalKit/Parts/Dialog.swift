/// A question in a box: lines of text and buttons.
///
/// The focus begins on the button that does no harm, so that Enter and Esc cancel. What cannot be
/// taken back may ask for a number to be typed first.
public struct Dialog: Hashable, Sendable {
  /// A line of the text.
  public struct Line: Hashable, Sendable {
    /// The text; cut when too long.
    public var text: String
    /// Its look.
    public var style: Style

    /// Creates a line.
    public init(_ text: String = "", style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// A choice.
  public struct Button: Hashable, Sendable {
    /// The key that takes it at once.
    public let key: Character
    /// What it does.
    public let label: String
    /// Whether the number must be typed before it can be taken.
    public let isGuarded: Bool

    /// Creates a choice.
    public init(_ key: Character, _ label: String, isGuarded: Bool = false) {
      self.key = key
      self.label = label
      self.isGuarded = isGuarded
    }
  }

  /// Stands in the upper edge.
  public var title: String
  /// The text.
  public var lines: [Line]
  /// The choices, from left to right; the last one cancels.
  public let buttons: [Button]
  /// What must be typed before a guarded choice; nil for nothing.
  public let confirmation: String?
  /// What has been typed so far.
  public private(set) var typed = ""
  /// The choice that Enter takes.
  public private(set) var focus: Int
  /// The first line of the text that is shown.
  private(set) var firstLine = 0

  /// Creates a dialog whose focus is on its last choice, which cancels.
  ///
  /// - Precondition: There is a button.
  public init(
    _ title: String, lines: [Line], buttons: [Button], confirmation: String? = nil
  ) {
    precondition(!buttons.isEmpty, "A dialog needs a button that closes it.")
    self.title = title
    self.lines = lines
    self.buttons = buttons
    self.confirmation = confirmation
    focus = buttons.count - 1
  }

  /// Whether the guarded choices can be taken.
  public var isConfirmed: Bool { confirmation == nil || typed == confirmation }

  /// Handles a key.
  ///
  /// - Returns: The place of the button that was taken; nil while the dialog stays open.
  public mutating func handle(_ key: Key) -> Int? {
    switch key {
    case .escape, .control("g"), .control("c"): return buttons.count - 1
    case .enter:
      // Whoever has typed the number means the choice it guards.
      if confirmation != nil, isConfirmed, let guarded = buttons.firstIndex(where: \.isGuarded) {
        return guarded
      }
      return take(focus)
    case .tab, .right: focus = (focus + 1) % buttons.count
    case .backTab, .left: focus = (focus + buttons.count - 1) % buttons.count
    case .down: scroll(by: 1)
    case .up: scroll(by: -1)
    case .pageDown, .control("f"): scroll(by: 10)
    case .pageUp, .control("b"): scroll(by: -10)
    case .backspace where !typed.isEmpty: typed.removeLast()
    case .character(let character):
      if confirmation?.contains(character) == true, typed.count < 32 {
        typed.append(character)
        return nil
      }
      return buttons.firstIndex { $0.key == character }.flatMap { take($0) }
    default: break
    }
    return nil
  }

  private func take(_ button: Int) -> Int? {
    buttons[button].isGuarded && !isConfirmed ? nil : button
  }

  private mutating func scroll(by count: Int) {
    firstLine = min(max(firstLine + count, 0), max(lines.count - 1, 0))
  }
}
