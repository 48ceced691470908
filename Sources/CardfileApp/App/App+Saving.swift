import Foundation
import ManagedObjects
import ObjectModel
import TerminalKit

extension App {
  /// Saves; asks first when something would be deleted.
  ///
  /// - Parameter then: Runs when all was saved.
  func save(then: (() -> Void)? = nil) {
    if let reason = session.readOnlyReason {
      session.message = .failed("Nothing can be saved: \(reason)")
      return
    }
    guard session.hasUnsavedChanges else {
      session.message = .done("Nothing to save")
      then?()
      return
    }
    guard session.context.conflicts.isEmpty else { return askAboutConflicts(then: then) }
    do {
      let plan = try SavePlan(deleting: session.marks.ids, in: session.context)
      let warnings = session.services.warningsBeforeSaving()
      if plan.summary.deletedCount == 0, plan.refusals.isEmpty, warnings.isEmpty {
        commit(plan, then: then)
      } else {
        present(saveDialog(plan, warnings: warnings, then: then))
      }
    } catch {
      session.report(error)
    }
  }

  private func saveDialog(
    _ plan: SavePlan, warnings: [String], then: (() -> Void)?
  ) -> QuestionOverlay {
    var answers: [QuestionOverlay.Answer] = []
    if !plan.isRefused {
      answers.append(
        .init(key: "y", label: "save", isGuarded: plan.confirmation != nil) { [weak self] in
          .perform { self?.commit(plan, then: then) }
        })
      answers.append(
        .init(key: "v", label: "view SQL") { [weak self] in
          .present(TextOverlay("Statements", lines: self?.statements(of: plan) ?? []))
        })
    }
    var notes = ["Nothing is left to save."]
    if !plan.isRefused {
      notes = ["Undo after saving: yes (u), until you quit"]
      if session.services.makesBackup, session.services.backupPath() == nil {
        notes.append("The store is copied beside itself first")
      }
    }
    return QuestionOverlay(
      "Save changes?",
      lines: plan.lines + [.init()] + warnings.map { .init("! \($0)", style: Style(.bold)) }
        + notes.map { .init($0) },
      answers: answers, confirmation: plan.isRefused ? nil : plan.confirmation)
  }

  /// The statements of a save; nothing is changed to find them.
  private func statements(of plan: SavePlan) -> [String] {
    do {
      let lines = session.store.explain(try plan.request(in: session.context))
      return lines.isEmpty ? ["This kind of store has no statements."] : lines
    } catch {
      return [String(describing: error)]
    }
  }

  /// Deletes the marked objects in the context, as one step of the history.
  private func delete(_ plan: SavePlan) throws {
    guard !plan.deleting.isEmpty else { return }
    let history = session.context.undoHistory
    let title = "delete \(name(of: plan.deleting))"
    history.beginGroup()
    defer { history.endGroup() }
    try session.context.delete(plan.deleting)
    session.context.processPendingChanges()
    history.setActionName(title)
  }

  /// Writes the changes; what fails is taken back, so that nothing but the message is other.
  func commit(_ plan: SavePlan, then: (() -> Void)?) {
    let context = session.context
    do {
      try delete(plan)
      try context.save()
      retry = nil
      session.forgetMarks(of: plan.deleting)
      let report = plan.report + backupNote
      session.message = plan.refused.isEmpty ? .done(report) : .failed(report)
      if !session.hasUnsavedChanges { then?() }
    } catch let error as ManagedObjectError where error.reason == .conflict {
      retry = nil
      askAboutConflicts(deleting: plan.deleting, then: then)
    } catch {
      if !plan.deleting.isEmpty { context.undoHistory.withdraw() }
      guard (error as? ManagedObjectError)?.storeError?.reason == .locked else {
        retry = nil
        return session.report(error)
      }
      retry = (retry ?? SaveRetry(now: clock())).next(now: clock()) { [weak self] in
        self?.commit(plan, then: then)
      }
      if retry == nil { session.report(error) }
    }
  }

  /// Says, after the first save, where the copy of the store lies.
  private var backupNote: String {
    guard !session.hasToldOfBackup, let path = session.services.backupPath() else { return "" }
    session.hasToldOfBackup = true
    return " · copy \(URL(fileURLWithPath: path).lastPathComponent)"
  }

  /// Asks what to do about objects that were changed here and by someone else.
  ///
  /// The marked objects may be deleted in the context at this moment; then that is taken back.
  private func askAboutConflicts(deleting: [ObjectID] = [], then: (() -> Void)?) {
    let context = session.context
    let conflicts = context.conflicts
    let ids = conflicts.keys.sorted()
    guard !ids.isEmpty else {
      if !deleting.isEmpty { context.undoHistory.withdraw() }
      session.message = .failed("Objects were changed outside — R refreshes, then save again")
      return
    }
    let lines = ids.prefix(8).map { id in
      let theirs = conflicts[id]?.theirKeys.sorted().joined(separator: ", ") ?? ""
      let what = conflicts[id]?.isGone == true ? "deleted outside" : "changed outside: \(theirs)"
      return Dialog.Line("\(context.displayName(of: id))   \(what)")
    }
    func resolve(_ resolution: ContextConflict.Resolution) {
      do {
        try context.resolveConflicts(resolution, of: ids)
        if resolution == .takeTheirs { session.forgetMarks(of: ids) }
        if !deleting.isEmpty { context.undoHistory.withdraw() }
        save(then: then)
      } catch {
        session.report(error)
      }
    }
    present(
      QuestionOverlay(
        "Changed outside",
        lines: lines + (ids.count > 8 ? [.init("and \(ids.count - 8) more")] : []),
        answers: [
          .init(key: "k", label: "keep mine") { .perform { resolve(.keepMine) } },
          .init(key: "t", label: "take theirs") { .perform { resolve(.takeTheirs) } },
        ],
        cancel: {
          if !deleting.isEmpty { context.undoHistory.withdraw() }
        }))
  }

  // MARK: A locked store

  /// Tries again when it is time.
  func retrySaveIfDue() {
    if let retry, retry.isDue(now: clock()) { retry.attempt() }
  }

  /// Gives up waiting.
  func cancelRetry() {
    retry = nil
    session.message = .failed("Not saved: another program holds the store. Nothing was written.")
  }
}
