extension Canvas {
  /// Returns the canvas with no more colours than some support; itself for nil.
  ///
  /// - Complexity: O(cells).
  package func limited(to support: ColorSupport?) -> Canvas {
    guard let support else { return self }
    var canvas = self
    for index in canvas.cells.indices {
      canvas.cells[index].style = canvas.cells[index].style.degraded(to: support)
    }
    return canvas
  }
}
