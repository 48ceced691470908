public import ObjectModel

extension ManagedObjectContext {
  /// Fetches values instead of objects: the dictionary results of Core Data.
  ///
  /// With expressions or properties to group by, a result is computed from several objects:
  ///
  ///     let rows = try context.fetchDictionaries(
  ///       Disc.fetchRequest(),
  ///       expressions: [.count(name: "discs"), .max(Disc.bought, name: "last")],
  ///       propertiesToGroupBy: ["owner.username"],
  ///       havingPredicate: FetchPredicate(format: "$discs > 3"))
  ///
  /// Objects are in one group if all their values are equal, null among them, as the store and
  /// memory compare them: 1 and 1.0 are equal, text is by its bytes. SQL stores compute the groups
  /// by one statement with GROUP BY and HAVING, unless unsaved changes alter them: then memory does,
  /// with the same results. The order, limit and offset of the request are those of the groups.
  ///
  /// - Parameters:
  ///   - request: What to fetch. With groups its sort descriptors are by attributes to group by, or
  ///     of objects to group by, and by names of expressions; groups that are equal in them are in
  ///     the order of their values. Those of a request for one result have no effect.
  ///   - propertiesToFetch: The attributes and to-one relationships, or key paths to such through
  ///     to-one relationships. The value of a relationship is the URI of its object, as a text that
  ///     `ObjectID(uriRepresentation:)` takes; `objectID` is that of the object itself. Nil for all
  ///     attributes of the entity, with groups for all properties to group by; empty for expressions
  ///     alone, without any for all attributes.
  ///   - expressions: What to compute, under names of their own; all are among the results. Without
  ///     properties to group by there is one result, computed from all objects.
  ///   - propertiesToGroupBy: The attributes and to-one relationships, or key paths, whose values
  ///     the objects of a group have in common. With them only they and expressions can be fetched.
  ///   - havingPredicate: Which groups are returned: a condition on attributes to group by, on
  ///     expressions (`$name`, as in Core Data, or just the name), and on `count(key)`, `sum(key)`,
  ///     `min(key)`, `max(key)` and `average(key)`.
  ///   - returnsDistinctResults: Whether equal results are returned once; the request's limit and
  ///     offset count those.
  /// - Returns: The decoded values by key path or name, in the order of the request. They are values:
  ///   they may be sent anywhere. Unsaved changes are included unless the request excludes them.
  /// - Throws: ``ManagedObjectError`` if a property does not exist, is neither grouped by nor an
  ///   expression, or the store cannot be read; `FetchPredicateError` if a predicate does not fit.
  /// - Complexity: With groups, one pass over the objects that match and memory for the groups.
  public func fetchDictionaries<Object>(
    _ request: FetchRequest<Object>, propertiesToFetch: [String]? = nil,
    expressions: [ExpressionDescription] = [], propertiesToGroupBy: [String] = [],
    havingPredicate: FetchPredicate? = nil, returnsDistinctResults: Bool = false
  ) throws -> [[String: Value]] {
    let entity = try entity(named: request.entityName, doing: "fetching")
    if !expressions.isEmpty || !propertiesToGroupBy.isEmpty || havingPredicate != nil {
      let fetch = try request.plan(in: model)
      var grouped = try GroupedRequest(
        self, entity, groupedBy: propertiesToGroupBy, expressions: expressions,
        sortedBy: fetch.sortDescriptors.map(\.keyPath))
      let (plan, names) = try grouped.plan(
        fetch, fetching: propertiesToFetch, having: havingPredicate,
        isDistinct: returnsDistinctResults)
      return try reader(of: request).fetchGroups(plan).map { dictionary(names, $0) }
    }
    var names = propertiesToFetch ?? []
    if names.isEmpty { names = entity.attributes.map { KeyPathText.text([$0.name]) } }
    let paths = try names.map { try propertyPath($0, of: entity) }
    return try reader(of: request).fetchRows(
      request, paths, isDistinct: returnsDistinctResults
    ).map { dictionary(names, $0) }
  }

  private func dictionary(_ names: [String], _ row: [Value]) -> [String: Value] {
    Dictionary(zip(names, row)) { first, _ in first }
  }

  /// Fetches the values of one attribute.
  ///
  /// - Parameters:
  ///   - key: The attribute, of the entity or through to-one relationships.
  ///   - request: What to fetch.
  ///   - returnsDistinctResults: Whether equal values are returned once; the request's limit and
  ///     offset count those.
  /// - Returns: The values, in the order of the request.
  /// - Throws: As fetching dictionaries of the attribute.
  public func fetchValues<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, _ request: FetchRequest<Object>,
    returnsDistinctResults: Bool = false
  ) throws -> [Attribute] {
    let entity = try entity(named: request.entityName, doing: "fetching")
    let path = PropertyPath(
      names: try attributePath(key.keyPath, of: entity).names, isRelationship: false)
    return try reader(of: request).fetchRows(
      request, [path], isDistinct: returnsDistinctResults
    ).map {
      Attribute(attributeValue: $0[0]) ?? Attribute.missingValue
    }
  }

  /// The context that reads the results: one without unsaved changes if they are excluded.
  private func reader<Object>(of request: FetchRequest<Object>) -> ManagedObjectContext {
    guard hasChanges, !request.includesPendingChanges else { return self }
    return ManagedObjectContext(withoutClasses: persistentStoreCoordinator)
  }

  /// How many rows are read at once.
  static let chunk = 500

  private func fetchRows<Object>(
    _ request: FetchRequest<Object>, _ paths: [PropertyPath], isDistinct: Bool
  ) throws -> [[Value]] {
    var plan = try request.plan(in: model)
    let (limit, offset) = (plan.limit ?? .max, plan.offset)
    if isDistinct { (plan.limit, plan.offset) = (nil, 0) }
    let ids = try fetchIDs(plan).ids
    let related = Set(paths.map { Array($0.names.dropLast()) }).filter { !$0.isEmpty }
      .map { KeyPathText.text($0) }.sorted()
    var rows: [[Value]] = []
    var seen: Set<[Value]> = []
    for part in ids.chunks(of: Self.chunk).lazy.map(Array.init) {
      try prefetch(relationships: related, of: part)
      for id in part {
        let row = try paths.map { path in
          path.isRelationship
            ? destinationURI(at: path.names, of: id) : try wholeValue(at: path.names, of: id)
        }
        if isDistinct, !seen.insert(row).inserted { continue }
        rows.append(row)
      }
    }
    return isDistinct ? Array(rows.dropFirst(offset).prefix(limit)) : rows
  }
}
