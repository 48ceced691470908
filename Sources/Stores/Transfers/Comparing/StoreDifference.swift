import Foundation
package import ObjectModel

/// How the objects of two stores differ: which were added and removed, and which properties of the
/// others have changed.
///
/// Both are read in the same order, side by side: memory grows by eight bytes an object and store.
package struct StoreDifference {
  /// The value of a property in both stores.
  package struct PropertyChange: Hashable, Sendable {
    package let name: String
    package let old: Side
    package let new: Side
  }

  /// What a property is in one of the stores.
  package enum Side: Hashable, Sendable {
    /// A decoded value.
    case value(Value)
    /// Bytes or text that are not read whole, and how many bytes they have.
    case long(Int)
    /// The objects of a relationship.
    case objects([ObjectID])
  }

  /// A difference of one object.
  package enum Change: Sendable {
    /// It is only in the second store.
    case added(RowSnapshot)
    /// It is only in the first store.
    case removed(RowSnapshot)
    /// It is in both, with other properties: its ID in the second store.
    case changed(ObjectID, [PropertyChange])
  }

  private let first: any PersistentStore
  private let second: any PersistentStore
  /// The attributes by which an object is recognised, by entity; the others are by their keys.
  package let keys: [String: [String]]
  private let names: [String]

  /// Prepares to compare two stores.
  ///
  /// - Parameters:
  ///   - first: The store as it was.
  ///   - second: The store as it is.
  ///   - names: The entities to compare; nil for all that either store has.
  ///   - keys: The attributes by which an object is recognised, by entity. Objects of others are the
  ///     same if entity and key of their URIs are; in two stores that were created apart, whose keys
  ///     mean nothing, if they have the same values of a unique constraint.
  /// - Throws: ``TransferError`` if there is no such entity or attribute.
  package init(
    from first: any PersistentStore, to second: any PersistentStore,
    entities names: [String]? = nil,
    keys: [String: [String]] = [:]
  ) throws(TransferError) {
    (self.first, self.second) = (first, second)
    let all = (first.model.storedEntities + second.model.storedEntities).map(\.name)
    for name in (names ?? []) + keys.keys where !all.contains(name) {
      throw TransferError(
        .usage, name, "neither store has such an entity",
        try: NearestNames.suggestions(for: name, in: all).joined(separator: ", "))
    }
    for (entity, attributes) in keys {
      for store in [first, second] {
        guard let found = store.model.entity(named: entity) else { continue }
        for name in attributes where found.attribute(named: name) == nil {
          throw TransferError(
            .usage, "\(entity).\(name)", "there is no such attribute",
            try: NearestNames.suggestions(for: name, in: found.attributes.map(\.name))
              .joined(separator: ", "))
        }
      }
    }
    self.names = names ?? Array(Set(all)).sorted()
    let unique = Self.uniqueKeys(first, second, among: all)
    self.keys = keys.merging(unique) { own, _ in own }
  }

  /// The attributes of unique constraints that both of two stores have which were created apart.
  ///
  /// A table whose key is an attribute is known by it.
  private static func uniqueKeys(
    _ first: any PersistentStore, _ second: any PersistentStore, among names: [String]
  ) -> [String: [String]] {
    guard first.identifier != second.identifier else { return [:] }
    return names.reduce(into: [:]) { keys, name in
      guard let old = first.model.entity(named: name), let new = second.model.entity(named: name),
        old.keyAttributes.isEmpty, new.keyAttributes.isEmpty
      else { return }
      let others = second.model.constraints(of: name)
      keys[name] = first.model.constraints(of: name).first { constraint in
        others.contains(constraint)
          && constraint.allSatisfy {
            old.attribute(named: $0) != nil && new.attribute(named: $0) != nil
          }
      }
    }
  }

  /// Calls a closure with each difference, entity by entity.
  ///
  /// - Throws: `StoreError`, or what the closure throws.
  package func report(_ body: (String, Change) throws -> Void) throws {
    try first.inReadTransaction {
      try second.inReadTransaction {
        for name in names { try compare(name) { try body(name, $0) } }
      }
    }
  }

  private func compare(_ name: String, _ body: (Change) throws -> Void) throws {
    guard let old = first.model.storedEntity(name), let new = second.model.storedEntity(name) else {
      for (store, isFirst) in [(first, true), (second, false)] {
        guard let entity = store.model.storedEntity(name) else { continue }
        var stream = try ObjectStream(entity, of: store, order: [], links: [])
        while let element = try stream.next {
          try body(isFirst ? .removed(element.row) : .added(element.row))
          stream.advance()
        }
      }
      return
    }
    let pairing = EntityPairing(
      old, new, in: first.model, second.model,
      ObjectIdentities(of: first, keys), ObjectIdentities(of: second, keys))
    let order = (keys[name] ?? []).map { FetchSortDescriptor($0) }
    let identity = Identity(order, old, new)
    var left = try ObjectStream(old, of: first, order: order, links: pairing.oldLinks)
    var right = try ObjectStream(new, of: second, order: order, links: pairing.newLinks)
    while true {
      let (before, after) = (try left.next, try right.next)
      guard let before, let after else {
        if let before {
          try body(.removed(before.row))
          left.advance()
        } else if let after {
          try body(.added(after.row))
          right.advance()
        } else {
          return
        }
        continue
      }
      let order = identity.compare(before.row, after.row)
      if order < 0 {
        try body(.removed(before.row))
        left.advance()
      } else if order > 0 {
        try body(.added(after.row))
        right.advance()
      } else {
        let changes = try pairing.changes(from: before, to: after)
        if !changes.isEmpty { try body(.changed(after.row.id, changes)) }
        left.advance()
        right.advance()
      }
    }
  }

  /// Which of two objects comes first, and whether they are the same.
  private struct Identity {
    private let keys: [(descriptor: FetchSortDescriptor, old: Int, new: Int)]
    private let old: EntityDescription
    private let new: EntityDescription

    init(
      _ order: [FetchSortDescriptor], _ old: EntityDescription, _ new: EntityDescription
    ) {
      (self.old, self.new) = (old, new)
      keys = order.compactMap { descriptor in
        guard let first = old.attributeIndex(descriptor.keyPath),
          let second = new.attributeIndex(descriptor.keyPath)
        else { return nil }
        return (descriptor, first, second)
      }
    }

    func compare(_ before: RowSnapshot, _ after: RowSnapshot) -> Int {
      for (descriptor, first, second) in keys {
        let (left, right) = (old.attributes[first], new.attributes[second])
        let order = descriptor.compare(
          descriptor.sortValue(left.decode(before.values[first]), of: left),
          descriptor.sortValue(right.decode(after.values[second]), of: right))
        if order != 0 { return order }
      }
      // Objects are not equal by a value that both lack.
      let isKnown = keys.allSatisfy { !before.values.isNull(at: $0.old) }
      if !keys.isEmpty, isKnown { return 0 }
      return before.id.key < after.id.key ? -1 : after.id.key < before.id.key ? 1 : 0
    }
  }
}

extension ManagedObjectModel {
  /// The unique constraints of an entity, and of those that it inherits from.
  fileprivate func constraints(of name: String) -> [[String]] {
    line(of: name).compactMap(entity).flatMap(\.uniquenessConstraints)
  }

  fileprivate func storedEntity(_ name: String) -> EntityDescription? {
    storedEntities.first { $0.name == name }
  }
}
