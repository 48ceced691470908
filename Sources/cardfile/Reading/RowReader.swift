import ObjectModel

/// Reads the columns of many objects, a batch of snapshots at a time, so that memory does not grow with their number.
struct RowReader {
  private let store: any PersistentStore
  private let columns: RowColumns
  private let form: ValueForm
  /// The shapes of rows by entity: inheriting entities have their own columns and places.
  private var shapes: [String: Shape] = [:]

  /// The columns of an entity's rows, and where they are in its snapshots.
  private struct Shape {
    let columns: [OutputColumn]
    let places: [Place]
  }

  private enum Place {
    case value(Int, AttributeDescription), toOne(Int), toMany, objectID, entityName, missing
  }

  static let batchSize = 1000

  /// Makes a reader.
  init(store: any PersistentStore, columns: RowColumns, form: ValueForm) {
    self.store = store
    self.columns = columns
    self.form = form
  }

  /// Calls a closure with each object in order.
  ///
  /// Objects that are gone by now are left out.
  mutating func forEachRow(of ids: ObjectIDList, _ body: (OutputRow) throws -> Void) throws {
    for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
      let batch = Array(ids[start..<min(start + Self.batchSize, ids.count)])
      let snapshots = try store.snapshots(of: batch)
      let links = try destinations(from: batch)
      // One row for all, so that its fields need no new memory each time.
      var row = OutputRow()
      for id in batch {
        guard let snapshot = snapshots[id] else { continue }
        let shape = shape(of: snapshot.id.entityName)
        row.entityName = snapshot.id.entityName
        row.columns = shape.columns
        row.fields.removeAll(keepingCapacity: true)
        for (index, place) in shape.places.enumerated() {
          row.fields.append(try field(index, at: place, of: snapshot, links: links))
        }
        try body(row)
      }
    }
  }

  private func field(
    _ index: Int, at place: Place, of snapshot: RowSnapshot, links: [Int: [ObjectID: [ObjectID]]]
  ) throws -> OutputField {
    switch place {
    case .value(let place, let attribute) where place < snapshot.values.count:
      guard form.isWhole, snapshot.cutLengths[place] != nil else {
        return form.field(snapshot.values[place], of: attribute)
      }
      return form.field(try store.value(of: attribute.name, for: snapshot.id), of: attribute)
    case .toOne(let place) where place < snapshot.toOne.count: return .object(snapshot.toOne[place])
    case .toMany: return .objects(links[index]?[snapshot.id] ?? [])
    case .objectID: return .object(snapshot.id)
    case .entityName: return .value(.string(snapshot.id.entityName))
    case .value, .toOne, .missing: return .value(.null)
    }
  }

  private mutating func shape(of entityName: String) -> Shape {
    if let known = shapes[entityName] { return known }
    let entity = store.model.entity(named: entityName)
    let columns = entity.map(self.columns.columns) ?? []
    let places = columns.map { column -> Place in
      switch column.kind {
      case .attribute(let attribute):
        entity?.attributeIndex(column.name).map { .value($0, attribute) } ?? .missing
      case .toOne: entity?.toOneIndex(column.name).map(Place.toOne) ?? .missing
      case .toMany: entity?.relationship(named: column.name) == nil ? .missing : .toMany
      case .objectID: .objectID
      case .entityName: .entityName
      }
    }
    let shape = Shape(columns: columns, places: places)
    shapes[entityName] = shape
    return shape
  }

  /// Where the to-many columns lead from a batch, by column; one query for each entity in it.
  private mutating func destinations(from batch: [ObjectID]) throws
    -> [Int: [ObjectID: [ObjectID]]]
  {
    var links: [Int: [ObjectID: [ObjectID]]] = [:]
    for (entityName, ids) in Dictionary(grouping: batch, by: \.entityName) {
      let shape = shape(of: entityName)
      for (index, place) in shape.places.enumerated() {
        guard case .toMany = place else { continue }
        links[index, default: [:]].merge(
          try store.destinations(of: shape.columns[index].name, from: ids),
          uniquingKeysWith: { $1 })
      }
    }
    return links
  }
}
