import ObjectModel

// Setters of typed properties cannot throw: what keeps a change from being made is told to the context's `onError`.
extension ManagedObject {
  /// Makes a to-one relationship lead to an object; see ``setObject(_:forKey:)``.
  ///
  /// - Parameters:
  ///   - object: The object; nil for none.
  ///   - key: The relationship.
  public func relate(_ object: ManagedObject?, forKey key: String) {
    telling { try setObject(object, forKey: key) }
  }

  /// Puts objects into a to-many relationship; see ``add(_:forKey:at:)``.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - key: The relationship.
  ///   - place: The place of the first in an ordered relationship; nil for the end.
  public func include(_ objects: [ManagedObject], forKey key: String, at place: Int? = nil) {
    telling {
      for (offset, object) in objects.enumerated() {
        try add(object, forKey: key, at: place.map { $0 + offset })
      }
    }
  }

  /// Takes objects out of a to-many relationship; see ``remove(_:forKey:)``.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - key: The relationship.
  public func exclude(_ objects: [ManagedObject], forKey key: String) {
    telling { for object in objects { try remove(object, forKey: key) } }
  }

  /// Makes a to-many relationship lead to objects and no others, in their order where it has one.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - key: The relationship.
  public func replace(_ objects: [ManagedObject], forKey key: String) {
    let current = self.objects(forKey: key)
    guard current != objects else { return }
    let isOrdered = entity.relationship(named: key)?.isOrdered ?? false
    let kept = isOrdered ? [] : Set(current).intersection(objects)
    exclude(current.filter { !kept.contains($0) }, forKey: key)
    include(objects.filter { !kept.contains($0) }, forKey: key)
  }

  private func telling(_ body: () throws -> Void) {
    do { try body() } catch { managedObjectContext?.report(error) }
  }
}
