import TerminalApplications

extension Session {
  /// Changes what is remembered of the store, now and for the next run.
  func remember(_ change: (inout StoreState) -> Void) {
    let before = state
    change(&state)
    guard state != before, options.settings.remembers else { return }
    keeper?.update(change)
    tellStateProblem()
  }

  /// Shows once why the state could not be read or kept.
  func tellStateProblem() {
    if let problem = keeper?.takeProblem() { app?.message = .failed(problem) }
  }

  /// What the person chose for an entity's list, else what the options give it; empty for neither.
  func preferences(for entityName: String) -> EntityPreferences {
    state.entities[entityName] ?? options.entityDefaults[entityName] ?? EntityPreferences()
  }

  /// Changes what is remembered of an entity's list.
  func remember(for entityName: String, _ change: (inout EntityPreferences) -> Void) {
    let before = preferences(for: entityName)
    remember { change(&$0.entities[entityName, default: before]) }
  }
}
