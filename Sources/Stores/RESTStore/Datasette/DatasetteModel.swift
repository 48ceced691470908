import Foundation
import ObjectModel

/// The tables of a Datasette, as entities.
struct DatasetteModel: Sendable {
  /// A table.
  struct Table: Sendable {
    var database: String
    var name: String
    /// The columns of the primary key; `rowid` if it has none.
    var key: [String]
    /// Whether the key is one column of whole numbers.
    var hasIntegerKey: Bool
    /// The column of each to-one relationship.
    var foreignKeys: [String: String] = [:]

    /// The path of its rows from the root of the service.
    var path: String { "\(DatasetteText.encoded(database))/\(DatasetteText.encoded(name))" }
  }

  /// A column as SQLite declares it.
  struct Column: Sendable {
    var name: String
    var type = ""
    var isRequired = false
  }

  private(set) var tables: [String: Table] = [:]
  private(set) var model = ManagedObjectModel(entities: [])
  /// What is not shown, one sentence each.
  private(set) var notes: [String] = []

  /// Makes the model of databases.
  ///
  /// - Parameters:
  ///   - databases: What the service says of each, by name: `/{database}.json`.
  ///   - columns: The columns by database and table, where it lets them be asked for.
  ///   - isReadOnly: Whether nothing can be written.
  /// - Throws: `StoreError` if there is no table.
  init(
    _ databases: [(name: String, json: JSONValue)], columns: [String: [String: [Column]]],
    isReadOnly: Bool
  ) throws(StoreError) {
    var shown: [(database: String, table: JSONValue)] = []
    for (database, json) in databases {
      for table in json["tables"]?.array ?? [] where table["hidden"] != true {
        shown.append((database, table))
      }
    }
    let names = shown.map { $0.table["name"]?.string ?? "" }
    var entities: [EntityDescription] = []
    for (index, (database, table)) in shown.enumerated() {
      let isTaken = names.indices.contains { $0 != index && names[$0] == names[index] }
      let name = isTaken ? "\(database)_\(names[index])" : names[index]
      let declared =
        columns[database]?[names[index]]
        ?? (table["columns"]?.array ?? []).compactMap { $0.string.map { Column(name: $0) } }
      let key = (table["primary_keys"]?.array ?? []).compactMap(\.string)
      entities.append(
        add(table, database, name, declared, key.isEmpty ? ["rowid"] : key, isReadOnly: isReadOnly))
    }
    guard !entities.isEmpty else {
      throw StoreError(.notADatabase, doing: "asking", detail: "the service shows no table")
    }
    for (database, json) in databases {
      for view in json["views"]?.array ?? [] {
        let name = view["name"]?.string ?? view.string ?? ""
        notes.append("\(name) of \(database) is a view without keys")
      }
    }
    addRelationships(shown, &entities)
    model = ManagedObjectModel(entities: entities)
    do { try model.validate() } catch {
      throw StoreError(.corrupt, doing: "asking", detail: "\(error)")
    }
  }

  private mutating func add(
    _ table: JSONValue, _ database: String, _ name: String, _ columns: [Column], _ key: [String],
    isReadOnly: Bool
  ) -> EntityDescription {
    let attributes = columns.map { column in
      AttributeDescription(
        column.name, Self.type(column.type), isOptional: !column.isRequired,
        declaredType: column.type)
    }
    let types = attributes.filter { key.contains($0.name) }.map(\.type)
    tables[name] = Table(
      database: database, name: table["name"]?.string ?? "", key: key,
      hasIntegerKey: key == ["rowid"] || types == [.integer64])
    var details = EntityDetails()
    details.isServed = true
    return EntityDescription(
      name: name, attributes: attributes,
      keyAttributes: key.allSatisfy { key in attributes.contains { $0.name == key } } ? key : [],
      readOnlyReason: isReadOnly ? "the service only shows them" : nil, details: details)
  }

  /// The type by SQLite's rules; dates stay text, because a column may have any text.
  private static func type(_ declared: String) -> AttributeType {
    let type = declared.uppercased()
    if type.contains("BOOL") { return .boolean }
    if type.contains("INT") { return .integer64 }
    if ["CHAR", "CLOB", "TEXT", "DATE", "TIME"].contains(where: type.contains) { return .string }
    if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) { return .double }
    if ["NUMERIC", "DECIMAL"].contains(where: type.contains) { return .decimal }
    return type.contains("BLOB") ? .binaryData : .undefined
  }

  private mutating func addRelationships(
    _ shown: [(database: String, table: JSONValue)], _ entities: inout [EntityDescription]
  ) {
    var relationships: [String: [RelationshipDescription]] = [:]
    var columns: [String: Set<String>] = [:]
    for (index, (database, table)) in shown.enumerated() {
      let source = entities[index]
      for key in table["foreign_keys"]?["outgoing"]?.array ?? [] {
        guard let column = key["column"]?.string, let other = key["other_table"]?.string,
          let target = shown.firstIndex(where: {
            $0.database == database && $0.table["name"]?.string == other
          }), let referenced = key["other_column"]?.string,
          tables[entities[target].name]?.key == [referenced],
          source.attribute(named: column) != nil
        else { continue }
        let name = free(
          Self.relationshipName(column, to: other), in: source, relationships[source.name] ?? [])
        let destination = entities[target]
        let others = relationships[destination.name] ?? []
        let plural = EnglishNoun.plural(of: Self.small(source.name))
        let inverse =
          others.contains { $0.name == plural }
          ? free("\(plural)By\(column)", in: destination, others)
          : free(plural, in: destination, others)
        relationships[source.name, default: []].append(
          RelationshipDescription(name, to: destination.name, inverse: inverse))
        relationships[destination.name, default: []].append(
          RelationshipDescription(
            inverse, to: source.name, inverse: name, isToMany: true, deleteRule: .noAction))
        tables[source.name]?.foreignKeys[name] = column
        columns[source.name, default: []].insert(column)
      }
    }
    entities = entities.map { entity in
      let foreign = columns[entity.name] ?? []
      let attributes = entity.attributes.map { attribute in
        guard foreign.contains(attribute.name), !entity.keyAttributes.contains(attribute.name)
        else { return attribute }
        // It is set with its relationship.
        return AttributeDescription(
          attribute.name, attribute.type, isReadOnly: true, declaredType: attribute.declaredType)
      }
      return entity.changed(
        attributes: attributes, relationships: relationships[entity.name] ?? [])
    }
  }

  /// `artist` for `ArtistId` and for `artist_id`.
  private static func relationshipName(_ column: String, to table: String) -> String {
    let suffix = ["_id", "Id", "ID"].first { column.hasSuffix($0) && column.count > $0.count }
    return small(suffix.map { String(column.dropLast($0.count)) } ?? column)
  }

  private static func small(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  /// A name that no other property has.
  private func free(
    _ name: String, in entity: EntityDescription, _ others: [RelationshipDescription]
  ) -> String {
    var name = name
    while entity.attribute(named: name) != nil || others.contains(where: { $0.name == name }) {
      name += "Row"
    }
    return name
  }
}

/// The text of Datasette's addresses.
enum DatasetteText {
  /// A name or a value of a key in a path: letters and digits of ASCII, `~20` for others.
  static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
      let scalar = UnicodeScalar(byte)
      if scalar.isASCII,
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || scalar == "_" || scalar == "-"
      {
        encoded.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += "~" + (digits.count == 1 ? "0" : "") + digits
      }
    }
  }
}
