/// The meaning of a click on an area of the screen.
package enum ClickTarget: Hashable, Sendable {
  /// The click does what a key does, as on a hint or a button.
  case key(Key)
  /// The click chooses an item, as a line of a menu; the value is its index.
  case item(Int)
}

extension Canvas {
  /// An area of the screen with the meaning of a click.
  struct TargetArea: Hashable, Sendable {
    let rect: Rect
    let target: ClickTarget
  }

  /// Gives the clicks on an area a meaning; it covers those given before.
  ///
  /// - Parameters:
  ///   - rect: The area, relative to the viewport and clipped by it.
  ///   - target: The meaning.
  package mutating func mark(_ rect: Rect, as target: ClickTarget) {
    let area = Rect(
      x: viewport.minX + rect.minX, y: viewport.minY + rect.minY, width: rect.size.width,
      height: rect.size.height
    ).intersection(viewport)
    targets.append(TargetArea(rect: area, target: target))
  }

  /// Removes the meanings of clicks and the links given so far, before a view is drawn that covers
  /// all others.
  package mutating func removeTargets() { (targets, links) = ([], []) }

  /// Returns the meaning of a click on a cell of the whole canvas; nil for none.
  package func target(at point: Point) -> ClickTarget? {
    targets.last { $0.rect.contains(point) }?.target
  }
}
