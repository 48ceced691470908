import Foundation
import ObjectModel

/// What a record is to be in the store.
struct MadeRow {
  var change: RowChange
  /// The objects of to-many relationships.
  var toMany: [(relationship: RelationshipDescription, ids: [ObjectID])] = []
  /// The object that is updated; nil for a new one.
  var existing: ObjectID?
  /// The stored values by which it is found.
  var keyValues: [Value] = []
}

/// Why a record makes no row.
struct RecordProblem: Error {
  var column = ""
  let reason: String
  /// Whether the file may have the object later that is not there yet.
  var mayBeLater = false
}

/// Makes rows of records: values, defaults, rules, and the objects that relationships lead to.
final class RowMaker {
  let mapping: ImportMapping
  private let entity: EntityDescription
  private let objects: RecordObjects
  private let rules: EntityRules
  private let names: [String]
  private let scope: ObjectIDScope
  /// The column of each attribute; nil if the file does not have it.
  private let sources: [Int?]
  private let readers: [AttributeReader?]
  /// The stored defaults by attribute.
  private let defaults: [Value]
  private let unset: Set<Int>
  private var lastKey: UInt64 = 0
  private let relationships: [RelationshipReader]
  /// Whether objects keep the keys that they have in the file, and may lead to some that come later.
  let keepsKeys: Bool

  /// - Parameters:
  ///   - mapping: The properties of the columns.
  ///   - store: The store.
  ///   - bulk: The transaction in which objects are found.
  ///   - uris: The objects of the file; nil for a file that has only those of the store.
  /// - Throws: `StoreError` if the store cannot look for objects.
  init(
    _ mapping: ImportMapping, into store: any BulkStore, _ bulk: any BulkTransaction,
    _ uris: ObjectURIs? = nil
  ) throws {
    let uris = uris ?? ObjectURIs(of: store)
    let entity = mapping.entity
    (self.mapping, self.entity, keepsKeys) = (mapping, entity, uris.keepsKeys)
    rules = EntityRules(entity)
    names = entity.attributes.map(\.name)
    scope = .of(storeIdentifier: "", entityName: entity.name)
    var sources = [Int?](repeating: nil, count: entity.attributes.count)
    var readers = [AttributeReader?](repeating: nil, count: entity.attributes.count)
    for (column, found) in mapping.columns.enumerated() {
      guard case .attribute(let index, let reader) = found.target else { continue }
      (sources[index], readers[index]) = (column, reader)
    }
    (self.sources, self.readers) = (sources, readers)
    relationships = try mapping.columns.indices.compactMap {
      try RelationshipReader($0, of: mapping, uris, bulk, in: store.model)
    }
    defaults = try entity.attributes.map {
      $0.defaultValue.isNull ? .null : try $0.encode($0.defaultValue)
    }
    let keys = Set(entity.keyAttributes.compactMap(entity.attributeIndex))
    unset = Set(
      entity.attributes.indices.filter { index in
        let attribute = entity.attributes[index]
        return sources[index] == nil
          && (attribute.details.defaultExpression != nil && attribute.defaultValue.isNull
            || keys.contains(index) || attribute.isReadOnly)
      })
    objects = try RecordObjects(mapping, in: store, bulk, uris)
  }

  /// Whether a row may be of an object that is there already.
  var updates: Bool { objects.updates }

  /// Whether records may lead to objects of the same file.
  var leadsToItself: Bool { relationships.contains(where: \.leadsToItself) }

  /// The relationships that the file has.
  var mappedRelationships: [RelationshipDescription] { relationships.map(\.relationship) }

  /// The attributes that the file has.
  private(set) lazy var mappedAttributes = sources.indices.filter { sources[$0] != nil }

  /// Notes that a new object is in the store.
  func noteInserted(_ row: MadeRow, as id: ObjectID) throws(StoreError) {
    try objects.noteInserted(row.keyValues, as: id)
    for reader in relationships { try reader.noteInserted(row, as: id) }
  }

