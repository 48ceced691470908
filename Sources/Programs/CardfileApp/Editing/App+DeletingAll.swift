import FetchedResults
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Deletes all objects of the list with one statement, after a person has typed their number.
  ///
  /// They are never read: undo cannot bring them back.
  func deleteAll(of list: ListScreen) {
    guard let store = session.store.statementDeleting else {
      return fail(
        "A store of this kind deletes only what is selected"
          + session.advice((.delete, "marks them")))
    }
    guard !session.hasUnsavedChanges else { return fail("Save or discard the changes first") }
    guard let request = list.controller.displayedRequest,
      let plan = try? request.plan(in: session.model)
    else { return }
    session.jobs.start("Counting", for: list) { control in
      if let reason = try store.obstacleToDeletingAll(of: plan.entityName) {
        throw StoreError(
          .unsupported, doing: "deleting \(plan.entityName)", detail: reason,
          remedy: "select them with * and delete them with d")
      }
      return try store.count(plan, control: control)
    } done: { [weak self] count in
      self?.askForNumber(count, plan, store)
    }
  }

  private func askForNumber(_ count: Int, _ plan: FetchPlan, _ store: any StatementDeleting) {
    guard count > 0 else { return say("There is nothing to delete") }
    let condition = plan.predicate.map { " that match \($0.predicate)" } ?? ""
    let bar = PromptBar(
      "Delete \(groupedDigits(count)) objects of \(plan.entityName)\(condition)", label: "number:",
      keys: ["⏎ delete", "Esc cancel"])
    bar.hint = "one statement, at once; no undo; type their number: \(count)"
    bar.submitted = { [weak self] bar in
      guard bar.text.filter({ $0 != "," && $0 != " " }) == "\(count)" else {
        bar.problem = .init("it is \(count)")
        return .stay
      }
      return .perform { self?.deleteAll(count, plan, store) }
    }
    present(bar)
  }

  private func deleteAll(_ count: Int, _ plan: FetchPlan, _ store: any StatementDeleting) {
    session.jobs.start("Deleting \(groupedDigits(count)) objects") { control in
      try store.deleteAll(plan, expecting: count, control: control)
    } done: { [weak self] count in
      self?.session.isOwnChange = true
      self?.refreshFromStore()
      self?.say("Deleted \(groupedDigits(count)) objects; they cannot be brought back")
    }
  }
}
