import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

/// The statement that reads objects of one entity, and the conversion of its rows to snapshots.
///
/// Columns: the key; for each attribute its value, and the length of a value that may be truncated;
/// the keys of to-one destinations; then other columns that are part of the row's version.
struct SnapshotQuery {
  /// The longest text or blob in a snapshot, in bytes.
  static let longestValue = ColumnOperand.longestBeginning
  /// The largest number of attributes that may have a second column for their length, because
  /// SQLite's limit is 2000 result columns.
  private static let truncatedAttributeLimit = 900

  private let scope: QueryScope
  private let object: IDColumns
  private let attributes: [Attribute]
  private let destinations: [IDColumns]
  /// Columns that are not attributes but part of the row's version: foreign keys and Z_OPT.
  private let stateColumns: [Int32]
  private let externalFolder: ExternalFolder?
  private let select: SQL
  private let isWhole: Bool

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
    entityName: String, layout: StoreLayout, storeIdentifier: String, isWhole: Bool = false,
    externalFolder: ExternalFolder? = nil
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
      columns +=
        isTruncated ? SQL.truncated(value, to: Self.longestValue, types: "'blob'") : [value]
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
    self.scope = scope
    self.isWhole = isWhole
    self.attributes = attributes
    self.destinations = destinations
    select = "SELECT \(columns) FROM \(scope.from)"
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
  func sql(keys: [ObjectKey]) -> SQL { "\(select) WHERE \(scope.condition(keys: keys))" }

  /// Converts a row.
  func snapshot(_ row: borrowing Statement) -> RowSnapshot? {
    guard let id = object.id(row) else { return nil }
    var digest = RowDigest()
    var values: [Value] = []
    values.reserveCapacity(attributes.count)
    var cutLengths: [Int: Int] = [:]
    for attribute in attributes {
      values.append(value(row, attribute, &digest, &cutLengths, at: values.count))
    }
    for column in stateColumns {
      if case .integer(let key) = row.value(column) {
        digest.add(kind: SQLITE_INTEGER, UInt64(bitPattern: key))
      } else {
        row.withBytes(column) { digest.add(kind: row.type(column), length: $0.count, $0) }
      }
    }
    var toOne: [ObjectID?] = []
    toOne.reserveCapacity(destinations.count)
    for end in destinations { toOne.append(end.id(row)) }
    return RowSnapshot(
      id: id, version: digest.state, values: values, toOne: toOne, cutLengths: cutLengths)
  }

  private func value(
    _ row: borrowing Statement, _ attribute: Attribute, _ digest: inout RowDigest,
    _ cutLengths: inout [Int: Int], at place: Int
  ) -> Value {
    let type = row.type(attribute.column)
    switch type {
    case SQLITE_INTEGER:
      let number = row.integer(attribute.column)
      digest.add(kind: type, UInt64(bitPattern: number))
      return .integer(number)
    case SQLITE_FLOAT:
      let number = row.double(attribute.column)
      digest.add(kind: type, number.bitPattern)
      return .double(number)
    case SQLITE_TEXT, SQLITE_BLOB:
      let whole = attribute.lengthColumn.flatMap { column in
        row.isInteger(column) ? Int(row.integer(column)) : nil
      }
      return row.withBytes(attribute.column) { [isWhole, externalFolder] bytes in
        let length = whole ?? bytes.count
        let known = UnsafeBufferPointer(rebasing: bytes.prefix(Self.longestValue))
        digest.add(kind: type, length: length, known)
        if attribute.isExternal, type == SQLITE_BLOB, bytes.first == ExternalFolder.referenceMark,
          let file = externalFolder?.inlined(
            .data(Data(known)), limit: isWhole ? ExternalFolder.longestFile : Self.longestValue)
        {
          if file.byteCount > file.value.count { cutLengths[place] = file.byteCount }
          return .data(file.value)
        }
        if !isWhole, length > Self.longestValue { cutLengths[place] = length }
        let held =
          isWhole ? bytes : type == SQLITE_TEXT ? Self.wholeCharacters(known, of: length) : known
        return type == SQLITE_TEXT
          ? .string(String(storedText: held)) : .data(Data(held))
      }
    default:
      digest.add(kind: type, 0)
      return .null
    }
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
  fileprivate var mayBeLong: Bool {
    switch type {
    case .binaryData, .transformable, .undefined: true
    default: ColumnAffinity(declaredType: declaredType) == .none
    }
  }
}
