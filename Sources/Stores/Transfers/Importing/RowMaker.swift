import Foundation
import ObjectModel

/// Why a record is not imported.
package struct Rejection: Sendable {
  /// The record's first line.
  package let line: Int
  /// The name of the column; empty for the whole record.
  package let column: String
  package let reason: String
  /// The record as it was read.
  package let record: ImportRecord
}

extension Rejection {
  /// The rejection in one line: `line 7, born: …`.
  package var phrase: String {
    "line \(line)\(column.isEmpty ? "" : ", \(column)"): \(reason)"
  }
}

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

/// Makes rows of records: values, defaults, rules, and the objects that relationships lead to.
final class RowMaker {
  /// Why a record makes no row.
  struct Problem: Error {
    var column = ""
    let reason: String
    /// Whether the file may have the object later that is not there yet.
    var mayBeLater = false
  }

  let mapping: ImportMapping
  private let entity: EntityDescription
  private let bulk: any BulkTransaction
  private let storeIdentifier: String
  private let rules: EntityRules
  private let names: [String]
  private let scope: ObjectIDScope
  /// The column of each attribute; nil if the file does not have it.
  private let sources: [Int?]
  private let readers: [AttributeReader?]
  /// The stored defaults by attribute.
  private let defaults: [Value]
  private let unset: Set<Int>
  private let keyIndexes: [Int]
  private let isKeyedByID: Bool
  private var lastKey: UInt64 = 0
  private var lookups: [Int: any ObjectLookup] = [:]
  private let ownLookup: (any ObjectLookup)?
  /// The columns that are relationships.
  private let relationships: [Int]
  /// Whether objects keep the IDs that they have in the file, and may lead to some that come later.
  let keepsIDs: Bool
  private let hasIntegerKeys: Bool
  private let inheriting: Set<String>
  private let model: ManagedObjectModel

