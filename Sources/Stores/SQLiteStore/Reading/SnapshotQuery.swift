import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

/// The statement that reads objects of one entity, and the conversion of its rows to snapshots.
///
/// Columns: the key; for each attribute its value, and the length of a value that may be truncated;
/// the keys of to-one destinations; then other columns that are part of the row's version.
struct SnapshotQuery: Sendable {
  /// The longest text or blob in a snapshot, in bytes.
  static let longestValue = ColumnOperand.longestBeginning
  /// The largest number of attributes that may have a second column for their length, because
  /// SQLite's limit is 2000 result columns.
  private static let truncatedAttributeLimit = 900

  /// The entity.
  let entityName: String
  private let keys: KeyColumns
  private let object: IDColumns
  private let attributes: [Attribute]
  private let destinations: [IDColumns]
  /// Columns that are not attributes but part of the row's version: foreign keys and Z_OPT.
  private let stateColumns: [Int32]
  private let externalFolder: ExternalFolder?
  private let select: SQL
  private let isWhole: Bool
  /// Whether a value may be a long blob.
  let hasLongColumns: Bool
  /// Whether the version covers all bytes of long values; those of a view are never saved.
  private let hashesLongValues: Bool

  private struct Attribute {
    let column: Int32
    /// The column with the length of a truncated value; nil if SQLite does not truncate it.
    let lengthColumn: Int32?
    /// Whether its value may be in an external file.
    let isExternal: Bool
  }

  /// Creates the statement for snapshots with whole or truncated values, which have the same
  /// versions; without a folder of external files their names are returned instead.
  ///
  /// - Throws: ``StoreError`` if there is no such entity.
  init(
    entityName: String, layout: StoreLayout, storeIdentifier: String, isWhole: Bool,
    externalFolder: ExternalFolder?
  ) throws(StoreError) {
    let scope = try QueryScope(entityName: entityName, layout: layout)
    var columns: [SQL] = []
    object = IDColumns(scope.object, storeIdentifier: storeIdentifier, in: &columns)
    var attributes: [Attribute] = []
    let mayTruncate = !isWhole && scope.entity.attributes.count <= Self.truncatedAttributeLimit
    for (attribute, name) in zip(scope.entity.attributes, scope.table.columns) {
      let value = scope.column(name)
      let column = Int32(columns.count)
      let isTruncated = mayTruncate && attribute.mayBeLong
      columns += isTruncated ? Self.truncated(value, isHashed: scope.table.key != .none) : [value]
      attributes.append(
        Attribute(
          column: column, lengthColumn: isTruncated ? column + 1 : nil,
          isExternal: attribute.encoding == .externalData))
    }
    var destinations: [IDColumns] = []
    for relationship in scope.entity.toOneRelationships {
      guard case .object(let end) = try scope.follow([relationship.name]) else {
        throw scope.unsupported("the relationship \"\(relationship.name)\" has no columns")
      }
      destinations.append(IDColumns(end, storeIdentifier: storeIdentifier, in: &columns))
    }
    var stateColumns: [Int32] = []
    for name in Self.stateColumns(of: scope) {
      stateColumns.append(Int32(columns.count))
      columns.append(scope.column(name))
    }
    self.stateColumns = stateColumns
    self.externalFolder = externalFolder
    self.entityName = entityName
    keys = scope.keys
    self.isWhole = isWhole
    hasLongColumns = scope.entity.attributes.contains(where: \.mayBeLong)
    hashesLongValues = scope.table.key != .none
    self.attributes = attributes
    self.destinations = destinations
    select = "SELECT \(columns) FROM \(scope.from)"
  }

  /// The result columns of a value that may be a long blob: its beginning, followed by its hash if
  /// that is wanted, and its length, NULL if it is not long.
  private static func truncated(_ value: SQL, isHashed: Bool) -> [SQL] {
    let columns = SQL.truncated(value, to: longestValue, types: "'blob'")
    guard isHashed else { return columns }
    let length = columns[1]
    return [
      """
      CASE WHEN (\(length)) IS NULL THEN \(value) \
      ELSE cardfile_beginning(\(value), \(number: longestValue)) END
      """, length,
    ]
  }

