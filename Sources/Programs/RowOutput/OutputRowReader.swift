package import ObjectModel

/// Reads the columns of many objects, a batch of snapshots at a time.
///
/// Memory does not grow with the number of objects.
package struct OutputRowReader {
  let store: any PersistentStore
  private let columns: RowColumns
  let form: ValueForm
  /// The shapes of rows by entity: sub-entities have columns of their own.
  private var shapes: [String: Shape] = [:]

  /// The columns of an entity's rows, and their indexes in its snapshots.
  private struct Shape {
    let columns: [OutputColumn]
    let sources: [Source]
  }

  private enum Source {
    case value(Int, AttributeDescription)
    case toOne(Int, RelationshipDescription)
    case toMany, objectID, entityName, missing
  }

  package static let batchSize = 1000

  /// Makes a reader.
  package init(_ store: any PersistentStore, columns: RowColumns, form: ValueForm) {
    self.store = store
    self.columns = columns
    self.form = form
  }

  /// Calls a closure with each object in order.
  package mutating func forEachRow(of ids: ObjectIDList, _ body: (OutputRow) throws -> Void) throws
  {
    for batch in ids.chunks(of: Self.batchSize).lazy.map(Array.init) {
      let snapshots = try store.snapshots(of: batch)
      let links = try destinations(from: batch)
      // One row for all, so that its fields need no new memory each time.
      var row = OutputRow()
      for id in batch {
        guard let snapshot = snapshots[id] else { continue }
        let shape = shape(of: snapshot.id.entityName)
        row.id = id
        row.entityName = snapshot.id.entityName
        row.columns = shape.columns
        row.fields.removeAll(keepingCapacity: true)
        for (index, source) in shape.sources.enumerated() {
          row.fields.append(try field(index, from: source, of: snapshot, links: links))
        }
        try body(row)
      }
    }
  }

  private func field(
    _ index: Int, from source: Source, of snapshot: RowSnapshot,
    links: [Int: [ObjectID: [ObjectID]]]
  ) throws -> OutputField {
    switch source {
    case .value(let index, let attribute) where index < snapshot.values.count:
      let value = snapshot.values[index]
      guard let length = snapshot.cutLengths[index] else { return form.field(value, of: attribute) }
      if !form.isWhole {
        guard case .data = value else { return form.field(value, of: attribute) }
        return .value(.string(Value.description(ofBytes: length)))
      }
      return form.field(try store.value(of: attribute.name, for: snapshot.id), of: attribute)
    case .toOne(let index, let relationship) where index < snapshot.toOne.count:
      if let id = snapshot.toOne[index] { return .object(id) }
      return dangling(relationship, of: snapshot).map(OutputField.dangling) ?? .object(nil)
    case .toMany: return .objects(links[index]?[snapshot.id] ?? [])
    case .objectID: return .object(snapshot.id)
    case .entityName: return .value(.string(snapshot.id.entityName))
    case .value, .toOne, .missing: return .value(.null)
    }
  }

  /// What the foreign key of a relationship refers to, which leads to no object.
  private func dangling(_ relationship: RelationshipDescription, of row: RowSnapshot) -> ObjectID? {
    guard !relationship.foreignKeyAttributes.isEmpty,
      let entity = store.model.entity(named: row.id.entityName)
    else { return nil }
    return relationship.danglingID(from: entity, storeIdentifier: row.id.storeIdentifier) {
      $0 < row.values.count ? row.values[$0] : .null
    }
  }

  private mutating func shape(of entityName: String) -> Shape {
    if let known = shapes[entityName] { return known }
    let entity = store.model.entity(named: entityName)
    let columns = entity.map(self.columns.columns) ?? []
    let sources = columns.map { column -> Source in
      switch column.kind {
      case .attribute(let attribute):
        entity?.attributeIndex(column.name).map { .value($0, attribute) } ?? .missing
      case .toOne:
        entity?.toOneIndex(column.name).flatMap { index in
          entity.map { .toOne(index, $0.toOneRelationships[index]) }
        } ?? .missing
      case .toMany: entity?.relationship(named: column.name) == nil ? .missing : .toMany
      case .objectID: .objectID
      case .entityName: .entityName
      }
    }
    let shape = Shape(columns: columns, sources: sources)
    shapes[entityName] = shape
    return shape
  }

  /// Columns that are all attributes of an entity.
  struct Fields {
    let columns: [OutputColumn]
    /// The indexes of the attributes.
    let indexes: [Int]
    let sources: [FieldSource]
  }

  /// The columns of an entity's rows as fields; nil if one is no attribute, or has values in files.
  mutating func fields(of entityName: String) -> Fields? {
    guard form.isWhole else { return nil }
    let shape = shape(of: entityName)
    var indexes: [Int] = []
    var sources: [FieldSource] = []
    for source in shape.sources {
      guard case .value(let index, let attribute) = source, attribute.encoding != .externalData
      else { return nil }
      indexes.append(index)
      sources.append(form.keeps(attribute) ? .stored : .formed(attribute))
    }
    return Fields(columns: shape.columns, indexes: indexes, sources: sources)
  }

  /// The destinations of the to-many columns of a batch by column, with one query for each entity.
  private mutating func destinations(from batch: [ObjectID]) throws
    -> [Int: [ObjectID: [ObjectID]]]
  {
    var links: [Int: [ObjectID: [ObjectID]]] = [:]
    for (entityName, ids) in Dictionary(grouping: batch, by: \.entityName) {
      let shape = shape(of: entityName)
      for (index, source) in shape.sources.enumerated() {
        guard case .toMany = source else { continue }
        links[index, default: [:]].merge(
          try store.destinations(of: shape.columns[index].name, from: ids),
          uniquingKeysWith: { $1 })
      }
    }
    return links
  }
}
