/// A key and what it does, in the line at the bottom.
public struct Hint: Hashable, Sendable {
  /// The key as it is shown.
  public let key: String
  /// What it does, in a word or two.
  public let text: String

  /// Creates a hint.
  public init(_ key: String, _ text: String) {
    self.key = key
    self.text = text
  }
}

/// The line at the bottom that names the keys of the moment.
public struct HintLine: Hashable, Sendable {
  /// The hints, the most useful first; the last one stays when there is no room for all.
  public var hints: [Hint]

  /// Creates a line.
  public init(_ hints: [Hint]) {
    self.hints = hints
  }

  /// Draws the hints on a line; those that do not fit whole are left out.
  public func draw(in canvas: inout Canvas, y: Int) {
    let widths = hints.map { displayWidth(of: canvas.signs.visible("\($0.key) \($0.text)")) }
    let gap = widths.reduce(1) { $0 + $1 + 3 } - 3 <= canvas.width ? 3 : 2
    let last = widths.last ?? 0
    var x = 1
    for (place, hint) in hints.enumerated() {
      let reserve = place == hints.count - 1 ? 0 : gap + last
      guard x + widths[place] + reserve <= canvas.width else {
        // The last hint is the one that leads to all others.
        if place < hints.count - 1 { continue }
        break
      }
      x += canvas.put(hint.key, x: x, y: y, style: canvas.theme.hintKey)
      x += canvas.put(" " + hint.text, x: x, y: y, style: canvas.theme.hint) + gap
    }
  }
}
