import ObjectModel

extension ListScreen {
  /// Chooses the selected objects, or the one under the cursor.
  func chooseSelected() -> ScreenOutcome {
    guard choosing?.takesSeveral == true else { return choose(chosenIDs()) }
    return changeChosen(nil, "add") { choose($0) }
  }

  /// Chooses objects.
  func choose(_ ids: [ObjectID]) -> ScreenOutcome {
    guard let choosing else { return .passOn }
    guard !ids.isEmpty else {
      session.message = .failed("There is no object to choose")
      return .done
    }
    guard ids.count == 1 || choosing.takesSeveral else {
      session.message = .failed("Only one object can be chosen: C-\\ selects none")
      return .done
    }
    return .chosen(ids, choosing)
  }

  /// Chooses no object.
  func chooseNull() -> ScreenOutcome {
    guard let choosing else { return .passOn }
    guard !choosing.takesSeveral, choosing.requirement == nil else {
      session.message = .failed(choosing.requirement ?? "There is nothing to add")
      return .done
    }
    return .chosen([], choosing)
  }
}
