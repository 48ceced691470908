import ObjectModel

/// Reads the columns of many objects, a batch of snapshots at a time, so that memory does not grow with their number.
struct RowReader {
  private let store: any PersistentStore
  private let columns: [OutputColumn]
  private let readsWholeValues: Bool
  /// Where the columns are in the snapshots of an entity: inheriting entities have their own places.
  private var layouts: [String: [Place]] = [:]

  private enum Place {
    case value(Int), toOne(Int), toMany, objectID, missing
  }

  static let batchSize = 1000

  /// Makes a reader; `readsWholeValues` asks for long values whole, not as far as snapshots hold them.
  init(store: any PersistentStore, columns: [OutputColumn], readsWholeValues: Bool) {
    self.store = store
    self.columns = columns
    self.readsWholeValues = readsWholeValues
  }

  /// Calls a closure with the fields of each object in order.
  ///
  /// Objects that are gone by now are left out.
  mutating func forEachRow(of ids: ObjectIDList, _ body: ([OutputField]) throws -> Void) throws {
    for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
      let batch = Array(ids[start..<min(start + Self.batchSize, ids.count)])
      let snapshots = try store.snapshots(of: batch)
      let links = try destinations(from: batch)
      var fields: [OutputField] = []
      for id in batch {
        guard let snapshot = snapshots[id] else { continue }
        fields.removeAll(keepingCapacity: true)
        for (index, place) in layout(of: snapshot.id.entityName).enumerated() {
          fields.append(try field(index, at: place, of: snapshot, links: links))
        }
        try body(fields)
      }
    }
  }

  private func field(
    _ index: Int, at place: Place, of snapshot: RowSnapshot, links: [Int: [ObjectID: [ObjectID]]]
  ) throws -> OutputField {
    switch place {
    case .value(let place) where place < snapshot.values.count:
      guard readsWholeValues, snapshot.cutLengths[place] != nil else {
        return .value(snapshot.values[place])
      }
      return .value(try store.value(of: columns[index].name, for: snapshot.id))
    case .toOne(let place) where place < snapshot.toOne.count: return .object(snapshot.toOne[place])
    case .toMany: return .objects(links[index]?[snapshot.id] ?? [])
    case .objectID: return .object(snapshot.id)
    case .value, .toOne, .missing: return .value(.null)
    }
  }

  private mutating func layout(of entityName: String) -> [Place] {
    if let known = layouts[entityName] { return known }
    let entity = store.model.entity(named: entityName)
    let places = columns.map { column -> Place in
      switch column.kind {
      case .attribute: entity?.attributeIndex(column.name).map(Place.value) ?? .missing
      case .toOne: entity?.toOneIndex(column.name).map(Place.toOne) ?? .missing
      case .toMany: entity?.relationship(named: column.name) == nil ? .missing : .toMany
      case .objectID: .objectID
      }
    }
    layouts[entityName] = places
    return places
  }

  /// Where the to-many columns lead from a batch, by column; one query for each entity in it.
  private func destinations(from batch: [ObjectID]) throws -> [Int: [ObjectID: [ObjectID]]] {
    var links: [Int: [ObjectID: [ObjectID]]] = [:]
    for (index, column) in columns.enumerated() {
      guard case .toMany = column.kind else { continue }
      for ids in Dictionary(grouping: batch, by: \.entityName).values {
        links[index, default: [:]].merge(
          try store.destinations(of: column.name, from: ids), uniquingKeysWith: { $1 })
      }
    }
    return links
  }
}
