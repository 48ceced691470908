/// The first line of a screen: the path to it at the left, facts at the right.
package struct TitleLine: Hashable, Sendable {
  /// The path to this screen, where it begins first.
  package var path: [String]
  /// Facts, the most important first; the last ones are left out where there is no room.
  package var facts: [String]
  /// The style of the whole line; nil for the theme's, on the terminal's own background.
  package var style: Style?

  /// Creates a title line.
  package init(path: [String], facts: [String] = [], style: Style? = nil) {
    self.path = path
    self.facts = facts
    self.style = style
  }

  /// Draws the title on a line of the viewport.
  package func draw(in canvas: inout Canvas, y: Int) {
    let signs = canvas.signs
    let style = style ?? .plain
    if self.style != nil {
      canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1), style: style)
    }
    let room = canvas.width - 2
    var shown = facts
    var steps = path
    var left: String { steps.joined(separator: " \(signs.path) ") }
    var right: String { signs.own(shown.joined(separator: " · ")) }
    func fits() -> Bool { width(left, signs) + 2 + width(right, signs) <= room }
    while shown.count > 1, !fits() { shown.removeLast() }
    // Keep the last steps: they name what is shown.
    if !fits(), steps.count > 1 { steps[0] = signs.ellipsis }
    while steps.count > 2, !fits() { steps.remove(at: 1) }
    let facts = right
    let factsWidth = width(facts, signs)
    let showsFacts = factsWidth > 0 && (fits() || factsWidth + 2 <= room * 2 / 3)
    let leftRoom = showsFacts ? room - factsWidth - 2 : room
    canvas.put(
      signs.cut(left, to: leftRoom), x: 1, y: y, style: style.overlaid(by: canvas.theme.title))
    if showsFacts { canvas.put(facts, x: canvas.width - 1 - factsWidth, y: y, style: style) }
  }

  private func width(_ text: String, _ signs: Signs) -> Int {
    displayWidth(of: signs.visible(text))
  }
}
