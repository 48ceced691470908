import ManagedObjects
import ObjectModel

extension DetailScreen {
  /// Performs the actions that change the object or make others.
  func performEditing(_ action: Action) -> ScreenOutcome {
    switch action {
    case .edit: edit()
    case .insert: .insert(object.entity, nil)
    case .duplicate: .duplicate(objectID, nil)
    case .add: add()
    default: .passOn
    }
  }

  /// Edits the property under the cursor.
  private func edit() -> ScreenOutcome {
    switch currentRow?.property {
    case .attribute(let name), .relationship(let name): return .edit([objectID], property: name)
    case .identity: session.message = .failed("The identity of an object cannot be edited")
    case nil: session.message = .failed("There is nothing to edit")
    }
    return .done
  }

  /// Adds objects to the relationship under the cursor.
  private func add() -> ScreenOutcome {
    guard case .relationship(let name)? = currentRow?.property,
      let relationship = object.entity.relationship(named: name), relationship.isToMany
    else {
      session.message = .failed("a adds objects to a to-many relationship: go to one first")
      return .done
    }
    return .add(RelationshipSource(objectID: objectID, relationship: relationship))
  }
}
