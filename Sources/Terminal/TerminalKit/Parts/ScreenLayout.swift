/// Where the parts of a screen are: title, body, and at the bottom status and hints, or a bar in
/// their place.
package struct ScreenLayout: Hashable, Sendable {
  /// The smallest screen that is drawn.
  package static let smallest = Size(width: 20, height: 4)

  /// Between the title, on line 0, and the bottom.
  package let body: Rect
  /// The status line and the hints, or the bar.
  package let bottom: Rect
  /// Whether there is room for the hints, on the line below the status line.
  package let showsHints: Bool

  /// Lays out a screen; `barHeight` is the height of the bar at the bottom, nil for none.
  package init(_ size: Size, barHeight: Int? = nil) {
    showsHints = size.height >= 8
    let height = min(barHeight ?? (showsHints ? 2 : 1), size.height - 2)
    body = Rect(x: 0, y: 1, width: size.width, height: size.height - 1 - height)
    bottom = Rect(x: 0, y: size.height - height, width: size.width, height: height)
  }

  /// Returns whether a screen fits; if not, the canvas says so.
  package static func fits(in canvas: inout Canvas) -> Bool {
    if canvas.width >= smallest.width, canvas.height >= smallest.height { return true }
    let text = ["Too small:", "\(smallest.width)x\(smallest.height) needed"]
    for (y, line) in text.enumerated() { canvas.put(line, x: 0, y: y) }
    return false
  }
}