  init(
    _ mapping: ImportMapping, into store: any BulkStore, _ bulk: any BulkTransaction, keepsIDs: Bool
  ) throws {
    self.mapping = mapping
    self.bulk = bulk
    self.keepsIDs = keepsIDs
    hasIntegerKeys = store.hasIntegerKeys(mapping.entity.name)
    let entity = mapping.entity
    (self.entity, model) = (entity, store.model)
    storeIdentifier = store.identifier
    rules = EntityRules(entity)
    names = entity.attributes.map(\.name)
    scope = .of(storeIdentifier: "", entityName: entity.name)
    inheriting = Set(store.model.entityNames(inheritingFrom: entity.name))
    var sources = [Int?](repeating: nil, count: entity.attributes.count)
    var readers = [AttributeReader?](repeating: nil, count: entity.attributes.count)
    for (column, found) in mapping.columns.enumerated() {
      guard case .attribute(let index, let reader) = found.target else { continue }
      (sources[index], readers[index]) = (column, reader)
    }
    (self.sources, self.readers) = (sources, readers)
    relationships = mapping.columns.indices.filter {
      if case .relationship = mapping.columns[$0].target { true } else { false }
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
    isKeyedByID = mapping.keys == ["objectID"]
    keyIndexes = isKeyedByID ? [] : mapping.keys.compactMap(entity.attributeIndex)
    ownLookup = keyIndexes.isEmpty ? nil : try bulk.lookup(mapping.keys, of: entity.name)
    for column in relationships {
      guard case .relationship(let relationship, let key?) = mapping.columns[column].target else {
        continue
      }
      lookups[column] = try bulk.lookup(
        [key.attribute.name], of: relationship.destinationEntityName)
    }
  }

  /// Whether a row may be of an object that is there already.
  var updates: Bool { isKeyedByID || ownLookup != nil }

  /// Whether records may lead to objects of the same file.
  private(set) lazy var leadsToItself = lookups.keys.contains { column in
    guard case .relationship(let relationship, _) = mapping.columns[column].target else {
      return false
    }
    return model.entityNames(inheritingFrom: relationship.destinationEntityName)
      .contains(entity.name)
  }

  /// The attributes that the file has.
  private(set) lazy var mappedAttributes = sources.indices.filter { sources[$0] != nil }

  /// Notes that a new object is in the store.
  func noteInserted(_ row: MadeRow, as id: ObjectID) throws(StoreError) {
    if let ownLookup { try ownLookup.add(row.keyValues, for: id) }
    for (column, lookup) in lookups {
      // Later records may lead to it.
      guard case .relationship(let relationship, let key?) = mapping.columns[column].target,
        leadsToItself,
        model.entityNames(inheritingFrom: relationship.destinationEntityName)
          .contains(entity.name),
        let value = row.change.values[key.attribute.name]
      else { continue }
      try lookup.add([value], for: id)
    }
  }

  /// Makes the row of a record.
  ///
  /// - Throws: ``Problem``, or `StoreError`.
  func row(of record: ImportRecord) throws -> MadeRow {
    if let defect = record.defect { throw Problem(reason: defect) }
    return try record.bytes.withUnsafeBufferPointer { try row(of: record, $0) }
  }

  private func row(of record: ImportRecord, _ bytes: UnsafeBufferPointer<UInt8>) throws -> MadeRow {
    lastKey += 1
    var row = MadeRow(change: RowChange(id: ObjectID(scope, key: .temporary(lastKey))))
    try findExisting(&row, record, bytes)
    var foreign: [Int: Value] = [:]
    for column in relationships {
      try follow(column, record, bytes, &row, &foreign)
    }
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
        throw Problem(column: mapping.columns[column].name, reason: reason)
      }
    }
    let values = packer.finish()
    row.keyValues = keyIndexes.map { values[$0] }
    row.change.values = ChangedValues(row: values, names: names, unset: unset)
    if row.existing == nil, !keepsIDs { try checkRelationships(row) }
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
  ) throws(Problem) {
    let attribute = entity.attributes[index]
    // A whole store is as it was, whatever the rules say now.
    if keepsIDs { return packer.append(.null) }
    if isLeftToStore(index), !attribute.isOptional || entity.keyAttributes == [attribute.name] {
      packer.append(.null)
      unset.insert(index)
    } else if attribute.isOptional || defaults[index].isNull {
      if !attribute.isOptional {
        throw Problem(column: mapping.columns[column].name, reason: "\(attribute.name) is required")
      }
      packer.append(.null)
    } else {
      append(defaults[index], to: &packer)
    }
  }

  private func checkRequired(_ index: Int, isNull: Bool, _ unset: Set<Int>) throws(Problem) {
    let attribute = entity.attributes[index]
    guard isNull, !attribute.isOptional, !attribute.isReadOnly, !unset.contains(index),
      !isLeftToStore(index)
    else { return }
    throw Problem(reason: "\(attribute.name) is required")
  }

  private func check(_ stored: StoredField, at index: Int, _ column: Int) throws(Problem) {
    guard rules.byAttribute[index] != nil, !keepsIDs else { return }
    var problem: Problem?
    rules.check(entity.attributes[index].decode(stored.value), at: index) { words, _ in
      problem = Problem(
        column: mapping.columns[column].name, reason: "\(names[index]) \(words)")
    }
    if let problem { throw problem }
  }

  private func checkRelationships(_ row: MadeRow) throws(Problem) {
    for relationship in entity.relationships {
      if relationship.isToMany {
        let details = relationship.details
        let count = row.toMany.first { $0.relationship.name == relationship.name }?.ids.count ?? 0
        if count < details.minCount {
          throw Problem(
            reason: "\(relationship.name) needs at least \(details.minCount) and has \(count)")
        }
        if details.maxCount > 1, count > details.maxCount {
          throw Problem(
            reason: "\(relationship.name) may have at most \(details.maxCount) and has \(count)")
        }
      } else if !relationship.isOptional, relationship.foreignKeyAttributes.isEmpty,
        (row.change.toOne[relationship.name] ?? nil) == nil
      {
        throw Problem(reason: "\(relationship.name) is required")
      }
    }
  }

  // MARK: Objects

  /// Finds the object that is updated.
  private func findExisting(
    _ row: inout MadeRow, _ record: ImportRecord, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws {
    if isKeyedByID || keepsIDs {
      for (column, found) in mapping.columns.enumerated() {
        guard case .objectID = found.target, let text = record.text(column), !text.isEmpty else {
          continue
        }
        guard let id = id(text), inheriting.contains(id.entityName) else {
          throw Problem(
            column: found.name, reason: "it is no URI of a \(entity.name) of this store")
        }
        if keepsIDs {
          guard id.entityName == entity.name else {
            throw Problem(column: found.name, reason: "it is of another entity")
          }
          // A table with keys of its own gives a new one in place of values.
          if case .composite = id.key, hasIntegerKeys { continue }
          row.change.id = id
        } else {
          guard try bulk.rows(of: [id])[0] != nil else {
            throw Problem(column: found.name, reason: "\(id) does not exist")
          }
          row.existing = id
        }
      }
      return
    }
    guard let ownLookup else { return }
    var values: [Value] = []
    for index in keyIndexes {
      guard let column = sources[index], let reader = readers[index], column < record.fields.count,
        record.fields[column].kind != .missing
      else { return }
      let field = record.fields[column]
      let own = UnsafeBufferPointer(rebasing: bytes[field.start..<field.end])
      switch reader.read(own, field.kind) {
      case .field(let stored):
        if keyIndexes.count == 1 {
          row.existing = try existing(ownLookup.match(stored))
          return
        }
        values.append(stored.value)
      case .value(let value): values.append(value)
      case .problem: return
      }
    }
    row.existing = try existing(ownLookup.match(values))
  }

  private func existing(_ match: ObjectMatch) throws -> ObjectID? {
    switch match {
    case .none: return nil
    case .one(let id): return id
    case .several:
      throw Problem(
        reason: "several objects of \(entity.name) have its \(mapping.keys.joined(separator: ", "))"
      )
    }
  }

  /// The object of a URI; nil if it is of another store.
  private func id(_ text: String) -> ObjectID? {
    guard let id = ObjectID(uriRepresentation: text), !id.isTemporary else { return nil }
    if id.storeIdentifier == storeIdentifier { return id }
    guard keepsIDs else { return nil }
    return ObjectID(storeIdentifier: storeIdentifier, entityName: id.entityName, key: id.key)
  }

  /// Finds the objects that a column leads to.
  private func follow(
    _ column: Int, _ record: ImportRecord, _ bytes: UnsafeBufferPointer<UInt8>,
    _ row: inout MadeRow, _ foreign: inout [Int: Value]
  ) throws {
    guard case .relationship(let relationship, let key) = mapping.columns[column].target,
      column < record.fields.count, record.fields[column].kind != .missing
    else { return }
    // Links of a whole store follow when all objects are there.
    if keepsIDs, relationship.isToMany { return }
    let field = record.fields[column]
    let own = UnsafeBufferPointer(rebasing: bytes[field.start..<field.end])
    var ids: [ObjectID] = []
    do {
      if field.kind == .structure {
        ids = try list(Array(own), column, relationship, key)
      } else if field.kind != .null, !field.isEmpty {
        if key == nil, relationship.isToMany {
          ids = try String(decoding: own, as: UTF8.self).split(separator: " ").map {
            try uri(String($0), of: relationship)
          }
        } else {
          ids = [try object(own, field.kind, column, relationship, key)]
        }
      }
    } catch var problem as Problem {
      problem.column = mapping.columns[column].name
      throw problem
    }
    if relationship.isToMany {
      row.toMany.append((relationship, ids))
      return
    }
    guard ids.count <= 1 else {
      throw Problem(column: mapping.columns[column].name, reason: "it leads to one object only")
    }
    // In a plain table the key of the other object is an attribute.
    let attributes = relationship.foreignKeyAttributes.compactMap(entity.attributeIndex)
    guard !attributes.isEmpty else {
      row.change.toOne[relationship.name] = .some(ids.first)
      return
    }
    // The file of a whole store has the attribute itself.
    if keepsIDs { return }
    let values = ids.first?.keyValues ?? attributes.map { _ in .null }
    for (index, value) in zip(attributes, values) { foreign[index] = value }
  }

  /// The links of a record's to-many relationships, of a whole store.
  func links(of record: ImportRecord) throws -> [ObjectLink] {
    guard record.defect == nil else { return [] }
    var row = MadeRow(change: RowChange(id: ObjectID(scope, key: .temporary(0))))
    return try record.bytes.withUnsafeBufferPointer { bytes in
      var links: [ObjectLink] = []
      for column in relationships {
        guard case .relationship(let relationship, let key) = mapping.columns[column].target,
          relationship.isToMany, column < record.fields.count,
          record.fields[column].kind == .structure
        else { continue }
        if row.change.id.isTemporary { try findExisting(&row, record, bytes) }
        let field = record.fields[column]
        links += try list(Array(bytes[field.start..<field.end]), column, relationship, key).map {
          ObjectLink(relationship.name, from: row.change.id, to: $0)
        }
      }
      return links
    }
  }

  private func list(
    _ bytes: [UInt8], _ column: Int, _ relationship: RelationshipDescription,
    _ key: AttributeReader?
  ) throws -> [ObjectID] {
    var elements: [(bytes: [UInt8], kind: ImportRecord.Kind)] = []
    do throws(JSONScanner.Failure) {
      var scanner = JSONScanner(bytes[...])
      try scanner.readList { scanner throws(JSONScanner.Failure) in
        var element: [UInt8] = []
        let kind = try scanner.readValue(into: &element)
        elements.append((element, kind))
      }
    } catch {
      throw Problem(reason: "a list of objects is expected")
    }
    return try elements.map { element in
      try element.bytes.withUnsafeBufferPointer {
        try object($0, element.kind, column, relationship, key)
      }
    }
  }

  private func object(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ImportRecord.Kind, _ column: Int,
    _ relationship: RelationshipDescription, _ key: AttributeReader?
  ) throws -> ObjectID {
    let text = String(storedText: bytes)
    guard let key, let lookup = lookups[column] else { return try uri(text, of: relationship) }
    let match: ObjectMatch
    switch key.read(bytes, kind) {
    case .field(let stored): match = try lookup.match(stored)
    case .value(let value): match = try lookup.match([value])
    case .problem(let reason): throw Problem(reason: reason)
    }
    let destination = relationship.destinationEntityName
    switch match {
    case .one(let id): return id
    case .none:
      throw Problem(
        reason: "no \(destination) has \(key.attribute.name) “\(text)”",
        mayBeLater: model.entityNames(inheritingFrom: destination).contains(entity.name))
    case .several:
      throw Problem(reason: "several \(destination) have \(key.attribute.name) “\(text)”")
    }
  }

  private func uri(_ text: String, of relationship: RelationshipDescription) throws(Problem)
    -> ObjectID
  {
    guard let id = id(text),
      model.entityNames(inheritingFrom: relationship.destinationEntityName)
        .contains(id.entityName)
    else {
      throw Problem(
        reason: "“\(text)” is no URI of a \(relationship.destinationEntityName) of this store",
        mayBeLater: false)
    }
    return id
  }
}
