import ManagedObjects
import TerminalApplications
import ObjectModel

extension DetailScreen {
  /// Performs the actions that change the object or make others.
  func performEditing(_ action: Action) {
    switch action {
    case .edit: edit()
    case .insert: app?.insert(object.entity, in: nil)
    case .duplicate: app?.duplicate(objectID, in: nil)
    case .add: add()
    default: app?.performShared(action)
    }
  }

  /// Edits the property under the cursor.
  private func edit() {
    switch currentRow?.property {
    case .attribute(let name), .relationship(let name): app?.edit([objectID], name)
    case .identity: fail("The identity of an object cannot be edited")
    case nil: fail("There is nothing to edit")
    }
  }

  /// Adds objects to the relationship under the cursor.
  private func add() {
    guard case .relationship(let name)? = currentRow?.property,
      let relationship = object.entity.relationship(named: name), relationship.isToMany
    else { return fail("a adds objects to a to-many relationship: go to one first") }
    app?.add(to: RelationshipSource(objectID: objectID, relationship: relationship))
  }
}
