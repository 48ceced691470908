import ObjectModel

/// What a screen made of an action or of the mouse, for the application to carry out.
enum ScreenOutcome {
  /// The screen did it.
  case done
  /// It is not the screen's action, or not the screen's alone: the application does its part.
  case passOn
  /// Shows a screen over this one.
  case push(any Screen)
  /// Shows an overlay.
  case present(any Overlay)
  /// Marks objects for deletion; then ``Screen/didMarkForDeletion()`` is called.
  case markForDeletion([ObjectID])
  /// Removes the marks or the unsaved changes of objects.
  case unmark([ObjectID])
}
