import ObjectModel

/// The result of an action or a mouse event, which the application carries out.
enum ScreenOutcome {
  /// Nothing is left to do.
  case done
  /// The application performs the action: it is not the screen's, or not the screen's alone.
  case passOn
  /// Pushes a screen.
  case push(any Screen)
  /// Shows an overlay.
  case present(any Overlay)
  /// Marks objects for deletion; calls ``Screen/didMarkForDeletion()`` afterwards.
  case markForDeletion([ObjectID])
  /// Removes the marks of objects; without marks, discards their unsaved changes.
  case unmark([ObjectID])
  /// Edits a property of an object.
  case edit(ObjectID, property: String)
}
