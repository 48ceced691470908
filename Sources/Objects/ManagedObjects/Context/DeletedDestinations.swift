import ObjectModel

/// Relationships that a refused save would have made lead to objects which others have deleted.
struct DeletedDestinations {
  private let context: ManagedObjectContext

  init(of context: ManagedObjectContext) { self.context = context }

  /// A relationship that the next save makes lead to an object.
  private struct NewReference {
    let source: ObjectID
    let relationship: RelationshipInfo
    let destination: ObjectID
  }

  /// Makes the error of a save that the store refused a conflict, with a problem for each
  /// relationship that leads to an object which others have deleted.
  ///
  /// These objects are gone in the context afterwards; what leads to them stays, to be corrected.
  ///
  /// - Parameter error: The error; it stays as it is if nothing leads to a deleted object.
  /// - Throws: ``ManagedObjectError`` when the store cannot be read.
  func name(in error: inout ManagedObjectError) throws {
    let references = newReferences()
    let found = try context.storedRows(of: Array(Set(references.map(\.destination))))
    let broken = references.filter { found[$0.destination] == nil }
    guard !broken.isEmpty else { return }
    error.reason = .conflict
    error.problems = broken.map { reference in
      let destination = fullName(of: reference.destination)
      return .init(
        objectID: reference.source, name: fullName(of: reference.source),
        key: reference.relationship.name, code: .missing,
        message: "leads to \(destination), which was deleted from the store",
        destinationID: reference.destination)
    }
    error.remedy = "set the relationship to nothing or to an object that exists"
    let named = Set(error.objectIDs)
    let gone = Set(broken.map(\.destination))
    error.objectIDs += gone.union(broken.map(\.source)).subtracting(named).sorted()
    context.mergeRows(of: gone.sorted())
  }

  /// The relationships that unsaved changes make lead to objects of the store without unsaved
  /// changes.
  ///
  /// A foreign key that was set as a value may never have led anywhere; it is left out unless its
  /// object was read.
  private func newReferences() -> [NewReference] {
    var references: [NewReference] = []
    for (id, change) in context.pending.sorted {
      guard let row = change.current else { continue }
      let info = context.info(for: id.entityName)
      let exempt = context.undoMemory.missingDestinations(of: id)
      for (index, relationship) in info.toOne.enumerated()
      where !exempt.contains(relationship.name) {
        guard let destination = row.destination(at: index),
          destination != change.base?.destination(at: index), isUnchanged(destination),
          info.foreignKeys[index].isEmpty || context.objects[destination] != nil
            || context.isMissing(destination)
        else { continue }
        references.append(
          NewReference(source: id, relationship: relationship, destination: destination))
      }
    }
    for (end, change) in context.links.sorted(by: { $0.key < $1.key }) {
      let info = context.info(for: end.id.entityName)
      guard let relationship = info.relationships[end.name] else { continue }
      references += change.added.filter(isUnchanged).map {
        NewReference(source: end.id, relationship: relationship, destination: $0)
      }
    }
    return references
  }

  /// The name of an object with its entity and key, unless these are its name.
  private func fullName(of id: ObjectID) -> String {
    let name = context.displayName(of: id)
    let isOwn = name != id.description && name != "new \(id.entityName)"
    return isOwn ? "“\(name)” (\(id.phrase))" : name
  }

  private func isUnchanged(_ id: ObjectID) -> Bool {
    context.isStored(id) && !context.pending.contains(id)
  }
}