  /// Makes the row of a record.
  ///
  /// - Throws: ``RecordProblem``, or `StoreError`.
  func row(of record: ImportRecord) throws -> MadeRow {
    if let defect = record.defect { throw RecordProblem(reason: defect) }
    return try record.bytes.withUnsafeBufferPointer { try row(of: record, $0) }
  }

  private func row(of record: ImportRecord, _ bytes: UnsafeBufferPointer<UInt8>) throws -> MadeRow {
    lastKey += 1
    var row = MadeRow(change: RowChange(id: ObjectID(scope, key: .temporary(lastKey))))
    try find(&row, record, bytes)
    var foreign: [Int: Value] = [:]
    for reader in relationships { try follow(reader, record, bytes, &row, &foreign) }
    var packer = RowPacker(count: entity.attributes.count)
    var unset = unset
    for index in entity.attributes.indices {
      if let value = foreign[index] {
        value.withStoredField { packer.append($0) }
        unset.remove(index)
        continue
      }
      guard let column = sources[index], column < record.fields.count,
        record.fields[column].kind != .missing, let reader = readers[index]
      else {
        // An update leaves alone what its record does not have.
        append(defaults[index], to: &packer)
        if sources[index] != nil, row.existing != nil || isLeftToStore(index) {
          unset.insert(index)
        }
        if row.existing == nil { try checkRequired(index, isNull: defaults[index].isNull, unset) }
        continue
      }
      let field = record.fields[column]
      switch reader.read(UnsafeBufferPointer(rebasing: bytes[field.start..<field.end]), field.kind)
      {
      case .field(let stored):
        if case .null = stored {
          try appendNull(index, column, field.kind, to: &packer, &unset)
        } else {
          try check(stored, at: index, column)
          packer.append(stored)
        }
      case .value(let value):
        if value.isNull {
          try appendNull(index, column, field.kind, to: &packer, &unset)
        } else {
          try value.withStoredField { stored in
            try check(stored, at: index, column)
            packer.append(stored)
          }
        }
      case .problem(let reason):
        throw RecordProblem(column: mapping.columns[column].name, reason: reason)
      }
    }
    let values = packer.finish()
    row.keyValues = objects.keyIndexes.map { values[$0] }
    row.change.values = ChangedValues(row: values, names: names, unset: unset)
    if row.existing == nil, !keepsKeys { try checkRelationships(row) }
    return row
  }

  /// Whether the store gives the value of an attribute that has none.
  private func isLeftToStore(_ index: Int) -> Bool {
    let attribute = entity.attributes[index]
    return attribute.details.defaultExpression != nil && attribute.defaultValue.isNull
      || entity.keyAttributes == [attribute.name]
  }

  private func append(_ value: Value, to packer: inout RowPacker) {
    if value.withStoredField({ packer.append($0) }) == nil { packer.append(.null) }
  }

  /// Adds no value: the default, where there must be one.
  private func appendNull(
    _ index: Int, _ column: Int, _ kind: ImportRecord.Kind, to packer: inout RowPacker,
    _ unset: inout Set<Int>
  ) throws(RecordProblem) {
    let attribute = entity.attributes[index]
    // A whole store is as it was, whatever the rules say now.
    if keepsKeys { return packer.append(.null) }
    if isLeftToStore(index), !attribute.isOptional || entity.keyAttributes == [attribute.name] {
      packer.append(.null)
      unset.insert(index)
    } else if attribute.isOptional || defaults[index].isNull {
      if !attribute.isOptional {
        throw RecordProblem(
          column: mapping.columns[column].name, reason: "\(attribute.name) is required")
      }
      packer.append(.null)
    } else {
      append(defaults[index], to: &packer)
    }
  }

