import ObjectModel
import SQLQueries

/// A collation of the server.
struct ServerCollation: Hashable, Sendable {
  /// The collation as it is written in a statement.
  let sql: SQL
  /// The collation as others know it.
  let collation: TextCollation
  /// Whether it compares texts by their bytes.
  let comparesBytes: Bool

  /// The collation that every server has, which compares bytes.
  static let bytes = ServerCollation(name: "C", locale: nil, comparesBytes: true)

  /// Makes a collation by its name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - schema: The schema; nil for the server's own.
  ///   - title: What it is called here; nil for its name.
  ///   - locale: Its locale; nil if the name says it.
  ///   - comparesBytes: Whether it compares bytes.
  init(
    name: String, schema: String? = nil, title: String? = nil, locale: String?,
    comparesBytes: Bool
  ) {
    let own: SQL = schema.map { "\(name: $0).\(name: name)" } ?? "\(name: name)"
    sql = " COLLATE \(own)"
    collation = TextCollation(
      title ?? (schema.map { "\($0).\(name)" } ?? name), localeIdentifier: locale)
    self.comparesBytes = comparesBytes
  }

  /// Locales of the C library whose order is that of the bytes, or of the code points, which for UTF-8
  /// is the same.
  private static let byteLocales: Set = ["C", "POSIX", "C.UTF-8", "C.utf8"]

  /// Whether texts are compared by their bytes by a provider of pg_collation, with a locale.
  static func comparesBytes(provider: String, locale: String?) -> Bool {
    switch provider {
    // The server's own.
    case "b": true
    case "c", "": locale.map(byteLocales.contains) ?? false
    default: false
    }
  }
}

/// The collations by which the texts of a column can be ordered.
struct ColumnCollations: Hashable, Sendable {
  /// Those of its indexes that order as a person does.
  let indexed: [ServerCollation]
  /// The one by which bytes are compared: that of an index, if there is one.
  let bytes: ServerCollation

  /// Takes the collations of a column's indexes.
  init(of indexes: [ServerCollation]) {
    indexed = indexes.filter { !$0.comparesBytes }
    bytes = indexes.first(where: \.comparesBytes) ?? .bytes
  }
}

/// The collations that are in use in a database.
struct ServerCollations: Sendable {
  /// That of the database.
  private(set) var own = ServerCollation.bytes
  /// Those of indexes, by their numbers in the catalog.
  private var indexed: [String: ServerCollation] = [:]

  init() {}

  /// Reads the collations of indexes.
  ///
  /// - Throws: ``StoreError`` if the server refuses it.
  init(_ connection: ServerConnection) throws(StoreError) {
    // to_jsonb, because not every release has each column of the catalog.
    try connection.run(
      """
      SELECT to_jsonb(d)->>'datlocprovider', datcollate, \
      coalesce(to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale') \
      FROM pg_database d WHERE datname = current_database()
      """, doing: "reading the catalog"
    ) { row in
      let (provider, locale) = (row.text(0) ?? "c", row.text(1) ?? "C")
      own = ServerCollation(
        name: "default", title: row.text(2) ?? locale,
        locale: row.text(2) ?? String(locale.prefix { $0 != "." && $0 != "@" }),
        comparesBytes: ServerCollation.comparesBytes(provider: provider, locale: locale))
    }
    try connection.run(
      """
      SELECT o.oid, n.nspname, o.collname, to_jsonb(o)->>'collprovider', \
      coalesce(to_jsonb(o)->>'colllocale', to_jsonb(o)->>'colliculocale', o.collcollate) \
      FROM pg_collation o JOIN pg_namespace n ON n.oid = o.collnamespace \
      WHERE o.oid IN (SELECT indcollation[0] FROM pg_index) \
      AND to_jsonb(o)->>'collisdeterministic' IS DISTINCT FROM 'false'
      """, doing: "reading the catalog"
    ) { row in
      let (schema, name, provider) = (row.text(1) ?? "", row.text(2) ?? "", row.text(3) ?? "c")
      indexed[row.text(0) ?? ""] =
        provider == "d"
        ? own
        : ServerCollation(
          name: name, schema: schema == "pg_catalog" ? nil : schema,
          locale: row.text(4).map { String($0.prefix { $0 != "." && $0 != "@" }) },
          comparesBytes: ServerCollation.comparesBytes(provider: provider, locale: row.text(4)))
    }
  }

  /// The collations of a column's indexes, by their numbers; those that are not deterministic are no
  /// order of values.
  func ofIndexes(_ numbers: [String]) -> ColumnCollations {
    ColumnCollations(
      of: numbers.compactMap { indexed[$0] }.sorted { $0.collation.name < $1.collation.name })
  }

  /// The collation that somebody has named; one that is in no index by its name alone.
  func collation(_ collation: TextCollation) -> ServerCollation {
    ([own] + indexed.values).first { $0.collation.name == collation.name }
      ?? ServerCollation(name: collation.name, locale: nil, comparesBytes: false)
  }
}
