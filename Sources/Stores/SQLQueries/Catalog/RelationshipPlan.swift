package import ObjectModel

/// Derives the relationships of all entities from the foreign keys of their tables.
package struct RelationshipPlan {
  /// The relationships of one table.
  package struct Part {
    package var descriptions: [RelationshipDescription] = []
    /// The columns of the to-one relationships, by relationship name.
    package var toOne: [String: EntityTable.ToOne] = [:]
    /// The foreign keys or join tables of the to-many relationships, by relationship name.
    package var toMany: [String: EntityTable.ToMany] = [:]
    /// The columns of the table's foreign keys.
    package var keyColumns: Set<String> = []
    /// The names of the attributes and the relationships so far.
    fileprivate var taken: Set<String>
  }

  private let tables: [Catalog.Table]
  private let keys: [EntityTable.Key]
  /// The relationships of each table, in the order of the tables.
  package private(set) var parts: [Part]

  /// Derives the relationships.
  ///
  /// - Parameters:
  ///   - catalog: The tables; an entity has the name of its table.
  ///   - keys: The keys of their rows, in the same order.
  package init(_ catalog: Catalog, keys: [EntityTable.Key]) {
    let tables = catalog.tables
    self.tables = tables
    self.keys = keys
    parts = tables.map { Part(taken: Set($0.columns.map(\.name))) }
    let keyed = tables.indices.filter { tables[$0].kind == .table && keys[$0] != .none }
    let indices = Dictionary(
      firstOf: keyed.map { (tables[$0].name, $0) } + keyed.map { (tables[$0].name.nameKey, $0) })
    let links = tables.indices.filter { keys[$0] != .none }.map {
      ForeignLink.resolved(of: $0, in: catalog, indices: indices)
    }
    // Name to-one relationships first, so that no inverse takes their simple names.
    let names = links.map { $0.map { addToOne($0) } }
    for (links, names) in zip(links, names) { addInverses(of: links, named: names) }
    for links in links { addManyToMany(links) }
  }

  /// Adds the to-one relationship of a foreign key and returns its name; its inverse is set later.
  private mutating func addToOne(_ link: ForeignLink) -> String {
    let parent = tables[link.parent].name
    let words = RelationshipNaming.words(forKey: link.columns, to: parent)
    let name = RelationshipNaming.toOne(words, to: parent, taken: parts[link.source].taken)
    let columns = link.columns.compactMap { tables[link.source].column(named: $0) }
    parts[link.source].add(
      RelationshipDescription(
        name, to: parent, isOptional: columns.contains { !$0.isNotNull && $0.keyPosition == 0 },
        foreignKeyAttributes: link.columns))
    parts[link.source].keyColumns.formUnion(link.columns)
    parts[link.source].toOne[name] = EntityTable.ToOne(
      columns: link.columns, referenced: link.referenced,
      referencesKey: keys[link.parent].columns == link.referenced)
    return name
  }

  private mutating func addInverses(of links: [ForeignLink], named names: [String]) {
    for (link, name) in zip(links, names) {
      let source = tables[link.source].name
      let inverse = RelationshipNaming.inverse(
        from: source,
        alongKey: RelationshipNaming.words(forKey: link.columns, to: tables[link.parent].name),
        isAmbiguous: links.count { $0.parent == link.parent } > 1,
        isToSelf: link.source == link.parent, isUnique: link.isUnique,
        taken: parts[link.parent].taken)
      parts[link.source].setInverse(inverse, of: name)
      parts[link.parent].add(
        RelationshipDescription(
          inverse, to: source, inverse: name, isToMany: !link.isUnique,
          deleteRule: deleteRule(link)))
      if link.isUnique {
        parts[link.parent].toOne[inverse] = EntityTable.ToOne(
          columns: link.referenced, referenced: link.columns, referencesKey: false, isInverse: true)
      } else {
        parts[link.parent].toMany[inverse] = .foreignKey(
          EntityTable.ForeignKey(columns: link.columns, referenced: link.referenced))
      }
    }
  }

  /// Adds the many-to-many relationship and its inverse if the table is a join table.
  private mutating func addManyToMany(_ links: [ForeignLink]) {
    guard links.count == 2, let index = links.first?.source,
      let order = orderColumn(of: links, at: index)
    else { return }
    let names = [(0, 1), (1, 0)].map { from, to in
      let destination = tables[links[to].parent].name
      let name = RelationshipNaming.manyToMany(
        alongKey: RelationshipNaming.words(forKey: links[to].columns, to: destination),
        to: destination, through: tables[index].name,
        isToSelf: links[from].parent == links[to].parent, taken: parts[links[from].parent].taken)
      parts[links[from].parent].taken.insert(name)
      return name
    }
    for (from, to) in [(0, 1), (1, 0)] {
      // An order column applies to the objects related to the first foreign key's parent.
      let orderColumn = from == 0 ? order : nil
      parts[links[from].parent].add(
        RelationshipDescription(
          names[from], to: tables[links[to].parent].name, inverse: names[to], isToMany: true,
          isOrdered: orderColumn != nil, deleteRule: .noAction))
      parts[links[from].parent].toMany[names[from]] = .join(
        EntityTable.JoinTable(
          name: tables[index].name, sourceColumns: links[from].columns,
          sourceReferenced: links[from].referenced, destinationColumns: links[to].columns,
          destinationReferenced: links[to].referenced, orderColumn: orderColumn))
    }
  }

  /// Returns the column with the positions of an ordered relationship, or that there is none, if a
  /// table with two foreign keys is a join table; nil if it is not.
  ///
  /// In a join table the two foreign keys are the primary key, or the other columns are only a key,
  /// an order and dates.
  private func orderColumn(of links: [ForeignLink], at index: Int) -> String?? {
    let table = tables[index]
    let pair = Set(links.flatMap(\.columns))
    guard pair.count == links.reduce(0, { $0 + $1.columns.count }),
      !links.contains(where: \.isUnique)
    else { return nil }
    let others = table.columns.filter { !pair.contains($0.name) && $0.keyPosition == 0 }
    let isKeyedByPair = table.isUnique(Array(pair)) && Set(table.primaryKey.map(\.name)) == pair
    let order = others.first { Self.orderNames.contains(NameWords($0.name).words.joined()) }
    let areIncidental = others.allSatisfy {
      $0 == order || NameWords($0.name).suggestsDate
    }
    return isKeyedByPair || areIncidental ? .some(order?.name) : nil
  }

  private static let orderNames: Set<String> = [
    "position", "order", "sort", "sortorder", "sortindex", "seq", "sequence", "ordinal", "idx",
    "index", "rank", "place", "orderindex", "displayorder",
  ]

  private func deleteRule(_ link: ForeignLink) -> DeleteRule {
    switch link.onDelete {
    // A statement of SQLite does nothing about it either, unless foreign keys are enforced.
    case _ where !link.isEnforced: .noAction
    case "CASCADE": .cascade
    case "SET NULL": .nullify
    // A default that is an expression is known only when SQLite computes it.
    case "SET DEFAULT" where hasKnownDefaults(link): .setDefault
    default: .deny
    }
  }

  private func hasKnownDefaults(_ link: ForeignLink) -> Bool {
    link.columns.allSatisfy { name in
      guard let text = tables[link.source].column(named: name)?.defaultText else { return true }
      return DefaultLiteral.value(text) != nil
    }
  }
}

extension RelationshipPlan.Part {
  fileprivate mutating func add(_ description: RelationshipDescription) {
    descriptions.append(description)
    taken.insert(description.name)
  }

  fileprivate mutating func setInverse(_ inverse: String, of name: String) {
    for index in descriptions.indices where descriptions[index].name == name {
      descriptions[index].inverseName = inverse
    }
  }
}
