import Foundation
import ObjectModel
import SQLQueries

/// What is selected of the rows of an entity, and how a row is read.
struct RowSelection {
  private let schema: ServerSchema
  private let storeIdentifier: String
  private let idScope: ObjectIDScope
  private let entity: EntityDescription
  private let table: ServerSchema.Table
  let scope: QueryScope
  /// The attributes that are read, by index; nil for those that are left out, which are null.
  private let isRead: [Bool]
  private let keyTypes: [ServerType]
  private let toOne: [(operand: ObjectOperand, types: [ServerType], isRead: Bool)]
  private let cutsLongValues: Bool

  /// The length in bytes after which a value is read only when somebody asks for it.
  static let longestBeginning = ColumnOperand.longestBeginning

  /// Prepares a statement.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - names: The properties that are read; nil for all.
  ///   - cutsLongValues: Whether only the beginning of long values is read.
  ///   - scope: The scope of the statement; nil for one of its own.
  ///   - schema: The schema.
  ///   - storeIdentifier: The store of the IDs.
  /// - Throws: ``StoreError`` if there is no such entity.
  init(
    _ entityName: String, only names: Set<String>? = nil, cutsLongValues: Bool = true,
    scope: QueryScope? = nil, in schema: ServerSchema, storeIdentifier: String
  ) throws(StoreError) {
    self.schema = schema
    self.storeIdentifier = storeIdentifier
    self.cutsLongValues = cutsLongValues
    idScope = .of(storeIdentifier: storeIdentifier, entityName: entityName)
    if let scope {
      self.scope = scope
    } else {
      self.scope = try QueryScope(entityName: entityName, layout: schema.layout)
    }
    entity = self.scope.entity
    guard let table = schema.tables[entityName] else {
      throw StoreError(.unknownName, doing: "reading", subject: entityName)
    }
    self.table = table
    isRead = entity.attributes.map { names?.contains($0.name) ?? true }
    keyTypes = schema.keyTypes(of: entityName)
    var toOne: [(operand: ObjectOperand, types: [ServerType], isRead: Bool)] = []
    for relationship in entity.toOneRelationships {
      let isRead = names?.contains(relationship.name) ?? true
      guard isRead, case .object(let operand) = try self.scope.follow([relationship.name]) else {
        toOne.append((self.scope.object, [], false))
        continue
      }
      toOne.append((operand, schema.keyTypes(of: relationship.destinationEntityName), true))
    }
    self.toOne = toOne
  }

  /// The expressions after SELECT: the key, the version, the values, the destinations.
  var columns: [SQL] {
    var columns = scope.keyColumns + [version]
    for (index, name) in scope.table.columns.enumerated() where isRead[index] {
      let column = scope.column(name)
      guard table.types[index].mayBeLong, cutsLongValues else {
        columns.append(table.types[index].selected(column))
        continue
      }
      let length = Self.longestBeginning
      columns.append(
        table.types[index] == .bytes
          ? "substring(\(column) FROM 1 FOR \(number: length))"
          : "left(\(column)::text, \(number: length))")
      columns.append(
        table.types[index] == .bytes
          ? "octet_length(\(column))" : "octet_length(\(column)::text)")
    }
    for (operand, _, isRead) in toOne where isRead { columns += operand.keyColumns }
    return columns
  }

  /// What changes whenever the row does: the transaction that wrote it, or a digest of all of it.
  var version: SQL {
    table.hasVersions
      ? "\(scope.column("xmin"))::text::bigint" : "hashtextextended(\(scope.wholeRow)::text, 0)"
  }

  /// Reads a row.
  func snapshot(_ row: ServerRow) -> RowSnapshot {
    var column = 0
    let id = key(row, &column, keyTypes).map { ObjectID(idScope, key: $0) }
    let version = UInt64(bitPattern: row.integer(column) ?? 0)
    column += 1
    var values: [Value] = []
    var cutLengths: [Int: Int] = [:]
    for (index, type) in table.types.enumerated() {
      guard isRead[index] else {
        values.append(.null)
        continue
      }
      let value = type.value(row, column)
      column += 1
      if type.mayBeLong, cutsLongValues {
        // The beginning has so many characters, which are at least as many bytes.
        if let length = row.integer(column), length > value.byteCount {
          cutLengths[index] = Int(length)
        }
        column += 1
      }
      values.append(value)
    }
    var destinations: [ObjectID?] = []
    for (operand, types, isRead) in toOne {
      guard isRead else {
        destinations.append(nil)
        continue
      }
      destinations.append(
        key(row, &column, types).map {
          ObjectID(storeIdentifier: storeIdentifier, entityName: operand.entityName, key: $0)
        })
    }
    return RowSnapshot(
      id: id ?? ObjectID(idScope, key: .integer(0)), version: version, values: RowValues(values),
      toOne: destinations, cutLengths: cutLengths)
  }

