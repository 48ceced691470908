import Foundation
import ObjectModel
import SQLQueries

/// The tables, views and foreign keys of a database, read from its system catalog.
struct CatalogReader {
  /// What the server says of a relation besides what ``Catalog`` has.
  struct Relation {
    var schema: String
    var name: String
    /// The letter of pg_class.relkind.
    var kind: String
    var comment: String
    var mayBeChanged: Bool
    /// Whether some of its rows lie on other servers, whose transactions this one does not know.
    var isForeign: Bool
  }

  /// What the server says of a column besides what ``Catalog`` has.
  struct Column {
    var type: ServerType
    /// The type as it is written in a statement.
    var typeName: String
    var comment: String
    /// Whether a value can be given only with OVERRIDING SYSTEM VALUE.
    var isAlwaysIdentity: Bool
    /// Whether the server gives a number to a new row.
    var isIdentity: Bool
  }

  private(set) var catalog = Catalog()
  private(set) var relations: [String: Relation] = [:]
  private(set) var columns: [String: [Column]] = [:]
  private(set) var collations = ServerCollations()
  private var names: [Int64: String] = [:]
  private var indices: [Int64: Int] = [:]

  /// What lies between the parts of a list that the server sends as one text.
  private static let separator: Character = "\u{1F}"

  /// Reads the catalog.
  ///
  /// - Throws: ``StoreError`` if the server refuses it.
  init(_ connection: ServerConnection) throws(StoreError) {
    try readRelations(connection)
    collations = try ServerCollations(connection)
    try readColumns(connection)
    try readIndexes(connection)
    try readForeignKeys(connection)
    let order = catalog.tables.indices.sorted { catalog.tables[$0].name < catalog.tables[$1].name }
    catalog.tables = order.map { catalog.tables[$0] }
  }

  /// The relations that belong to people: not those of the server, and not the parts of others.
  private static let isOwn: SQL = """
    c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition \
    AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' \
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
    """

  /// The partitioned tables some of whose parts, or parts of parts, are foreign tables.
  private static let foreignParents: SQL = """
    WITH RECURSIVE above(oid) AS (\
    SELECT i.inhparent FROM pg_inherits i JOIN pg_class f ON f.oid = i.inhrelid \
    WHERE f.relkind = 'f' \
    UNION SELECT i.inhparent FROM pg_inherits i JOIN above a ON a.oid = i.inhrelid) \
    SELECT oid FROM above
    """

  private mutating func readRelations(_ connection: ServerConnection) throws(StoreError) {
    var found: [(oid: Int64, relation: Relation, isOnPath: Bool)] = []
    try connection.run(
      """
      SELECT c.oid, n.nspname, c.relname, c.relkind, obj_description(c.oid, 'pg_class'), \
      has_table_privilege(c.oid, 'INSERT') OR has_table_privilege(c.oid, 'UPDATE') \
      OR has_table_privilege(c.oid, 'DELETE'), pg_table_is_visible(c.oid), \
      c.relkind = 'f' OR c.relkind = 'p' AND c.oid IN (\(Self.foreignParents)) \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE \(Self.isOwn)
      """, doing: "reading the catalog"
    ) { row in
      let relation = Relation(
        schema: row.text(1) ?? "", name: row.text(2) ?? "", kind: row.text(3) ?? "",
        comment: row.text(4) ?? "", mayBeChanged: row.flag(5), isForeign: row.flag(7))
      found.append((row.integer(0) ?? 0, relation, row.flag(6)))
    }
    for (oid, relation, isOnPath) in found {
      // As a person would write it: without the schema where the search path finds it.
      let name = isOnPath ? relation.name : "\(relation.schema).\(relation.name)"
      guard relations[name] == nil else { continue }
      names[oid] = name
      relations[name] = relation
      indices[oid] = catalog.tables.count
      catalog.tables.append(
        Catalog.Table(name: name, kind: "rpf".contains(relation.kind) ? .table : .view))
    }
  }

  private mutating func readColumns(_ connection: ServerConnection) throws(StoreError) {
    var read: [(Int64, Catalog.Column, Column)] = []
    // to_jsonb, because not every release has each column of the catalog.
    try connection.run(
      """
      SELECT a.attrelid, a.attname, format_type(a.atttypid, a.atttypmod), \
      coalesce(b.typname, t.typname), coalesce(b.typtype, t.typtype) IN ('e', 'c', 'r', 'm'), \
      a.attnotnull OR t.typnotnull, pg_get_expr(d.adbin, d.adrelid), \
      to_jsonb(a)->>'attidentity', to_jsonb(a)->>'attgenerated', \
      col_description(a.attrelid, a.attnum), to_jsonb(o)->>'collisdeterministic' = 'false', \
      (SELECT string_agg(DISTINCT i.indcollation[0]::text, E'\\x1f') FROM pg_index i \
      JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam \
      WHERE i.indrelid = a.attrelid AND i.indkey[0] = a.attnum AND i.indisvalid \
      AND i.indpred IS NULL AND m.amname = 'btree' AND i.indcollation[0] <> 0) \
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
      JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid \
      LEFT JOIN pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype \
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
      LEFT JOIN pg_collation o ON o.oid = a.attcollation \
      WHERE a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(c.oid, a.attnum, 'SELECT') \
      AND \(Self.isOwn) ORDER BY a.attrelid, a.attnum
      """, doing: "reading the catalog"
    ) { row in
      let (identity, generated) = (row.text(7) ?? "", row.text(8) ?? "")
      let typeName = row.text(2) ?? "text"
      read.append(
        (
          row.integer(0) ?? 0,
          Catalog.Column(
            name: row.text(1) ?? "", declaredType: typeName, isNotNull: row.flag(5),
            defaultText: generated.isEmpty ? row.text(6) : nil, isGenerated: !generated.isEmpty),
          Column(
            type: ServerType(
              name: row.text(3) ?? "", written: typeName, isEnumerationOrComposite: row.flag(4),
              isDeterministic: !row.flag(10),
              collations: collations.ofIndexes(Self.list(row.text(11)))),
            typeName: typeName, comment: row.text(9) ?? "", isAlwaysIdentity: identity == "a",
            isIdentity: !identity.isEmpty)
        ))
    }
    for (oid, column, more) in read {
      guard let index = indices[oid], let name = names[oid] else { continue }
      catalog.tables[index].columns.append(column)
      columns[name, default: []].append(more)
    }
  }