  /// The columns that are part of a row's version but not attributes.
  private static func stateColumns(of scope: QueryScope) -> [String] {
    var names = scope.layout.coreData == nil ? [] : [ActualTable.versionColumn]
    for relationship in scope.entity.toOneRelationships {
      guard let toOne = scope.table.toOne[relationship.name], !toOne.isInverse else { continue }
      names += toOne.columns.filter { !scope.table.columns.contains($0) }
      names += [toOne.entityColumn, toOne.orderColumn].compactMap { $0 }
    }
    return names
  }

  /// Whether no other rows can be found than those of the requested keys.
  var findsOnlyItsKeys: Bool { object.isRowid && object.entity == nil }

  /// The statement for objects of some keys.
  func sql(keys: [ObjectKey]) -> SQL { "\(select) WHERE \(self.keys.condition(keys: keys))" }

  /// The statement for the objects of a run of keys and those between them.
  func sql(_ run: KeyRun) -> SQL { "\(select) WHERE \(run.rows(keys.columns[0]))" }

  /// The integer key of a row.
  func key(_ row: borrowing Statement) -> Int64 { row.integer(object.keys[0]) }

  /// A packer for the rows of the statement.
  var packer: RowPacker { RowPacker(count: attributes.count) }

  /// Converts a row, with or without its values.
  func snapshot(
    _ row: borrowing Statement, _ packer: inout RowPacker, hasValues: Bool = true
  ) -> RowSnapshot? {
    guard let id = object.id(row) else { return nil }
    var long: LongValues?
    // By indexes, because each array would be retained for an iterator.
    for index in attributes.indices { pack(row, attributes[index], &packer, &long) }
    var digest = if let long { self.digest(of: row, long) } else { packer.digest }
    for index in stateColumns.indices { row.add(stateColumns[index], to: &digest) }
    let toOne = destinations.isEmpty ? [] : destinations.map { $0.id(row) }
    guard hasValues else {
      packer.skip()
      return RowSnapshot(read: id, version: digest.state, values: [], toOne: toOne)
    }
    var snapshot = RowSnapshot(
      read: id, version: digest.state, values: packer.finish(), toOne: toOne)
    if let long { (snapshot.cutLengths, snapshot.longHashes) = (long.cutLengths, long.hashes) }
    return snapshot
  }

  /// What a row's snapshot says of long values, by their index.
  private struct LongValues {
    var cutLengths: [Int: Int] = [:]
    var hashes: [Int: UInt64] = [:]
  }

  /// The digest of a row with long values, which is the same whether they are read whole or not.
  private func digest(of row: borrowing Statement, _ long: LongValues) -> RowDigest {
    var digest = RowDigest()
    for (index, attribute) in attributes.enumerated() {
      let type = row.type(attribute.column)
      guard type == SQLITE_TEXT || type == SQLITE_BLOB else {
        row.add(attribute.column, to: &digest)
        continue
      }
      let whole = wholeLength(row, attribute)
      row.withBytes(attribute.column, type: type) { bytes in
        let length = whole ?? bytes.count
        let known = UnsafeBufferPointer(rebasing: bytes.prefix(Self.longestValue))
        digest.add(kind: type, length: length, known)
        if length > Self.longestValue, let hash = long.hashes[index] { digest.add(hash) }
      }
    }
    return digest
  }

  /// The length of a text or blob that SQLite has truncated; nil for others.
  private func wholeLength(_ row: borrowing Statement, _ attribute: Attribute) -> Int? {
    guard let column = attribute.lengthColumn, row.isInteger(column) else { return nil }
    return Int(row.integer(column))
  }

