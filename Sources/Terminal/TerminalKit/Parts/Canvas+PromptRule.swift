extension Canvas {
  /// Draws the rule above a prompt: its title at the left, its keys at the right if there is room.
  ///
  /// - Parameters:
  ///   - title: What is typed.
  ///   - keys: The keys and what they do, as `Tab complete · ↑ history`.
  ///   - y: The line.
  package mutating func promptRule(_ title: String, keys: String, y: Int) {
    rule(x: 0, y: y, columns: width - 1, style: theme.headerRule)
    let used = put(" \(title) ", x: 1, y: y, style: theme.headerTitle)
    // In ASCII an arrow is a sign of sorting, not a key.
    let typable = signs.isUnicode ? keys : keys.replacing("↑", with: "Up")
    let shown = " \(signs.own(typable)) "
    let columns = displayWidth(of: shown)
    guard used + columns + 8 < width else { return }
    put(shown, x: width - 4 - columns, y: y, style: theme.hint)
  }
}
