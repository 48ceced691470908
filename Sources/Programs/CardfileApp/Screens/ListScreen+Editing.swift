import ListProviders
import ObjectModel
import TerminalApplications
import TerminalKit

/// The actions that change objects.
extension ListScreen {
  /// Marks objects, moves past the rows that were marked, and deselects them.
  ///
  /// All objects of a windowed list are deleted by their condition.
  func markForDeletion(_ count: Int?) {
    if provider.selectsAll, let app { return app.deleteAll(of: self) }
    changeChosen(count, "mark for deletion") { ids in
      let passed = self.selectedCount == 0 ? ids.count : 0
      guard self.app?.markForDeletion(ids) == true else { return }
      self.selectNone()
      if passed > 0 { self.moveForward(by: passed) }
    }
  }

  /// Takes marks off, or objects out of the relationship; those that it asks about stay selected.
  func unmark(_ count: Int?) {
    let source = scope.source
    let isDone = changeChosen(count, source == nil ? "take marks off" : "remove") { [app] ids in
      if let source { app?.remove(ids, from: source) } else { app?.takeOff(ids) }
    }
    if isDone { selectNone() }
  }

  /// Edits the marked value of objects.
  func edit(_ ids: [ObjectID]) {
    guard let id = ids.first else { return fail("There is no object to edit") }
    guard let property = markedProperty(of: id) else {
      return fail("\(id.entityName) has nothing to edit")
    }
    app?.edit(ids, property)
  }

  /// Adds objects to the relationship that the list shows.
  func add() {
    if let source = scope.source {
      app?.add(to: source)
    } else {
      fail(
        "\(session.keyName(of: .add) ?? "This") adds objects to a relationship"
          + session.advice((.insert, "makes a new object")))
    }
  }

  /// Copies the selected object, or the one under the cursor.
  func duplicate() {
    guard selectedCount <= 1 else {
      return fail(
        "\(session.keyName(of: .duplicate) ?? "It") copies one object, "
          + "\(groupedDigits(selectedCount)) are selected"
          + session.advice((.selectNone, "selects none")))
    }
    changeChosen(nil, "copy") { ids in
      if let id = ids.first {
        self.app?.duplicate(id, in: self.scope.source)
      } else {
        self.fail("There is no object to duplicate")
      }
    }
  }

  /// The property that `e` edits: that of the marked column, or else the display attribute.
  private func markedProperty(of id: ObjectID) -> String? {
    let entity = session.model.entity(named: id.entityName) ?? entity
    switch markedColumn?.source {
    case .attribute(let attribute): return attribute.name
    case .toOne(let relationship), .toMany(let relationship): return relationship.name
    case .object, nil: break
    }
    return entity.displayAttributeName ?? entity.relationships.first?.name
  }
}
