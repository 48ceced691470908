import ObjectModel
import TerminalKit

extension ListScreen {
  /// Performs the actions that change objects, and the choice of none.
  func performEditing(_ action: Action, count: Int?) -> ScreenOutcome {
    switch action {
    case .edit: return edit(count)
    case .insert: return .insert(entity, scope.source)
    case .duplicate: return duplicate()
    case .add:
      if let source = scope.source { return .add(source) }
      session.message = .failed("a adds objects to a relationship — o makes a new object")
    case .chooseNull: return chooseNull()
    default: return .passOn
    }
    return .done
  }

  /// Edits the marked value of the selected objects; without a selection, of a number of objects
  /// from the cursor on.
  private func edit(_ count: Int?) -> ScreenOutcome {
    changeChosen(count, "edit") { ids in
      guard let id = ids.first else {
        session.message = .failed("There is no object to edit")
        return .done
      }
      guard let property = markedProperty(of: id) else {
        session.message = .failed("\(id.entityName) has nothing to edit")
        return .done
      }
      return .edit(ids, property: property)
    }
  }

  /// Copies the selected object, or the one under the cursor.
  private func duplicate() -> ScreenOutcome {
    guard selectedCount <= 1 else {
      session.message = .failed(
        "O copies one object, \(groupedDigits(selectedCount)) are selected — C-\\ selects none")
      return .done
    }
    return changeChosen(nil, "copy") { ids in
      if let id = ids.first { return .duplicate(id, scope.source) }
      session.message = .failed("There is no object to duplicate")
      return .done
    }
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
