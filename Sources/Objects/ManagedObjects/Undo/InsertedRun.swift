import ObjectModel

/// Objects that were inserted one after the other in an undo group: one step undoes them.
final class InsertedRun {
  var ids: [ObjectID]
  private var step: UndoHistory.StepPlace?

  init(_ id: ObjectID) { ids = [id] }

  /// Notes that the run is undone by the step that was registered last.
  func noteLastStep(of history: UndoHistory) { step = history.lastStep }

  /// Whether nothing was registered after the run.
  func endsWithLastStep(of history: UndoHistory) -> Bool {
    step != nil && step == history.lastStep
  }
}