  private func checkRequired(_ index: Int, isNull: Bool, _ unset: Set<Int>) throws(RecordProblem) {
    let attribute = entity.attributes[index]
    guard isNull, !attribute.isOptional, !attribute.isReadOnly, !unset.contains(index),
      !isLeftToStore(index)
    else { return }
    throw RecordProblem(reason: "\(attribute.name) is required")
  }

  private func check(_ stored: StoredField, at index: Int, _ column: Int) throws(RecordProblem) {
    guard rules.byAttribute[index] != nil, !keepsKeys else { return }
    var problem: RecordProblem?
    rules.check(entity.attributes[index].decode(stored.value), at: index) { words, _ in
      problem = RecordProblem(
        column: mapping.columns[column].name, reason: "\(names[index]) \(words)")
    }
    if let problem { throw problem }
  }

  private func checkRelationships(_ row: MadeRow) throws(RecordProblem) {
    for relationship in entity.relationships {
      if relationship.isToMany {
        let details = relationship.details
        let count = row.toMany.first { $0.relationship.name == relationship.name }?.ids.count ?? 0
        if count < details.minCount {
          throw RecordProblem(
            reason: "\(relationship.name) needs at least \(details.minCount) and has \(count)")
        }
        if details.maxCount > 1, count > details.maxCount {
          throw RecordProblem(
            reason: "\(relationship.name) may have at most \(details.maxCount) and has \(count)")
        }
      } else if !relationship.isOptional, relationship.foreignKeyAttributes.isEmpty,
        (row.change.toOne[relationship.name] ?? nil) == nil
      {
        throw RecordProblem(reason: "\(relationship.name) is required")
      }
    }
  }

  // MARK: Objects

  /// Finds the object that is updated, or the key that a new one has.
  private func find(
    _ row: inout MadeRow, _ record: ImportRecord, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws {
    guard let id = try objects.object(of: record, bytes) else { return }
    if keepsKeys { row.change.id = id } else { row.existing = id }
  }

  /// Gives a row the objects that a column leads to.
  private func follow(
    _ reader: RelationshipReader, _ record: ImportRecord, _ bytes: UnsafeBufferPointer<UInt8>,
    _ row: inout MadeRow, _ foreign: inout [Int: Value]
  ) throws {
    let relationship = reader.relationship
    // Links of a whole store follow when all objects are there.
    guard reader.isIn(record), !(keepsKeys && relationship.isToMany) else { return }
    let ids = try reader.objects(of: record, bytes)
    if relationship.isToMany {
      row.toMany.append((relationship, ids))
      return
    }
    guard ids.count <= 1 else {
      throw RecordProblem(
        column: mapping.columns[reader.column].name, reason: "it leads to one object only")
    }
    // In a plain table the key of the other object is an attribute.
    let attributes = relationship.foreignKeyAttributes.compactMap(entity.attributeIndex)
    guard !attributes.isEmpty else {
      row.change.toOne[relationship.name] = .some(ids.first)
      return
    }
    // The file of a whole store has the attribute itself.
    if keepsKeys { return }
    let values = ids.first?.keyValues ?? attributes.map { _ in .null }
    for (index, value) in zip(attributes, values) { foreign[index] = value }
  }

  /// The links of a record's to-many relationships, of a whole store.
  func links(of record: ImportRecord) throws -> [ObjectLink] {
    guard record.defect == nil else { return [] }
    var row = MadeRow(change: RowChange(id: ObjectID(scope, key: .temporary(0))))
    return try record.bytes.withUnsafeBufferPointer { bytes in
      var links: [ObjectLink] = []
      for reader in relationships
      where reader.relationship.isToMany && reader.isIn(record)
        && record.fields[reader.column].kind == .structure
      {
        if row.change.id.isTemporary { try find(&row, record, bytes) }
        links += try reader.objects(of: record, bytes).map {
          ObjectLink(reader.relationship.name, from: row.change.id, to: $0)
        }
      }
      return links
    }
  }
}