  /// Reads a key; nil if a part is NULL.
  private func key(_ row: ServerRow, _ column: inout Int, _ types: [ServerType]) -> ObjectKey? {
    defer { column += types.count }
    return schema.key(row, from: column, types)
  }
}

extension ServerSchema {
  /// The types of the columns of an entity's key.
  func keyTypes(of entityName: String) -> [ServerType] {
    guard let table = layout.tables[entityName], let types = tables[entityName]?.types else {
      return []
    }
    return table.keyColumnNames.map { name in
      table.columns.firstIndex(of: name).map { types[$0] } ?? .integer(bits: 64)
    }
  }

  /// The types of the columns of an entity's key as they are written in a statement.
  func keyTypeNames(of entityName: String) -> [String] {
    typeNames(of: layout.tables[entityName]?.keyColumnNames ?? [], in: entityName)
  }

  /// The types of columns as they are written in a statement.
  func typeNames(of columns: [String], in entityName: String) -> [String] {
    guard let table = layout.tables[entityName], let names = tables[entityName]?.typeNames else {
      return []
    }
    // A number that is too large for a column is in no row: it is no error.
    return columns.map { name in
      guard let index = table.columns.firstIndex(of: name), let types = tables[entityName]?.types
      else { return "bigint" }
      if case .integer = types[index] { return "bigint" }
      return names[index]
    }
  }

  /// The values of the keys of objects of an entity, without those that no row can have.
  func keys(of ids: some Sequence<ObjectID>, _ entityName: String) -> [[Value]] {
    let types = keyTypes(of: entityName)
    return ids.compactMap { id in
      let values = id.keyValues
      return values.count == types.count && zip(types, values).allSatisfy({ $0.mayHave($1) })
        ? values : nil
    }
  }

  /// Reads a key; nil if a part is NULL.
  func key(_ row: ServerRow, from column: Int, _ types: [ServerType]) -> ObjectKey? {
    if types.count == 1, case .integer = types[0] {
      return row.integer(column).map(ObjectKey.integer)
    }
    var values: [Value] = []
    for (offset, type) in types.enumerated() {
      let value = type.value(row, column + offset)
      if value.isNull { return nil }
      values.append(value)
    }
    return .composite(values)
  }
}

extension QueryScope {
  /// The condition that columns have the values of one of several lists, each list of one column.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - lists: The values, a list for each row.
  ///   - types: The types of the columns.
  /// - Returns: The condition, with one parameter for each column.
  /// - Throws: ``StoreError`` for a text that no server stores.
  static func condition(_ columns: [SQL], in lists: [[Value]], types: [String]) throws(StoreError)
    -> SQL
  {
    var arrays: [SQL] = []
    for index in columns.indices {
      var values: [Value] = []
      for list in lists { values.append(index < list.count ? list[index] : .null) }
      let array = try ServerArray.text(values)
      arrays.append("\(Value.string(array))::\(SQL(schema: types[index]))[]")
    }
    if columns.count == 1 { return "\(columns[0]) = ANY(\(arrays[0]))" }
    return "(\(columns)) IN (SELECT * FROM unnest(\(arrays)))"
  }
}

/// Values as one parameter.
enum ServerArray {
  /// The text of an array: `{"1","two",NULL}`.
  static func text(_ values: [Value]) throws(StoreError) -> String {
    var text = "{"
    for value in values {
      if text.utf8.count > 1 { text += "," }
      guard let element = try value.serverText(doing: "reading") else {
        text += "NULL"
        continue
      }
      if case .integer = value {
        text += element
      } else {
        text += "\"\(element.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
      }
    }
    return text + "}"
  }
}

extension Value {
  /// The length of text or bytes.
  fileprivate var byteCount: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let data): data.count
    default: 0
    }
  }
}
