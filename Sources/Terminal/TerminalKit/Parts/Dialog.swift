/// A modal alert in a box: lines of text and a row of buttons.
///
/// The focus starts on the last button, which cancels, so Enter and Esc are safe. Buttons that do
/// something irreversible can require a text, such as the number of objects, to be typed first; then
/// the focus moves to them. Enter always presses the button that has the focus.
package struct Dialog: Hashable, Sendable {
  /// A line of the dialog's text.
  package struct Line: Hashable, Sendable {
    /// The text; it is broken into several lines if it is wider than the dialog.
    package var text: String
    /// The style of the whole line.
    package var style: Style
    /// The number of columns by which further lines of a long text are indented.
    package var hangingIndent: Int

    /// Creates a line; empty by default.
    package init(_ text: String = "", style: Style = .plain, hangingIndent: Int = 2) {
      self.text = text
      self.style = style
      self.hangingIndent = hangingIndent
    }
  }

  /// A button of a dialog.
  package struct Button: Hashable, Sendable {
    /// The key that presses the button, whatever has the focus.
    package let key: Character
    /// The action in a word or two.
    package let label: String
    /// Whether the button is disabled until the dialog's confirmation text has been typed.
    package let requiresConfirmation: Bool

    /// Creates a button.
    package init(_ key: Character, _ label: String, requiresConfirmation: Bool = false) {
      self.key = key
      self.label = label
      self.requiresConfirmation = requiresConfirmation
    }
  }

  /// The title, drawn in the top edge of the box.
  package var title: String
  /// The text; it scrolls if it is taller than the screen.
  package var lines: [Line]
  /// The buttons from left to right; the last one cancels.
  package let buttons: [Button]
  /// The text to type to enable the buttons that require confirmation; nil for none.
  package let confirmation: String?
  /// The part of the confirmation text typed so far.
  package private(set) var typed = ""
  /// Why the last key did nothing; nil if it did something.
  package private(set) var note: String?
  /// The index of the button that Enter presses; it is never one that still needs the confirmation.
  package private(set) var focus: Int
  /// The index of the first visible line of the wrapped text.
  var firstLine = 0
  /// The number of lines of text that were drawn last.
  var shownLineCount = 10

  /// Creates a dialog with the focus on its last button.
  ///
  /// - Precondition: `buttons` is not empty.
  package init(
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
  package var isConfirmed: Bool { confirmation == nil || typed == confirmation }

  /// Whether a button needs the confirmation, which has not been typed.
  func isDisabled(_ button: Int) -> Bool { buttons[button].requiresConfirmation && !isConfirmed }

  /// Handles a key press.
  ///
  /// - Returns: The index of the button that was pressed; nil if the dialog stays open.
  package mutating func handle(_ key: Key) -> Int? {
    note = nil
    switch key {
    case .escape, .control("g"), .control("c"): return buttons.count - 1
    case .enter: return press(focus)
    case .tab, .right: moveFocus(by: 1)
    case .backTab, .left: moveFocus(by: -1)
    case .down: scroll(by: 1)
    case .up: scroll(by: -1)
    case .pageDown, .control("f"): scroll(by: max(shownLineCount - 1, 1))
    case .pageUp, .control("b"): scroll(by: -max(shownLineCount - 1, 1))
    case .home: firstLine = 0
    case .end: firstLine = .max
    case .backspace where !typed.isEmpty: setTyped(String(typed.dropLast()))
    case .character(let character):
      if accepts(character), typed.count < 32 {
        setTyped(typed + String(character))
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

  /// Handles pasted text: it can be the confirmation, and never presses a button.
  package mutating func paste(_ text: String) {
    let pasted = text.split(whereSeparator: \.isWhitespace).joined()
    guard !pasted.isEmpty, pasted.count <= 32, pasted.allSatisfy(accepts) else {
      note = "pasted text is no answer"
      return
    }
    note = nil
    setTyped(typed + pasted)
  }

  /// Whether a character is typed into the confirmation; a wrong digit is shown there too.
  private func accepts(_ character: Character) -> Bool {
    guard let confirmation else { return false }
    return confirmation.contains(character)
      || character.isASCII && character.isNumber && confirmation.allSatisfy(\.isNumber)
  }

  /// Sets the typed text; the focus moves to the button that it enables, and back.
  private mutating func setTyped(_ text: String) {
    let wasConfirmed = isConfirmed
    typed = text
    guard isConfirmed != wasConfirmed else { return }
    let last = buttons.count - 1
    focus = isConfirmed ? buttons.firstIndex(where: \.requiresConfirmation) ?? last : last
  }

  private mutating func moveFocus(by step: Int) {
    let enabled = buttons.indices.filter { !isDisabled($0) }
    guard let index = enabled.firstIndex(of: focus) else { return }
    focus = enabled[(index + step + enabled.count) % enabled.count]
  }

  private mutating func press(_ button: Int) -> Int? {
    guard let confirmation, isDisabled(button) else { return button }
    note = "type \(confirmation) first"
    return nil
  }

  /// Scrolls the text; drawing keeps it within its lines.
  private mutating func scroll(by count: Int) {
    firstLine = max(firstLine.addingReportingOverflow(count).partialValue, 0)
  }
}
