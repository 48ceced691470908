import TerminalKit

/// The first line of a screen: the path to it at the left, facts at the right.
struct TitleLine: Hashable {
  /// The path to this screen, the store's name first.
  var path: [String]
  /// Facts, the most important first; the last ones are left out where there is no room.
  var facts: [String]

  /// Draws the line.
  func draw(in canvas: inout Canvas, y: Int) {
    let signs = canvas.signs
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
    canvas.put(signs.cut(left, to: leftRoom), x: 1, y: y, style: canvas.theme.title)
    if showsFacts { canvas.put(facts, x: canvas.width - 1 - factsWidth, y: y) }
  }

  private func width(_ text: String, _ signs: Signs) -> Int {
    displayWidth(of: signs.visible(text))
  }
}
