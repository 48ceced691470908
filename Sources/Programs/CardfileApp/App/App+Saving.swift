import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Plans the save, and saves; asks first when something would be deleted, or done that no screen has
  /// shown, or when what was asked about has changed.
  ///
  /// - Parameters:
  ///   - difference: How the store differs from what was asked about before; nil when nothing was.
  ///   - then: Runs when all was saved.
  func save(since difference: SaveDifference? = nil, then: (() -> Void)? = nil) {
    if let reason = session.readOnlyReason { return fail("Nothing can be saved: \(reason)") }
    guard difference != nil || session.hasUnsavedChanges else {
      say("Nothing to save")
      then?()
      return
    }
    guard session.context.conflicts.isEmpty else { return askAboutConflicts(then: then) }
    persistently("Saving", refusal: "Nothing was written") { [weak self] in
      guard let self else { return }
      let plan = try work("Planning the save") {
        try SavePlan(deleting: self.session.marks.elements, in: self.session.context)
      }
      let warnings =
        session.services.warningsBeforeSaving()
        + session.marks.changes(in: plan.deletion, session.context)
      // What triggers do is shown nowhere else.
      if plan.summary.deletedCount == 0, plan.summary.triggers.isEmpty, plan.refusals.isEmpty,
        warnings.isEmpty, difference == nil, !session.hasSetTogether || plan.changedCount < 2
      {
        try write(plan)
        if !session.hasUnsavedChanges { then?() }
      } else {
        present(saveDialog(plan, since: difference, warnings: warnings, then: then))
      }
    } failed: { [weak self] in
      self?.handleFailure($0, then: then)
    }
  }

  /// Shows why nothing was saved; a cancellation is no failure.
  func reportNotSaved(_ error: any Error) {
    guard isCancellation(error) else { return session.report(error) }
    say("Cancelled — nothing was written")
  }

  private func saveDialog(
    _ plan: SavePlan, since difference: SaveDifference?, warnings: [String],
    then: (() -> Void)?
  ) -> QuestionOverlay {
    var answers = plan.answers("save") { [weak self] in
      if self?.markDenying(plan) == true { self?.save(then: then) }
    } commit: { [weak self] in
      self?.commit(plan, then: then)
    }
    if !plan.isRefused {
      answers.append(
        .init(key: "v", label: "view SQL", staysOpen: true) { [weak self] in
          self?.showStatements(of: plan)
        })
    }
    if let problem = plan.summary.problems.first {
      answers.append(
        .init(key: "g", label: "go to the first") { [weak self] in self?.show(problem) })
    }
    var notes = [
      plan.isValid
        ? "Nothing is left to save." : "Nothing can be saved until these values are corrected."
    ]
    if !plan.isRefused {
      notes = [
        then == nil
          ? "Undo after saving: yes\(session.keyName(of: .undo).map { " (\($0))" } ?? ""), until you quit"
          : "Undo after saving: no, the program ends then"
      ]
      if session.services.makesBackup, session.services.backupPath() == nil {
        notes.append("The store is copied beside itself first")
      }
    }
    return QuestionOverlay(
      plan.isValid ? "Save changes?" : "Not valid",
      lines: plan.lines(since: difference) + [.init()]
        + warnings.map { .init("! \($0)", style: Style(.bold)) }
        + notes.map { .init($0) },
      answers: answers, confirmation: plan.isRefused ? nil : plan.confirmation)
  }

  /// Shows what keeps a save from being made.
  private func show(_ problem: ManagedObjectError.Problem) {
    push(
      DetailScreen(
        problem.objectID, path: [session.storeTitle, problem.objectID.entityName],
        neighbours: nil, session: session))
    fail("\(problem.key) \(problem.message)")
  }

  /// Saves what undo or redo has changed, under `--save-after-edit`.
  func saveStep() {
    guard session.options.settings.savesAfterEdit, session.readOnlyReason == nil,
      session.hasUnsavedChanges
    else { return }
    let (step, counts) = (session.lastStep, session.returnedCounts)
    persistently("Saving", refusal: "Nothing was written") { [weak self] in
      guard let self else { return }
      try write(SavePlan(deleting: session.marks.elements, in: session.context))
      if !session.hasUnsavedChanges { say("\(step), and saved\(counts)") }
    } failed: { [weak self] in
      self?.handleFailure($0, then: nil)
    }
  }

  /// Shows the statements of a save, without changing anything.
  private func showStatements(of plan: SavePlan) {
    func show(_ lines: [String]) { present(TextOverlay("Statements", lines: lines)) }
    persistently("The statements", refusal: "Not shown") { [weak self] in
      guard let self else { return }
      let lines = try work("Running the save without writing") {
        try self.session.context.rehearseSave(deleting: plan.deletion).statements
      }
      show(lines.isEmpty ? ["This kind of store has no statements."] : lines)
    } failed: { [weak self] error in
      show([self?.isCancellation(error) == true ? "Cancelled." : String(describing: error)])
    }
  }

  /// Deletes what a plan says and saves; if that fails, nothing but the message changes, and the
  /// save is asked about again with `askAgain`, or the save dialog if that is nil.
  func commit(
    _ plan: SavePlan, askAgain: ((SaveDifference) -> Void)? = nil, then: (() -> Void)?
  ) {
    persistently("Saving", refusal: "Nothing was written") { [weak self] in
      guard let self else { return }
      try write(plan)
      if !session.hasUnsavedChanges { then?() }
    } failed: { [weak self] in
      self?.handleFailure($0, askAgain: askAgain, then: then)
    }
  }

  /// Deletes what a plan says, saves and says what was done.
  private func write(_ plan: SavePlan) throws {
    let filesBefore = session.services.unusedFileCount()
    let effects = try work("Saving") {
      try session.context.save(
        deleting: plan.deletion, actionName: "delete \(name(of: plan.deleting))")
    }
    session.forgetMarks(of: plan.deleting)
    if !session.hasUnsavedChanges { session.hasSetTogether = false }
    var report = plan.report(effects, advice: session.advice((.undo, "undoes it")))
    let fileCount = session.services.unusedFileCount() - filesBefore
    if fileCount > 0 { report += " · \(SavePlan.files(fileCount)) removed when you quit" }
    report += backupNote
    message = plan.refused.isEmpty ? .done(report) : .failed(report)
  }

  /// Asks what to do about what another program has changed, or says why nothing was saved.
  private func handleFailure(
    _ error: any Error, askAgain: ((SaveDifference) -> Void)? = nil, then: (() -> Void)?
  ) {
    if !session.context.conflicts.isEmpty {
      askAboutConflicts(then: then)
    } else if let difference = error.storeError?.difference {
      session.forgetMarks(of: difference.deleted)
      if let askAgain { askAgain(difference) } else { save(since: difference, then: then) }
    } else {
      reportNotSaved(error)
      message?.text += backupNote
    }
  }

  /// Names the backup copy of the store, after the first save.
  private var backupNote: String {
    guard !session.hasToldOfBackup, let path = session.services.backupPath() else { return "" }
    session.hasToldOfBackup = true
    return " · copy \(URL(fileURLWithPath: path).lastPathComponent)"
  }
}
