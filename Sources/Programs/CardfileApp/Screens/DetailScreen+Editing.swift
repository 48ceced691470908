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

  /// Takes off the mark of the object, or else the link under the cursor, or else unsaved changes.
  func takeOff() {
    guard !session.marks.contains(objectID), let relationship = currentRelationship else {
      app?.takeOff([objectID])
      return
    }
    app?.removeLink(relationship, of: objectID)
  }

  /// The relationship under the cursor, also by its foreign key; nil for another row.
  private var currentRelationship: RelationshipDescription? {
    switch currentRow?.property {
    case .attribute(let name), .relationship(let name): object.entity.editedRelationship(for: name)
    case .identity, nil: nil
    }
  }

  /// Adds objects to the relationship under the cursor.
  func add() {
    guard case .relationship(let name)? = currentRow?.property,
      let relationship = object.entity.relationship(named: name), relationship.isToMany
    else {
      let key = session.keyName(of: .add) ?? "This"
      return fail("\(key) adds objects to a to-many relationship: go to one first")
    }
    app?.add(to: RelationshipSource(objectID: objectID, relationship: relationship))
  }
}
