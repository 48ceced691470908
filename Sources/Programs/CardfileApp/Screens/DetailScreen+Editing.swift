import ManagedObjects
import TerminalApplications
import ObjectModel

extension DetailScreen {
  /// Edits the property under the cursor.
  func edit() {
    switch currentRow?.property {
    case .attribute(let name), .relationship(let name): app?.edit([objectID], name)
    case .identity: fail("The identity of an object cannot be edited")
    case nil: fail("There is nothing to edit")
    }
  }

  /// Adds objects to the relationship under the cursor.
  func add() {
    guard case .relationship(let name)? = currentRow?.property,
      let relationship = object.entity.relationship(named: name), relationship.isToMany
    else { return fail("a adds objects to a to-many relationship: go to one first") }
    app?.add(to: RelationshipSource(objectID: objectID, relationship: relationship))
  }
}
