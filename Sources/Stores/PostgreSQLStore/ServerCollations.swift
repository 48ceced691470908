import ObjectModel
import SQLQueries

/// The collations that are in use in a database.
struct ServerCollations: Sendable {
  /// That of the database.
  private(set) var own = ServerCollation.bytes
  /// Those of indexes, by their OIDs.
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
        locale: row.text(2) ?? locale,
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
          locale: row.text(4),
          comparesBytes: ServerCollation.comparesBytes(provider: provider, locale: row.text(4)))
    }
  }

  /// The collations of a column's indexes, by their OIDs, without nondeterministic ones.
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