  private mutating func readIndexes(_ connection: ServerConnection) throws(StoreError) {
    var read: [(Int64, Catalog.Index)] = []
    try connection.run(
      """
      SELECT i.indrelid, i.indisprimary, (SELECT string_agg(a.attname, E'\\x1f' ORDER BY k.place) \
      FROM unnest(i.indkey[0:i.indnkeyatts - 1]) WITH ORDINALITY k(number, place) \
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number) \
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid \
      JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL \
      AND \(Self.isOwn) ORDER BY i.indrelid, NOT i.indisprimary, i.indexrelid
      """, doing: "reading the catalog"
    ) { row in
      let parts = Self.list(row.text(2)).map { Catalog.Index.Part(name: $0, collation: "BINARY") }
      guard !parts.isEmpty else { return }
      read.append(
        (
          row.integer(0) ?? 0,
          Catalog.Index(isUnique: true, isPrimaryKey: row.flag(1), isPartial: false, parts: parts)
        ))
    }
    for (oid, index) in read {
      guard let table = indices[oid] else { continue }
      catalog.tables[table].indexes.append(index)
      guard index.isPrimaryKey else { continue }
      for (position, name) in index.columns.enumerated() {
        guard let column = catalog.tables[table].columns.firstIndex(where: { $0.name == name })
        else { continue }
        catalog.tables[table].columns[column].keyPosition = position + 1
      }
    }
  }

  private mutating func readForeignKeys(_ connection: ServerConnection) throws(StoreError) {
    var read:
      [(child: Int64, parent: Int64, columns: [String], referenced: [String], action: String)] =
        []
    try connection.run(
      """
      SELECT k.conrelid, k.confrelid, \
      (SELECT string_agg(a.attname, E'\\x1f' ORDER BY u.place) \
      FROM unnest(k.conkey) WITH ORDINALITY u(number, place) \
      JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number), \
      (SELECT string_agg(a.attname, E'\\x1f' ORDER BY u.place) \
      FROM unnest(k.confkey) WITH ORDINALITY u(number, place) \
      JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number), k.confdeltype \
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid \
      JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE k.contype = 'f' AND \(Self.isOwn) ORDER BY k.conrelid, k.oid
      """, doing: "reading the catalog"
    ) { row in
      read.append(
        (
          row.integer(0) ?? 0, row.integer(1) ?? 0, Self.list(row.text(2)), Self.list(row.text(3)),
          row.text(4) ?? ""
        ))
    }
    for key in read {
      guard let child = indices[key.child], let parent = names[key.parent] else { continue }
      let action =
        switch key.action {
        case "c": "CASCADE"
        case "n": "SET NULL"
        case "d": "SET DEFAULT"
        case "r": "RESTRICT"
        default: "NO ACTION"
        }
      catalog.tables[child].foreignKeys.append(
        Catalog.ForeignKey(
          parent: parent, columns: key.columns, referenced: key.referenced, onDelete: action,
          onUpdate: "NO ACTION"))
    }
  }

  /// The key columns of tables that have none of their own, and of views: those that somebody has named,
  /// or that the comment of a table names as `@primaryKey id, day`, as for PostGraphile.
  ///
  /// - Throws: ``StoreError`` for what the database does not have.
  func keys(named: [String: [String]]) throws(StoreError) -> [String: [String]] {
    var keys: [String: [String]] = [:]
    for table in catalog.tables {
      guard let match = relations[table.name]?.comment.firstMatch(of: #/@primaryKey\s+([^\n@]+)/#)
      else { continue }
      let names = match.1.split(separator: ",").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: "\" \t\r"))
      }
      // A comment may be out of date: one that names columns which the table lacks is ignored.
      let known = Set(table.columns.map(\.name))
      if !names.isEmpty, known.isSuperset(of: names) { keys[table.name] = names }
    }
    for (name, columns) in named.sorted(by: { $0.key < $1.key }) {
      guard let table = catalog.tables.first(where: { $0.name == name }) else {
        throw StoreError(.unknownName, doing: "naming a key", subject: name)
      }
      let known = Set(table.columns.map(\.name))
      if let unknown = columns.first(where: { !known.contains($0) }) {
        throw StoreError(
          .unknownName, doing: "naming a key", subject: "\(name).\(unknown)",
          remedy: "the columns: " + table.columns.map(\.name).joined(separator: ", "))
      }
      keys[name] = columns
    }
    return keys
  }

  private static func list(_ text: String?) -> [String] {
    text?.split(separator: separator).map(String.init) ?? []
  }
}
