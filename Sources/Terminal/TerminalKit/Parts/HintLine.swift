/// A key and its action, as shown in the hint line.
package struct Hint: Hashable, Sendable {
  /// The key's name as shown on the screen.
  package let key: String
  /// The action in a word or two.
  package let text: String

  /// The key that a click on the hint presses; nil for none.
  package let press: Key?

  /// Creates a hint.
  package init(_ key: String, _ text: String, press: Key? = nil) {
    self.key = key
    self.text = text
    self.press = press
  }
}

/// The line at the bottom of the screen that shows the keys available now.
package struct HintLine: Hashable, Sendable {
  /// The hints, most useful first; if not all fit, the last one is shown nevertheless.
  package var hints: [Hint]

  /// Creates a hint line.
  package init(_ hints: [Hint]) {
    self.hints = hints
  }

  /// Draws the hints on a line of the viewport; hints that do not fit completely are left out.
  package func draw(in canvas: inout Canvas, y: Int) {
    let widths = hints.map { displayWidth(of: canvas.signs.visible("\($0.key) \($0.text)")) }
    let gap = widths.reduce(1) { $0 + $1 + 3 } - 3 <= canvas.width ? 3 : 2
    let last = widths.last ?? 0
    var x = 1
    for (index, hint) in hints.enumerated() {
      let reserve = index == hints.count - 1 ? 0 : gap + last
      guard x + widths[index] + reserve <= canvas.width else {
        // Skip to the last hint: it is the key for the help, which shows all others.
        if index < hints.count - 1 { continue }
        break
      }
      if let key = hint.press {
        canvas.mark(Rect(x: x, y: y, width: widths[index], height: 1), as: .key(key))
      }
      x += canvas.put(hint.key, x: x, y: y, style: canvas.theme.hintKey)
      x += canvas.put(" " + hint.text, x: x, y: y, style: canvas.theme.hint) + gap
    }
  }
}
