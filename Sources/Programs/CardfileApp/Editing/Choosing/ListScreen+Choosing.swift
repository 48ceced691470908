import ObjectModel
import TerminalApplications

extension ListScreen {
  /// Chooses the selected objects, or the one under the cursor.
  func chooseSelected() {
    guard choosing?.takesSeveral == true else { return choose(chosenIDs()) }
    changeChosen(nil, "add") { self.choose($0) }
  }

  /// Chooses objects.
  func choose(_ ids: [ObjectID]) {
    guard let choosing else { return }
    if ids.isEmpty {
      fail("There is no object to choose")
    } else if !ids.isEmpty, ids.count < choosing.least, let requirement = choosing.requirement {
      fail(requirement + session.advice((.toggleSelection, "selects")))
    } else if ids.count > 1, !choosing.takesSeveral {
      fail("Only one object can be chosen" + session.advice((.selectNone, "selects none")))
    } else {
      leave(with: ids, choosing)
    }
  }

  /// Chooses no object.
  func chooseNull() {
    guard let choosing else { return }
    guard !choosing.takesSeveral, choosing.requirement == nil else {
      return fail(choosing.requirement ?? "There is nothing to add")
    }
    leave(with: [], choosing)
  }

  private func leave(with ids: [ObjectID], _ choosing: Choosing) {
    hasChosen = true
    app?.back()
    choosing.choose(ids)
  }
}
