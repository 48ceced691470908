import ObjectModel

extension ListScreen {
  /// Edits the marked value of the object under the cursor.
  func edit() -> ScreenOutcome {
    guard let id = cursorID else {
      session.message = .failed("There is no object to edit")
      return .done
    }
    guard let property = markedProperty(of: id) else {
      session.message = .failed("\(id.entityName) has nothing to edit")
      return .done
    }
    return .edit(id, property: property)
  }

  /// The property that `e` edits: the display attribute.
  private func markedProperty(of id: ObjectID) -> String? {
    let entity = session.model.entity(named: id.entityName) ?? entity
    return entity.displayAttributeName ?? entity.relationships.first?.name
  }
}
