/// A modal alert in a box: lines of text and a row of buttons.
///
/// The focus starts on the last button, which cancels, so Enter and Esc are safe. Buttons that do
/// something irreversible can require a text, such as the number of objects, to be typed first.
public struct Dialog: Hashable, Sendable {
  /// A line of the dialog's text.
  public struct Line: Hashable, Sendable {
    /// The text; truncated with an ellipsis if it is wider than the dialog.
    public var text: String
    /// The style of the whole line.
    public var style: Style

    /// Creates a line; empty by default.
    public init(_ text: String = "", style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// A button of a dialog.
  public struct Button: Hashable, Sendable {
    /// The key that presses the button, whatever has the focus.
    public let key: Character
    /// The action in a word or two.
    public let label: String
    /// Whether the button is disabled until the dialog's confirmation text has been typed.
    public let requiresConfirmation: Bool

    /// Creates a button.
    public init(_ key: Character, _ label: String, requiresConfirmation: Bool = false) {
      self.key = key
      self.label = label
      self.requiresConfirmation = requiresConfirmation
    }
  }

  /// The title, drawn in the top edge of the box.
  public var title: String
  /// The text; it scrolls if it is taller than the screen.
  public var lines: [Line]
  /// The buttons from left to right; the last one cancels.
  public let buttons: [Button]
  /// The text to type to enable the buttons that require confirmation; nil for none.
  public let confirmation: String?
  /// The part of the confirmation text typed so far.
  public private(set) var typed = ""
  /// Why the last key did nothing; nil if it did something.
  public private(set) var note: String?
  /// The index of the button that Enter presses.
  public private(set) var focus: Int
  /// The index of the first visible line of text.
  private(set) var firstLine = 0

  /// Creates a dialog with the focus on its last button.
  ///
  /// - Precondition: `buttons` is not empty.
  public init(
    _ title: String, lines: [Line], buttons: [Button], confirmation: String? = nil
  ) {
    precondition(!buttons.isEmpty, "A dialog needs at least one button to close it.")
    self.title = title
    self.lines = lines
    self.buttons = buttons
    self.confirmation = confirmation
    focus = buttons.count - 1
  }

  /// Whether the confirmation text has been typed, or none is required.
  public var isConfirmed: Bool { confirmation == nil || typed == confirmation }

  /// Handles a key press.
  ///
  /// - Returns: The index of the button that was pressed; nil if the dialog stays open.
  public mutating func handle(_ key: Key) -> Int? {
    note = nil
    switch key {
    case .escape, .control("g"), .control("c"): return buttons.count - 1
    case .enter:
      // Once the confirmation is typed, Enter presses the button that required it.
      if confirmation != nil, isConfirmed,
        let confirmed = buttons.firstIndex(where: \.requiresConfirmation)
      {
        return confirmed
      }
      return press(focus)
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
      guard let button = buttons.firstIndex(where: { $0.key == character }) else {
        note = "\(key) does nothing here"
        return nil
      }
      return press(button)
    default: break
    }
    return nil
  }

  private mutating func press(_ button: Int) -> Int? {
    guard let confirmation, buttons[button].requiresConfirmation, !isConfirmed else {
      return button
    }
    note = "type \(confirmation) first"
    return nil
  }

  private mutating func scroll(by count: Int) {
    firstLine = min(max(firstLine + count, 0), max(lines.count - 1, 0))
  }
}