  private func pack(
    _ row: borrowing Statement, _ attribute: Attribute, _ packer: inout RowPacker,
    _ long: inout LongValues?
  ) {
    let type = row.type(attribute.column)
    switch type {
    case SQLITE_INTEGER: packer.append(.integer(row.integer(attribute.column)))
    case SQLITE_FLOAT: packer.append(.double(row.double(attribute.column)))
    case SQLITE_TEXT, SQLITE_BLOB:
      let whole = wholeLength(row, attribute)
      row.withBytes(attribute.column, type: type) {
        pack($0, type: type, whole: whole, attribute, &packer, &long)
      }
    default: packer.append(.null)
    }
  }

  /// Packs a text or blob of which the bytes, or as many as SQLite returned, are given, and its whole
  /// length if that is more.
  private func pack(
    _ bytes: UnsafeBufferPointer<UInt8>, type: Int32, whole: Int?, _ attribute: Attribute,
    _ packer: inout RowPacker, _ long: inout LongValues?
  ) {
    let (position, length) = (packer.index, whole ?? bytes.count)
    if length <= Self.longestValue, !attribute.isExternal {
      return packer.append(type == SQLITE_BLOB ? .bytes(bytes) : .text(bytes))
    }
    var values = long ?? LongValues()
    defer { long = values }
    let known = UnsafeBufferPointer(rebasing: bytes.prefix(Self.longestValue))
    if hashesLongValues, length > Self.longestValue {
      values.hashes[position] =
        whole == nil ? RowDigest.hash(of: bytes) : Self.hash(after: known, in: bytes)
    }
    if attribute.isExternal, type == SQLITE_BLOB, bytes.first == ExternalFolder.referenceMark,
      let file = externalFolder?.inlined(
        .data(Data(known)), limit: isWhole ? ExternalFolder.longestFile : Self.longestValue)
    {
      if file.byteCount > file.value.count { values.cutLengths[position] = file.byteCount }
      // A file is never rewritten: another value has another name.
      values.hashes[position] = RowDigest.hash(of: known)
      file.value.withUnsafeBytes {
        packer.append(.bytes($0.assumingMemoryBound(to: UInt8.self)))
      }
      return
    }
    if !isWhole, length > Self.longestValue { values.cutLengths[position] = length }
    if type == SQLITE_BLOB {
      packer.append(.bytes(isWhole ? bytes : known))
    } else {
      packer.append(.text(isWhole ? bytes : Self.wholeCharacters(known, of: length)))
    }
  }

  /// The hash that follows the beginning of a long value.
  private static func hash(
    after known: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>
  ) -> UInt64 {
    guard bytes.count == known.count + 8 else { return 0 }
    return UnsafeRawBufferPointer(bytes).loadUnaligned(
      fromByteOffset: known.count, as: UInt64.self)
  }

  /// Truncated text without an incomplete code point at its end.
  private static func wholeCharacters(_ bytes: UnsafeBufferPointer<UInt8>, of length: Int)
    -> UnsafeBufferPointer<UInt8>
  {
    guard length > bytes.count else { return bytes }
    let tail = bytes.suffix(3).reversed()
    guard let lead = tail.firstIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes }
    let count = tail.distance(from: tail.startIndex, to: lead) + 1
    let byte = tail[lead]
    let needed = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    return needed > count ? UnsafeBufferPointer(rebasing: bytes.dropLast(count)) : bytes
  }
}

extension AttributeDescription {
  /// Whether the column is likely to contain long blobs.
  var mayBeLong: Bool {
    switch type {
    case .binaryData, .transformable, .undefined: true
    default: ColumnAffinity(declaredType: declaredType) == .none
    }
  }
}

extension SQL {
  /// Two result columns for a value: the value, truncated to a limit in characters of text or bytes
  /// of a blob if its storage class is one of `types`, and its length; NULL if it is not truncated.
  static func truncated(_ value: SQL, to limit: Int, types: SQL) -> [SQL] {
    let isLong: SQL = "typeof(\(value)) IN (\(types)) AND length(\(value)) > \(number: limit)"
    return [
      "CASE WHEN \(isLong) THEN substr(\(value), 1, \(number: limit)) ELSE \(value) END",
      "CASE WHEN \(isLong) THEN length(\(value)) END",
    ]
  }
}
