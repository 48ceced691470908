import ObjectModel
import SQLQueries

extension StoreReader {
  /// The names of the external files to which attributes of objects refer.
  ///
  /// - Parameters:
  ///   - ids: The objects, of any entities.
  ///   - statements: Runs the queries: one for each attribute and 500 objects.
  ///   - isIncluded: Whether an attribute of an object counts.
  /// - Returns: The names.
  /// - Throws: ``StoreError``.
  func externalFileNames(
    of ids: [ObjectID], _ statements: SaveStatements,
    where isIncluded: (ObjectID, AttributeDescription) -> Bool = { _, _ in true }
  ) throws(StoreError) -> Set<String> {
    var names: Set<String> = []
    for (entityName, ids) in Dictionary(grouping: ids, by: \.entityName) {
      for (attribute, column) in externalColumns(of: entityName) {
        let scope = try QueryScope(entityName: entityName, layout: layout)
        let value = scope.column(column)
        let own = ids.filter { isIncluded($0, attribute) }
        for chunk in own.chunks(of: QueryScope.keysPerStatement) {
          let keys = scope.condition(keys: chunk.map(\.key))
          let rows = try statements.rows(
            "SELECT \(value) FROM \(scope.from) WHERE \(keys) AND length(\(value)) = 38")
          names.formUnion(rows.compactMap { $0.first?.externalFileName })
        }
      }
    }
    return names
  }

  /// Those of some external files to which any row refers.
  ///
  /// - Throws: ``StoreError``.
  func externalFileNames(among names: Set<String>, _ statements: SaveStatements)
    throws(StoreError) -> Set<String>
  {
    var columns: Set<[String]> = []
    for (entityName, table) in layout.tables {
      for (_, column) in externalColumns(of: entityName) { columns.insert([table.name, column]) }
    }
    var used: Set<String> = []
    for column in columns.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let value = SQL.column(column[1], of: "t")
      for chunk in names.sorted().chunks(of: QueryScope.keysPerStatement) {
        let references = chunk.map { Value.data(ExternalFolder.reference(to: $0)) }
        let rows = try statements.rows(
          "SELECT \(value) FROM \(name: column[0]) t WHERE \(value) IN (\(references))")
        used.formUnion(rows.compactMap { $0.first?.externalFileName })
      }
    }
    return used
  }

  /// The attributes of an entity whose values may be in external files, with their columns.
  private func externalColumns(of entityName: String) -> [(AttributeDescription, String)] {
    guard let entity = layout.model.entity(named: entityName),
      let table = layout.tables[entityName]
    else { return [] }
    return zip(entity.attributes, table.columns).filter { $0.0.encoding == .externalData }
  }
}
