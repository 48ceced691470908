/// A foreign key both ends of which are there.
struct ForeignLink: Hashable {
  /// The places of the tables in the catalog.
  var source: Int
  var parent: Int
  /// The source's columns and those of the parent they name, in the order of the parent's key where they are that.
  var columns: [String]
  var referenced: [String]
  /// What stands after ON DELETE.
  var onDelete: String
  /// Whether at most one row of the source refers to a row of the parent.
  var isUnique: Bool

  /// Resolves the foreign keys of a table, leaving out those that lead nowhere and repetitions.
  ///
  /// - Parameters:
  ///   - place: The table's place among the tables.
  ///   - tables: All tables.
  ///   - places: The places of tables by their names in lower case.
  /// - Returns: The links in the order in which they are declared.
  static func resolved(of place: Int, in tables: [Catalog.Table], places: [String: Int])
    -> [ForeignLink]
  {
    var links: [ForeignLink] = []
    for key in tables[place].foreignKeys {
      guard let link = link(key, from: place, in: tables, places: places),
        !links.contains(where: { $0.parent == link.parent && $0.columns == link.columns })
      else { continue }
      links.append(link)
    }
    return links
  }

  private static func link(
    _ key: Catalog.ForeignKey, from place: Int, in tables: [Catalog.Table], places: [String: Int]
  ) -> ForeignLink? {
    let source = tables[place]
    guard let parentPlace = places[key.parent.lowercased()] else { return nil }
    let parent = tables[parentPlace]
    let columns = key.columns.compactMap { source.column(named: $0)?.name }
    let primaryKey = parent.primaryKey.map(\.name)
    let referenced =
      key.referenced.isEmpty
      ? primaryKey : key.referenced.compactMap { parent.column(named: $0)?.name }
    guard !columns.isEmpty, columns.count == key.columns.count, columns.count == referenced.count
    else { return nil }
    var pairs = Array(zip(columns, referenced))
    if Set(referenced) == Set(primaryKey) {
      pairs.sort {
        (primaryKey.firstIndex(of: $0.1) ?? 0) < (primaryKey.firstIndex(of: $1.1) ?? 0)
      }
    }
    return ForeignLink(
      source: place, parent: parentPlace, columns: pairs.map(\.0), referenced: pairs.map(\.1),
      onDelete: key.onDelete.uppercased(), isUnique: source.isUnique(columns))
  }
}
