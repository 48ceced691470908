import ObjectModel

/// The objects of an entity of a store one after the other, with what their to-many relationships
/// lead to; some hundred are read at a time.
struct ObjectStream {
  /// An object as it is compared.
  struct Element {
    let row: RowSnapshot
    /// The destinations of the relationships that are compared.
    let links: [[ObjectID]]
  }

  let entity: EntityDescription
  private let store: any PersistentStore
  private let ids: ObjectIDList
  private let links: [RelationshipDescription]
  private var batch: ArraySlice<Element> = []
  private var position = 0

  private static let batchSize = 500

  /// Starts with the first object.
  ///
  /// - Parameters:
  ///   - entity: The entity, without those that inherit from it; nil reads nothing.
  ///   - store: The store.
  ///   - order: The order; empty for that of the keys.
  ///   - links: The to-many relationships that are compared.
  /// - Throws: `StoreError`.
  init(
    _ entity: EntityDescription, of store: any PersistentStore, order: [FetchSortDescriptor],
    links: [RelationshipDescription]
  ) throws(StoreError) {
    (self.entity, self.store, self.links) = (entity, store, links)
    ids = try store.fetch(
      FetchPlan(
        entityName: entity.name, includesSubentities: false, sortDescriptors: order), control: nil
    ).ids
  }

  /// The next object; nil at the end.
  var next: Element? {
    mutating get throws(StoreError) {
      while batch.isEmpty {
        guard position < ids.count else { return nil }
        try FetchControl.check(doing: "comparing \(entity.name)")
        let end = min(position + Self.batchSize, ids.count)
        let part = (position..<end).map { ids[$0] }
        position = end
        var destinations: [[ObjectID: [ObjectID]]] = []
        for link in links {
          destinations.append(try store.destinations(of: link.name, from: part))
        }
        batch = try store.rows(of: part).compactMap { row in
          row.map { row in Element(row: row, links: destinations.map { $0[row.id] ?? [] }) }
        }[...]
      }
      return batch.first
    }
  }

  /// Goes to the object after it.
  mutating func advance() { batch.removeFirst() }
}
