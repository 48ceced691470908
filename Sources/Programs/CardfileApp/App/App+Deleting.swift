import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Marks objects for deletion; with `--save-after-edit` asks, deletes and saves at once.
  ///
  /// - Returns: Whether they are marked now.
  @discardableResult
  func markForDeletion(_ ids: [ObjectID]) -> Bool {
    guard !ids.isEmpty, canDelete(ids) else { return false }
    if session.options.settings.savesAfterEdit {
      deleteNow(ids)
      return false
    }
    let name = name(of: ids)
    if session.setMarked(true, ids, name: "mark \(name)") > 0 {
      say("\(name) marked\(session.advice((.undo, "undo")))")
    } else {
      say("\(name): marked already\(session.advice((.unmark, "unmarks")))")
    }
    return true
  }

  /// Marks the objects that keep others from being deleted, by the rule deny.
  ///
  /// - Returns: Whether they are marked; if not, a message says why.
  func markDenying(_ plan: SavePlan) -> Bool {
    let ids = plan.denying
    guard !ids.isEmpty, canDelete(ids) else { return false }
    let count = groupedDigits(ids.count)
    return session.setMarked(true, ids, name: "mark \(count) more") > 0
  }

  /// Removes the marks of objects, or else their unsaved changes.
  func takeOff(_ ids: [ObjectID]) {
    guard !ids.isEmpty else { return }
    let name = name(of: ids)
    let changed = ids.filter { id in
      session.context.registeredObject(for: id)?.hasChanges ?? false
    }
    if session.setMarked(false, ids, name: "unmark \(name)") > 0 {
      say("\(name): mark taken off")
    } else if !changed.isEmpty {
      session.context.discardChanges(of: changed)
      session.context.processPendingChanges()
      say("\(name): unsaved changes taken off")
    } else {
      say("\(name): no mark, no changes")
    }
  }

  /// A name for objects: the name of one, the number of several.
  ///
  /// A long name is truncated, so that the message has room.
  func name(of ids: [ObjectID]) -> String {
    guard ids.count != 1, let first = ids.first else {
      let name = ids.first.map { session.context.displayName(of: $0) } ?? "nothing"
      return session.look.signs.cut(name, to: max(terminal.size.width * 2 / 5, 12))
    }
    return "\(groupedDigits(ids.count)) \(first.entityName)"
  }

  /// Whether objects can be deleted; if not, a message says why.
  private func canDelete(_ ids: [ObjectID]) -> Bool {
    if let reason = session.readOnlyReason {
      fail("Nothing can be deleted: \(reason)")
      return false
    }
    if ids.count == 1, !session.context.object(with: ids[0]).isAccessible {
      fail("It cannot be deleted: it is gone from the store")
      return false
    }
    for name in Set(ids.map(\.entityName)) {
      guard let reason = session.model.entity(named: name)?.readOnlyReason else { continue }
      fail("\(name) objects cannot be deleted: \(reason)")
      return false
    }
    return true
  }

  /// Asks, deletes and saves at once.
  private func deleteNow(_ ids: [ObjectID], since difference: SaveDifference? = nil) {
    persistently("Deleting", refusal: "Nothing was deleted") { [weak self] in
      guard let self else { return }
      let plan = try work("Planning the deletion") {
        try SavePlan(deleting: ids, in: self.session.context)
      }
      guard !plan.isRefused || plan.isValid && !plan.denying.isEmpty else {
        let gone = "\(name(of: ids)): nothing is left to delete"
        return fail(plan.refusals.first ?? gone)
      }
      let answers = plan.answers("delete") { [weak self] in
        if self?.canDelete(plan.denying) == true { self?.deleteNow(ids + plan.denying) }
      } commit: { [weak self] in
        self?.commit(plan, askAgain: { self?.deleteNow(ids, since: $0) }, then: nil)
      }
      present(
        QuestionOverlay(
          "Delete \(name(of: ids))?",
          lines: plan.lines(since: difference) + [.init(), .init("It is saved at once.")],
          answers: answers, confirmation: plan.isRefused ? nil : plan.confirmation))
    } failed: { [weak self] in
      self?.reportNotSaved($0)
    }
  }
}
