import ObjectModel

/// Finds the objects that records are of: by their URIs, or by the values of key attributes.
final class RecordObjects {
  /// The attributes by which objects are found.
  let keyIndexes: [Int]
  private let mapping: ImportMapping
  private let entity: EntityDescription
  private let bulk: any BulkTransaction
  private let uris: ObjectURIs
  private let lookup: (any ObjectLookup)?
  /// The columns of the key attributes, with how they are read; nil if the file does not have one.
  private let keys: [(column: Int, reader: AttributeReader)]?
  /// The column with the URI of the object itself; nil if there is none, or it means nothing.
  private let uriColumn: Int?
  /// Whether the store has integers for keys that are values in the file.
  private let givesKeys: Bool
  private let inheriting: Set<String>

  /// - Throws: `StoreError` if the store cannot look for objects.
  init(
    _ mapping: ImportMapping, in store: any BulkStore, _ bulk: any BulkTransaction,
    _ uris: ObjectURIs
  ) throws(StoreError) {
    let entity = mapping.entity
    (self.mapping, self.entity, self.bulk, self.uris) = (mapping, entity, bulk, uris)
    let isKeyedByURI = mapping.keys == ["objectID"]
    let keyIndexes = isKeyedByURI ? [] : mapping.keys.compactMap(entity.attributeIndex)
    self.keyIndexes = keyIndexes
    lookup = keyIndexes.isEmpty ? nil : try bulk.lookup(mapping.keys, of: entity.name)
    let found = keyIndexes.compactMap { index -> (column: Int, reader: AttributeReader)? in
      for (column, own) in mapping.columns.enumerated() {
        if case .attribute(index, let reader) = own.target { return (column, reader) }
      }
      return nil
    }
    keys = found.count == keyIndexes.count ? found : nil
    uriColumn =
      isKeyedByURI || uris.keepsKeys
      ? mapping.columns.firstIndex { if case .objectID = $0.target { true } else { false } } : nil
    givesKeys = !entity.keyAttributes.isEmpty && !store.keeps(.composite([]), of: entity.name)
    inheriting = Set(store.model.entityNames(inheritingFrom: entity.name))
  }

  /// Whether a record may be of an object that is there already.
  var updates: Bool { mapping.keys == ["objectID"] || lookup != nil }

  /// Notes that a new object is in the store.
  func noteInserted(_ values: [Value], as id: ObjectID) throws(StoreError) {
    try lookup?.add(values, for: id)
  }

  /// The object of a record; nil if it is a new one.
  ///
  /// In a whole store it is the ID that the new object has.
  ///
  /// - Throws: ``RecordProblem`` if it is not clear, or does not exist; `StoreError`.
  func object(of record: ImportRecord, _ bytes: UnsafeBufferPointer<UInt8>) throws -> ObjectID? {
    if let uriColumn { return try object(ofURI: record.text(uriColumn), uriColumn) }
    guard let lookup, let keys else { return nil }
    var values: [Value] = []
    for (column, reader) in keys {
      guard column < record.fields.count, record.fields[column].kind != .missing else { return nil }
      let field = record.fields[column]
      let own = UnsafeBufferPointer(rebasing: bytes[field.start..<field.end])
      switch reader.read(own, field.kind) {
      case .field(let stored):
        if keys.count == 1 { return try object(lookup.match(stored)) }
        values.append(stored.value)
      case .value(let value): values.append(value)
      case .problem: return nil
      }
    }
    return try object(lookup.match(values))
  }

  private func object(_ match: ObjectMatch) throws -> ObjectID? {
    switch match {
    case .none: return nil
    case .one(let id): return id
    case .several:
      throw RecordProblem(
        reason: "several objects of \(entity.name) have its \(mapping.keys.joined(separator: ", "))"
      )
    }
  }

  private func object(ofURI text: String?, _ column: Int) throws -> ObjectID? {
    guard let text, !text.isEmpty else { return nil }
    let name = mapping.columns[column].name
    // A table with keys of its own gives a new one in place of values.
    if givesKeys, case .composite? = ObjectID(uriRepresentation: text)?.key { return nil }
    guard let id = try uris.id(text), inheriting.contains(id.entityName) else {
      throw RecordProblem(
        column: name, reason: "it is no URI of a \(entity.name) of this store")
    }
    if uris.keepsKeys {
      guard id.entityName == entity.name else {
        throw RecordProblem(column: name, reason: "it is of another entity")
      }
    } else if try bulk.rows(of: [id])[0] == nil {
      throw RecordProblem(column: name, reason: "\(id) does not exist")
    }
    return id
  }
}
