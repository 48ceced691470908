import FetchedResults
import ListProviders
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Deletes all objects of the list with one statement, after a person has typed their number.
  ///
  /// They are never read: undo cannot bring them back. What cannot be deleted so is marked one by
  /// one, once all rows of the list are read.
  func deleteAll(of list: ListScreen) {
    guard let store = session.store.statementDeleting else {
      return refuseToDeleteAll(of: list, "a store of this kind deletes only what is marked")
    }
    guard !session.hasUnsavedChanges else { return fail("Save or discard the changes first") }
    guard let request = list.controller.displayedRequest,
      let plan = try? request.plan(in: session.model)
    else { return }
    session.jobs.start("Counting", for: list) { control in
      let reason = try store.obstacleToDeletingAll(of: plan.entityName)
      return (reason, count: reason == nil ? try store.count(plan, control: control) : 0)
    } done: { [weak self, weak list] reason, count in
      guard let self, let list else { return }
      if let reason { return refuseToDeleteAll(of: list, reason) }
      askForNumber(count, plan, store, list)
    }
  }

  private func refuseToDeleteAll(of list: ListScreen, _ reason: String) {
    guard list.provider.selectsAll else {
      return session.report(
        StoreError(
          .unsupported, doing: "deleting \(list.entity.name)", detail: reason,
          remedy: "select them with * and delete them with d"))
    }
    list.askToReadAll(
      "mark for deletion", "They cannot be deleted with one statement: \(reason)."
    ) { [weak list] in list?.markForDeletion(nil) }
  }

  private func askForNumber(
    _ count: Int, _ plan: FetchPlan, _ store: any StatementDeleting, _ list: ListScreen
  ) {
    guard count > 0 else { return say("There is nothing to delete") }
    let condition = plan.predicate.map { " that match \($0.predicate)" } ?? ""
    let bar = PromptBar(
      "Delete \(groupedDigits(count)) objects of \(plan.entityName)\(condition)", label: "number:",
      keys: ["⏎ delete", "Esc cancel"])
    bar.hint = "one statement, at once; no undo; type their number: \(count)"
    bar.submitted = { [weak self, weak list] bar in
      guard bar.text.filter({ $0 != "," && $0 != " " }) == "\(count)" else {
        bar.problem = .init("it is \(count)")
        return .stay
      }
      return .perform {
        self?.deleteAll(count, plan, store) {
          if list?.provider.selectsAll == true { list?.selectNone() }
        }
      }
    }
    present(bar)
  }

  private func deleteAll(
    _ count: Int, _ plan: FetchPlan, _ store: any StatementDeleting, done: @escaping () -> Void
  ) {
    session.jobs.start("Deleting \(groupedDigits(count)) objects") { control in
      try store.deleteAll(plan, expecting: count, returnsIDs: false, control: control).count
    } done: { [weak self] count in
      done()
      self?.session.isOwnChange = true
      self?.refreshFromStore()
      self?.say("Deleted \(groupedDigits(count)) objects; they cannot be brought back")
    }
  }
}
