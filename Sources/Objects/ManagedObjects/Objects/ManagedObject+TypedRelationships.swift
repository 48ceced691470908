import ObjectModel

// Setters of typed properties cannot throw: errors are reported to the context's `onError`, and the
// next save throws.
extension ManagedObject {
  /// Sets the destination of a to-one relationship; see ``setObject(_:forKey:)``.
  ///
  /// - Parameters:
  ///   - object: The destination; nil clears the relationship.
  ///   - key: The relationship.
  package func relate(_ object: ManagedObject?, forKey key: String) {
    refusing(key) { try setObject(object, forKey: key) }
  }

  /// Adds objects to a to-many relationship; see ``add(_:forKey:at:)``.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - key: The relationship.
  ///   - index: The index of the first in an ordered relationship; nil for the end.
  public func include(_ objects: [ManagedObject], forKey key: String, at index: Int? = nil) {
    refusing(key) { try addAll(objects, forKey: key, at: index) }
  }

  /// Removes objects from a to-many relationship; see ``remove(_:forKey:)``.
  public func exclude(_ objects: [ManagedObject], forKey key: String) {
    refusing(key) { try removeAll(objects, forKey: key) }
  }

  /// Replaces the destinations of a to-many relationship; an ordered one takes their order.
  package func replace(_ objects: [ManagedObject], forKey key: String) {
    let current = self.objects(forKey: key)
    refusing(key) {
      guard current != objects else { return }
      let isOrdered = entity.relationship(named: key)?.isOrdered ?? false
      let kept = isOrdered ? [] : Set(current).intersection(objects)
      try removeAll(current.filter { !kept.contains($0) }, forKey: key)
      try addAll(objects.filter { !kept.contains($0) }, forKey: key, at: nil)
    }
  }

  private func addAll(_ objects: [ManagedObject], forKey key: String, at index: Int?) throws {
    for (offset, object) in objects.enumerated() {
      try add(object, forKey: key, at: index.map { $0 + offset })
    }
  }

  private func removeAll(_ objects: [ManagedObject], forKey key: String) throws {
    for object in objects { try remove(object, forKey: key) }
  }
}
