import Foundation
import GRDBSQLite
import ObjectModel

/// The statement that reads objects of one entity, and how its rows become snapshots.
///
/// Columns: the key; then for each attribute its value, and for one that may hold long bytes their whole length; then the
/// keys of to-one destinations that are not in the row's own columns.
struct SnapshotQuery {
  /// How many bytes of a text or blob a snapshot holds.
  static let longestValue = 64 * 1024
  /// How many attributes may have a column for their whole length: SQLite's results have at most 2000 columns.
  private static let widestCut = 900

  private let scope: QueryScope
  private let object: IDColumns
  private let attributes: [Attribute]
  private let destinations: [IDColumns]
  /// Columns of the row that are no attributes but tell its state: foreign keys of a store we made, and what Core Data
  /// keeps beside the values.
  private let stateColumns: [Int32]
  private let externalFolder: ExternalFolder?
  private let select: SQL
  private let isWhole: Bool

  private struct Attribute {
    let column: Int32
    /// The column of the whole length; nil where bytes are read whole anyway.
    let lengthColumn: Int32?
    /// Whether its bytes may stand in a file.
    let isExternal: Bool
  }

  /// Makes the statement.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - layout: Where entities stand.
  ///   - storeIdentifier: The identifier that object IDs carry.
  ///   - isWhole: Whether long values are read whole; their version is the same.
  ///   - externalFolder: Where values are that stand in files; nil to leave the names of the files.
  /// - Throws: ``StoreError`` when there is no such entity.
  init(
    entityName: String, layout: StoreLayout, storeIdentifier: String, isWhole: Bool = false,
    externalFolder: ExternalFolder? = nil
  ) throws(StoreError) {
    let scope = try QueryScope(entityName: entityName, layout: layout)
    var columns: [SQL] = []
    object = IDColumns(scope.object, storeIdentifier: storeIdentifier, in: &columns)
    var attributes: [Attribute] = []
    let mayCut = !isWhole && scope.entity.attributes.count <= Self.widestCut
    for (attribute, name) in zip(scope.entity.attributes, scope.table.columns) {
      let value = scope.column(name)
      let column = Int32(columns.count)
      let isCut = mayCut && attribute.mayBeLong
      columns += isCut ? Self.cut(value) : [value]
      attributes.append(
        Attribute(
          column: column, lengthColumn: isCut ? column + 1 : nil,
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

  /// The columns that tell a row's state and are none of its attributes'.
  private static func stateColumns(of scope: QueryScope) -> [String] {
    var names = scope.layout.coreData == nil ? [] : [ActualTable.versionColumn]
    for relationship in scope.entity.toOneRelationships {
      guard let toOne = scope.table.toOne[relationship.name], !toOne.isInverse else { continue }
      names += toOne.columns.filter { !scope.table.columns.contains($0) }
      names += [toOne.entityColumn, toOne.orderColumn].compactMap { $0 }
    }
    return names
  }

  /// A value with at most as many bytes as are held, and the whole length of bytes.
  private static func cut(_ value: SQL) -> [SQL] {
    let isLong: SQL =
      "typeof(\(value)) = 'blob' AND length(\(value)) > \(number: longestValue)"
    return [
      "CASE WHEN \(isLong) THEN substr(\(value), 1, \(number: longestValue)) ELSE \(value) END",
      "CASE WHEN \(isLong) THEN length(\(value)) END",
    ]
  }

  /// Whether every row that is found is one that was asked for.
  var findsOnlyItsKeys: Bool { object.isRowid && object.entity == nil }

  /// The statement for objects of some keys.
  func sql(keys: [ObjectKey]) -> SQL { "\(select) WHERE \(scope.condition(keys: keys))" }

  /// The snapshot of a row.
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
          ? .string(String(decoding: held, as: UTF8.self)) : .data(Data(held))
      }
    default:
      digest.add(kind: type, 0)
      return .null
    }
  }

  /// Cut text without the bytes of a code point that the cut has split.
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
  /// Whether the column is likely to hold long bytes.
  fileprivate var mayBeLong: Bool {
    switch type {
    case .binaryData, .transformable, .undefined: true
    default: ColumnAffinity(declaredType: declaredType) == .none
    }
  }
}
