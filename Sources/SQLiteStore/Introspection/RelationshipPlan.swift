import ObjectModel

/// The relationships that foreign keys make, table by table.
struct RelationshipPlan {
  /// The relationships of one table, and where they stand.
  struct Part {
    var descriptions: [RelationshipDescription] = []
    var toOne: [String: EntityTable.ToOne] = [:]
    var toMany: [String: EntityTable.ToMany] = [:]
    /// Columns whose values name rows.
    var keyColumns: Set<String> = []
    /// Names of attributes and relationships.
    fileprivate var taken: Set<String>
  }

  private let tables: [Catalog.Table]
  private let keys: [EntityTable.Key]
  /// The relationships, in the order of the tables.
  private(set) var parts: [Part]

  /// Makes the relationships.
  ///
  /// - Parameters:
  ///   - tables: The tables; an entity's name is its table's.
  ///   - keys: Their keys, in the same order.
  init(tables: [Catalog.Table], keys: [EntityTable.Key]) {
    self.tables = tables
    self.keys = keys
    parts = tables.map { Part(taken: Set($0.columns.map(\.name))) }
    let places = Dictionary(
      tables.indices.filter { tables[$0].kind == .table && keys[$0] != .none }
        .map { (tables[$0].name.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
    let links = tables.indices.filter { keys[$0] != .none }.map {
      ForeignLink.resolved(of: $0, in: tables, places: places)
    }
    // To-one names first: they are the plainest, and the ways back may not take them.
    let names = links.map { $0.map { addToOne($0) } }
    for (links, names) in zip(links, names) { addInverses(of: links, named: names) }
    for links in links { addManyToMany(links) }
  }

  /// Adds the way along a foreign key; its inverse is named later.
  private mutating func addToOne(_ link: ForeignLink) -> String {
    let parent = tables[link.parent].name
    let words = RelationshipNaming.words(forKey: link.columns, to: parent)
    let name = RelationshipNaming.toOne(words, to: parent, taken: parts[link.source].taken)
    let columns = link.columns.compactMap { tables[link.source].column(named: $0) }
    parts[link.source].add(
      RelationshipDescription(
        name, to: parent, isOptional: columns.contains { !$0.isNotNull && $0.keyPlace == 0 },
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
          deleteRule: Self.deleteRule(link)))
      if link.isUnique {
        parts[link.parent].toOne[inverse] = EntityTable.ToOne(
          columns: link.referenced, referenced: link.columns, referencesKey: false, isInverse: true)
      } else {
        parts[link.parent].toMany[inverse] = .foreignKey(
          EntityTable.ForeignKey(columns: link.columns, referenced: link.referenced))
      }
    }
  }

  /// Adds the two ways through a table of pairs.
  private mutating func addManyToMany(_ links: [ForeignLink]) {
    guard links.count == 2, let place = links.first?.source, let pairing = pairing(links, in: place)
    else { return }
    let names = [(0, 1), (1, 0)].map { from, to in
      let destination = tables[links[to].parent].name
      let name = RelationshipNaming.manyToMany(
        alongKey: RelationshipNaming.words(forKey: links[to].columns, to: destination),
        to: destination, through: tables[place].name,
        isToSelf: links[from].parent == links[to].parent, taken: parts[links[from].parent].taken)
      parts[links[from].parent].taken.insert(name)
      return name
    }
    for (from, to) in [(0, 1), (1, 0)] {
      // A column of positions orders what the first foreign key's object has.
      let orderColumn = from == 0 ? pairing.orderColumn : nil
      parts[links[from].parent].add(
        RelationshipDescription(
          names[from], to: tables[links[to].parent].name, inverse: names[to], isToMany: true,
          isOrdered: orderColumn != nil, deleteRule: .noAction))
      parts[links[from].parent].toMany[names[from]] = .join(
        EntityTable.JoinTable(
          name: tables[place].name, sourceColumns: links[from].columns,
          sourceReferenced: links[from].referenced, destinationColumns: links[to].columns,
          destinationReferenced: links[to].referenced, orderColumn: orderColumn))
    }
  }

  /// What makes a table one of pairs.
  private struct Pairing {
    var orderColumn: String?
  }

  /// Whether a table with two foreign keys is there to pair objects; nil when it is more than that.
  private func pairing(_ links: [ForeignLink], in place: Int) -> Pairing? {
    let table = tables[place]
    let pair = Set(links.flatMap(\.columns))
    guard pair.count == links.reduce(0, { $0 + $1.columns.count }),
      !links.contains(where: \.isUnique)
    else { return nil }
    let others = table.columns.filter { !pair.contains($0.name) && $0.keyPlace == 0 }
    let isKeyedByPair = table.isUnique(Array(pair)) && Set(table.primaryKey.map(\.name)) == pair
    let order = others.first { Self.orderNames.contains(NameWords($0.name).words.joined()) }
    let areIncidental = others.allSatisfy {
      $0 == order || NameWords($0.name).speaksOfTime
    }
    return isKeyedByPair || areIncidental ? Pairing(orderColumn: order?.name) : nil
  }

  private static let orderNames: Set<String> = [
    "position", "order", "sort", "sortorder", "sortindex", "seq", "sequence", "ordinal", "idx",
    "index", "rank", "place", "orderindex", "displayorder",
  ]

  private static func deleteRule(_ link: ForeignLink) -> DeleteRule {
    switch link.onDelete {
    case "CASCADE": .cascade
    case "SET NULL", "SET DEFAULT": .nullify
    default: .deny
    }
  }
}

extension RelationshipPlan.Part {
  fileprivate mutating func add(_ description: RelationshipDescription) {
    descriptions.append(description)
    taken.insert(description.name)
  }

  fileprivate mutating func setInverse(_ inverse: String, of name: String) {
    for place in descriptions.indices where descriptions[place].name == name {
      descriptions[place].inverseName = inverse
    }
  }
}

extension EntityTable.Key {
  /// The columns whose values make the key; empty when there is none.
  var columns: [String] {
    switch self {
    case .rowid(let name): [name]
    case .columns(let names): names
    case .none: []
    }
  }
}
