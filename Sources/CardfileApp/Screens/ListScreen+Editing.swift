import ObjectModel
import TerminalKit

extension ListScreen {
  /// Performs the actions that change objects, and the choice of none.
  func performEditing(_ action: Action) -> ScreenOutcome {
    switch action {
    case .edit: return edit()
    case .insert: return .insert(entity, scope.source)
    case .duplicate:
      if let id = cursorID { return .duplicate(id, scope.source) }
      session.message = .failed("There is no object to duplicate")
    case .add:
      if let source = scope.source { return .add(source) }
      session.message = .failed("a adds objects to a relationship — o makes a new object")
    case .chooseNull: return chooseNull()
    default: return .passOn
    }
    return .done
  }

  /// Edits the marked value of the object under the cursor.
  private func edit() -> ScreenOutcome {
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

  /// The property that `e` edits: that of the marked column, or else the display attribute.
  private func markedProperty(of id: ObjectID) -> String? {
    let entity = session.model.entity(named: id.entityName) ?? entity
    if let index = table.markedColumn, tableColumns.indices.contains(index) {
      switch tableColumns[index].source {
      case .attribute(let attribute): return attribute.name
      case .toOne(let relationship), .toMany(let relationship): return relationship.name
      case .object: break
      }
    }
    return entity.displayAttributeName ?? entity.relationships.first?.name
  }
}
