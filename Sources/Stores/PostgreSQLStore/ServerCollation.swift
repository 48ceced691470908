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

  /// Locales of the C library that sort by bytes, or by code points, which is the same in UTF-8.
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
