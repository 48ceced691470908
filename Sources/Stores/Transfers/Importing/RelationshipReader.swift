import ObjectModel

/// Reads the objects of a relationship's column: by their URIs, or by the value of an attribute.
final class RelationshipReader {
  let relationship: RelationshipDescription
  /// The index of the column in the file.
  let column: Int
  /// Whether objects of the same file may be the objects.
  let leadsToItself: Bool
  /// The attribute by which objects are found; nil if the column has URIs.
  private let key: AttributeReader?
  private let lookup: (any ObjectLookup)?
  private let uris: ObjectURIs
  /// The entities of the objects.
  private let destinations: Set<String>
  private let columnName: String

  /// Makes the reader of a column; nil if it is no relationship.
  init?(
    _ column: Int, of mapping: ImportMapping, _ uris: ObjectURIs, _ bulk: any BulkTransaction,
    in model: ManagedObjectModel
  ) throws(StoreError) {
    guard case .relationship(let relationship, let key) = mapping.columns[column].target else {
      return nil
    }
    (self.relationship, self.key, self.column, self.uris) = (relationship, key, column, uris)
    columnName = mapping.columns[column].name
    destinations = Set(model.entityNames(inheritingFrom: relationship.destinationEntityName))
    leadsToItself = key != nil && destinations.contains(mapping.entity.name)
    lookup = try key.map { key throws(StoreError) in
      try bulk.lookup([key.attribute.name], of: relationship.destinationEntityName)
    }
  }

  /// Notes that a new object is in the store: later records may lead to it.
  func noteInserted(_ row: MadeRow, as id: ObjectID) throws(StoreError) {
    guard leadsToItself, let key, let value = row.change.values[key.attribute.name] else { return }
    try lookup?.add([value], for: id)
  }

  /// Whether a record has a field in the column.
  func isIn(_ record: ImportRecord) -> Bool {
    column < record.fields.count && record.fields[column].kind != .missing
  }

  /// The objects of a record's field, in order.
  ///
  /// - Throws: ``RecordProblem``, or `StoreError`.
  func objects(of record: ImportRecord, _ bytes: UnsafeBufferPointer<UInt8>) throws -> [ObjectID] {
    let field = record.fields[column]
    let own = UnsafeBufferPointer(rebasing: bytes[field.start..<field.end])
    do {
      if field.kind == .structure { return try list(Array(own)) }
      if field.kind == .null || field.isEmpty { return [] }
      guard key == nil, relationship.isToMany else { return [try object(own, field.kind)] }
      return try String(decoding: own, as: UTF8.self).split(separator: " ").map {
        try object(ofURI: String($0))
      }
    } catch var problem as RecordProblem {
      problem.column = columnName
      throw problem
    }
  }

  private func list(_ bytes: [UInt8]) throws -> [ObjectID] {
    var elements: [(bytes: [UInt8], kind: ImportRecord.Kind)] = []
    do throws(JSONParser.Failure) {
      try JSONParser.read(bytes, deepest: JSONParser.deepestImported) {
        parser throws(JSONParser.Failure) in
        try parser.readList { parser throws(JSONParser.Failure) in
          var element: [UInt8] = []
          let kind = try parser.readField(into: &element)
          elements.append((element, kind))
        }
      }
    } catch {
      throw RecordProblem(reason: "a list of objects is expected")
    }
    return try elements.map { element in
      try element.bytes.withUnsafeBufferPointer { try object($0, element.kind) }
    }
  }

  private func object(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ImportRecord.Kind
  ) throws -> ObjectID {
    let text = String(storedText: bytes)
    guard let key, let lookup else { return try object(ofURI: text) }
    let match: ObjectMatch
    switch key.read(bytes, kind) {
    case .field(let stored): match = try lookup.match(stored)
    case .value(let value): match = try lookup.match([value])
    case .problem(let reason): throw RecordProblem(reason: reason)
    }
    let destination = relationship.destinationEntityName
    switch match {
    case .one(let id): return id
    case .none:
      throw RecordProblem(
        reason: "no \(destination) has \(key.attribute.name) “\(text)”", mayBeLater: leadsToItself)
    case .several:
      throw RecordProblem(reason: "several \(destination) have \(key.attribute.name) “\(text)”")
    }
  }

  private func object(ofURI text: String) throws -> ObjectID {
    guard let id = try uris.id(text), destinations.contains(id.entityName) else {
      throw RecordProblem(
        reason: "“\(text)” is no URI of a \(relationship.destinationEntityName) of this store")
    }
    return id
  }
}
