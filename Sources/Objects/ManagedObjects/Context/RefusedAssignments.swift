package import ObjectModel

/// Assignments that could not be made, by setters that cannot throw; the next save throws them.
struct RefusedAssignments {
  struct Assignment {
    let error: any Error
    /// Whether the object existed: if it was deleted since, nothing is left to correct.
    let wasAlive: Bool
  }

  private var assignments: [ObjectID: [String: Assignment]] = [:]

  mutating func add(_ error: any Error, to id: ObjectID, _ key: String, wasAlive: Bool) {
    assignments[id, default: [:]][key] = Assignment(error: error, wasAlive: wasAlive)
  }

  /// Forgets the assignment to a property, because it was made since.
  mutating func remove(_ id: ObjectID, _ key: String) {
    guard !assignments.isEmpty else { return }
    assignments[id]?[key] = nil
    if assignments[id]?.isEmpty == true { assignments[id] = nil }
  }

  /// Forgets the assignments to the properties of an object.
  mutating func remove(_ id: ObjectID) { assignments[id] = nil }

  /// Returns to the earlier assignments to the properties of some objects.
  mutating func restore(from earlier: RefusedAssignments, where isRestored: (ObjectID) -> Bool) {
    for id in Array(assignments.keys) where isRestored(id) {
      assignments[id] = earlier.assignments[id]
    }
  }

  mutating func removeAll() { assignments = [:] }

  /// Forgets the assignments to objects that were gone already: nothing can correct them.
  mutating func removeUncorrectable() {
    for (id, key, assignment) in all where !assignment.wasAlive { remove(id, key) }
  }

  /// All assignments, by object and key.
  var all: [(id: ObjectID, key: String, assignment: Assignment)] {
    assignments.sorted { $0.key < $1.key }.flatMap { id, keys in
      keys.sorted { $0.key < $1.key }.map { (id, $0.key, $0.value) }
    }
  }
}

extension ManagedObjectContext {
  /// Reports an assignment that a setter could not make, and keeps it for the next save.
  package func refuse(_ error: any Error, of id: ObjectID, _ key: String) {
    refused.add(error, to: id, key, wasAlive: isAlive(id))
    report(error)
  }

  /// What is wrong because an assignment was refused; nothing if its object was deleted since.
  func refusedProblems() -> [ManagedObjectError.Problem] {
    refused.all.compactMap { id, key, assignment in
      if assignment.wasAlive, !isAlive(id) { return nil }
      let error = assignment.error as? ManagedObjectError
      let why = error.map { $0.detail.isEmpty ? String(describing: $0) : $0.detail }
      return ManagedObjectError.Problem(
        objectID: id, name: displayName(of: id), key: key, code: .own,
        message: "was not set: \(why ?? String(describing: assignment.error))")
    }
  }
}

extension ManagedObject {
  /// Makes an assignment for a setter that cannot throw.
  func refusing(_ key: String, _ assign: () throws -> Void) {
    do {
      try assign()
      managedObjectContext?.refused.remove(objectID, key)
    } catch {
      managedObjectContext?.refuse(error, of: objectID, key)
    }
  }
}
