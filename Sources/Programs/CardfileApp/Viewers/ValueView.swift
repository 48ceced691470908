import ListProviders
import Foundation
import TerminalKit

/// One way to look at a value: as text, as a tree, as bytes.
protocol ValueView {
  /// Draws the part that is visible, and remembers its size for motions.
  ///
  /// - Returns: The position of the hardware cursor in the viewport.
  mutating func draw(in canvas: inout Canvas, highlighting pattern: TextPattern?) -> Point
  mutating func move(_ motion: TableMotion)
  /// Moves to the next position that contains a pattern, around the ends; the position of the view
  /// counts only if it `includesCurrent`.
  ///
  /// - Returns: Whether there is any.
  mutating func find(_ pattern: TextPattern, isForward: Bool, includesCurrent: Bool) -> Bool
  /// The position in the value, as `12/1,000  3%`.
  var position: String { get }
  /// Opens what the cursor is on.
  mutating func open() -> ValueViewOutcome
  /// Closes what the cursor is on.
  mutating func close() -> ValueViewOutcome
  /// What the cursor is on, to copy it; nil for a view without a cursor.
  var current: ValueContent? { get }
}

/// What is left to do after a view opened or closed something.
enum ValueViewOutcome {
  case done
  /// There is nothing to open.
  case nothing
  /// A part of the value is looked at by itself.
  case view(String, ValueContent)
  /// The view is left.
  case back
}

extension ValueView {
  mutating func open() -> ValueViewOutcome { .nothing }
  mutating func close() -> ValueViewOutcome { .back }
  var current: ValueContent? { nil }
}

extension TextPager: ValueView {}

/// A value to look at.
nonisolated enum ValueContent: Hashable, Sendable {
  case text(String)
  case bytes(Data)
}
