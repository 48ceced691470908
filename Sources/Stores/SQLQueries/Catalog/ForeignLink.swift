/// A foreign key whose tables and columns exist.
package struct ForeignLink: Hashable {
  /// The index of the child table, which has the foreign key, in the catalog.
  package var source: Int
  /// The index of the parent table in the catalog.
  package var parent: Int
  /// The columns of the foreign key, in the order of ``referenced``.
  package var columns: [String]
  /// The parent's columns; in the order of its primary key if they are the primary key.
  package var referenced: [String]
  /// The action after ON DELETE, in capitals.
  package var onDelete: String
  /// Whether the foreign key's columns are unique, so that the relationship is one-to-one.
  package var isUnique: Bool
  /// Whether SQLite can enforce the foreign key.
  package var isEnforced: Bool

  /// Resolves the foreign keys of a table, in the order of their declaration, without invalid and
  /// repeated ones; `indices` are by name and by ``String/nameKey``.
  package static func resolved(of source: Int, in catalog: Catalog, indices: [String: Int])
    -> [ForeignLink]
  {
    var links: [ForeignLink] = []
    for key in catalog.tables[source].foreignKeys {
      guard let link = link(key, from: source, in: catalog, indices: indices),
        !links.contains(where: { $0.parent == link.parent && $0.columns == link.columns })
      else { continue }
      links.append(link)
    }
    return links
  }

  private static func link(
    _ key: Catalog.ForeignKey, from source: Int, in catalog: Catalog, indices: [String: Int]
  ) -> ForeignLink? {
    guard let parentIndex = indices[key.parent] ?? indices[key.parent.nameKey] else { return nil }
    let (child, parent) = (catalog.tables[source], catalog.tables[parentIndex])
    let columns = key.columns.compactMap { child.column(named: $0)?.name }
    let primaryKey = parent.primaryKey.map(\.name)
    guard !columns.isEmpty, columns.count == key.columns.count,
      let referenced = catalog.referencedColumns(of: key, in: parent)?.map(\.name)
    else { return nil }
    var pairs = Array(zip(columns, referenced))
    if Set(referenced) == Set(primaryKey) {
      pairs.sort {
        (primaryKey.firstIndex(of: $0.1) ?? 0) < (primaryKey.firstIndex(of: $1.1) ?? 0)
      }
    }
    return ForeignLink(
      source: source, parent: parentIndex, columns: pairs.map(\.0), referenced: pairs.map(\.1),
      onDelete: key.onDelete.uppercased(), isUnique: child.isUnique(columns),
      isEnforced: catalog.obstacle(to: key) == nil)
  }
}
