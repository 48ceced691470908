import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Performs an action of the screen that is shown.
  func perform(_ action: Action, count: Int? = nil) {
    (screen as? BrowserScreen)?.perform(action, count: count)
  }

  /// Performs an action that means the same on every screen.
  func performShared(_ action: Action) {
    switch action {
    case .back: back()
    case .quit: if screens.count > 1 { back() } else { quit() }
    case .quitProgram: quit()
    case .help: showHelp()
    case .command: startCommand()
    case .messages: showMessages()
    case .entities: showEntities()
    case .undo: step("Undoing", refusal: "Not undone") { $0.undo() }
    case .redo: step("Redoing", refusal: "Not redone") { $0.redo() }
    case .save: save()
    case .discard: askToDiscard()
    case .refresh:
      if session.services.isOutdated() { reopenStore() } else { refreshFromStore() }
    case .redraw: terminal.redraw()
    case .suspend: terminal.suspend()
    default: break
    }
  }

  /// Undoes or redoes a step, once the store can be read: what it changes back may be unread.
  private func step(_ title: String, refusal: String, _ body: @escaping (Session) -> Void) {
    persistently(title, refusal: refusal) { [weak self] in
      guard let self else { return }
      try session.checkReadable()
      work(title, canCancel: false) { body(self.session) }
      (screen as? ListScreen)?.showFirst(of: session.returned)
      saveStep()
    }
  }

  // MARK: Ending

  /// Quits; asks first if a file is being exported, or there are unsaved changes.
  func askToQuit() {
    guard let progress = export?.busyLine else { return quitWithoutExport() }
    let (completed, total) = (progress.completed ?? 0, progress.total ?? 0)
    let stop = { [weak self] in
      self?.export?.cancel()
      self?.quitWithoutExport()
    }
    ask(
      "Quit?",
      [
        "\(groupedDigits(completed)) of \(groupedDigits(total)) rows are exported.",
        "Nothing is left of the file if you quit now.",
      ], answers: [("s", "stop it", stop)])
  }

  private func quitWithoutExport() {
    guard session.hasUnsavedChanges else { return terminate() }
    ask(
      "Quit?", ["There are unsaved changes: \(session.flagCounters)"],
      answers: [
        ("s", "save", { [weak self] in self?.save { self?.terminate() } }),
        ("d", "discard", { [weak self] in self?.terminate() }),
      ])
  }

  private func askToDiscard() {
    guard session.hasUnsavedChanges else { return say("Nothing to discard") }
    ask(
      "Discard all changes?",
      [
        "Unsaved: \(session.flagCounters)",
        "Marks and unsaved changes are discarded; the store is not changed.",
      ], answers: [("d", "discard", { [weak self] in self?.discard() })])
  }

  private func discard() {
    session.context.undoHistory.group(named: "discard changes") {
      session.setMarked(false, session.marks.elements, name: "discard changes")
      session.context.rollback()
    }
    session.hasSetTogether = false
    say("All unsaved changes discarded" + session.advice((.undo, "undoes it")))
  }

  // MARK: The store

  /// Reads the store's changes and refreshes what is shown.
  func refreshFromStore() {
    lock = nil
    follower?.foreignChange.set()
    mergeChanges()
    guard FetchControl.current?.hasMetLock != true else { return }
    message = message ?? .done("Refreshed")
  }
}
