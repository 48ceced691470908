/// What every store promises to those who read it, as a check for the tests of a store of one's own.
///
/// It compares the store's answers with what follows from its rows: orders, sections, limits,
/// predicates, counts, versions and relationships. Nothing above a store knows which kind it has, so
/// one that keeps the contract works in contexts, lists and screens. Nothing is changed.
///
///     #expect(try StoreContract(Planets()).violations() == [])
public struct StoreContract {
  private let store: any PersistentStore

  /// Checks a store that is not changed meanwhile, and that has a few rows of each entity.
  public init(_ store: any PersistentStore) { self.store = store }

  /// Returns what the store does not keep, a sentence each; empty for a store that keeps all.
  ///
  /// - Throws: ``StoreError`` if the store refuses what it must answer.
  /// - Complexity: A few fetches for each attribute.
  public func violations() throws(StoreError) -> [String] {
    var found: [String] = []
    let rows = try readRows(&found)
    for entity in store.model.entities {
      for plan in plans(of: entity, rows) { try check(plan, rows, &found) }
      for relationship in entity.relationships { try check(relationship, of: entity, rows, &found) }
    }
    do throws(StoreError) {
      _ = try store.fetch(FetchPlan(entityName: "no such entity"), control: nil)
      found.append("fetch(_:control:) does not refuse an entity that is not in the model")
    } catch  where error.reason != .unknownName {
      found.append("fetch(_:control:) refuses an unknown entity with the reason \(error.reason)")
    } catch {}
    return found
  }

  /// The rows of a store, with the links that it returns.
  private struct ReadRows: StoredRows {
    let table: RowTable
    let store: any PersistentStore

    var model: ManagedObjectModel { store.model }
    var objectIDs: some Collection<ObjectID> { table.objectIDs }
    func row(of id: ObjectID) -> RowSnapshot? { table.row(of: id) }
    func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
      -> [ObjectID: [ObjectID]]
    { try store.destinations(of: relationship, from: ids) }
  }

  private func readRows(_ found: inout [String]) throws(StoreError) -> ReadRows {
    var rows: [RowSnapshot] = []
    for entity in store.model.entities {
      let plan = FetchPlan(entityName: entity.name, includesSubentities: false)
      let ids = Array(try store.fetch(plan, control: nil).ids)
      let unknown = ObjectID(
        storeIdentifier: store.identifier, entityName: entity.name, key: .integer(.min + 7))
      let (read, versions) = (
        try store.rows(of: ids.reversed() + [unknown]), try store.rowVersions(of: ids)
      )
      if read.map({ $0?.id }) != ids.reversed() + [nil] {
        found.append(
          "rows(of:) does not return a row for each object of \(entity.name), in the order of the IDs,"
            + " and nil for an object that does not exist")
      }
      if versions.map({ $0?.version }) != read.dropLast().reversed().map({ $0?.version }) {
        found.append("rowVersions(of:) has other versions than rows(of:) for \(entity.name)")
      }
      for case var row? in read {
        guard row.values.count == entity.attributes.count,
          row.toOne.count == entity.toOneRelationships.count
        else {
          found.append("the rows of \(entity.name) have not a value for each attribute and to-one")
          break
        }
        for index in row.cutLengths.keys {
          row.values[index] = try store.value(of: entity.attributes[index].name, for: row.id)
        }
        rows.append(RowSnapshot(id: row.id, version: 0, values: row.values, toOne: row.toOne))
      }
    }
    return ReadRows(table: RowTable(rows, model: store.model), store: store)
  }

  private func plans(of entity: EntityDescription, _ rows: ReadRows) -> [FetchPlan] {
    let all = FetchPlan(entityName: entity.name)
    var plans = [all]
    let first = rows.objectIDs.filter { $0.entityName == entity.name }.min().flatMap(rows.row)
    for (index, attribute) in entity.attributes.enumerated() {
      guard ![.binaryData, .transformable, .undefined].contains(attribute.type) else { continue }
      for ascending in [true, false] {
        var plan = all
        plan.sortDescriptors = [FetchSortDescriptor(attribute.name, ascending: ascending)]
        plan.sectionKey = SectionKey(attribute.name)
        plans.append(plan)
        plan.sectionKey = nil
        (plan.limit, plan.offset, plan.isFromEnd) = (2, 1, ascending)
        plans.append(plan)
      }
      let values = [Value.null] + (first.map { [attribute.decode($0.values[index])] } ?? [])
      for value in values {
        let comparison = FetchPredicate.Comparison(
          .keyPath([attribute.name]), .equal, .constant(value))
        for node in [FetchPredicate.Node.comparison(comparison), .not(.comparison(comparison))] {
          var plan = all
          plan.predicate = try? FetchPredicate(node)
            .validated(forEntity: entity.name, in: store.model)
          if plan.predicate != nil { plans.append(plan) }
        }
      }
    }
    return plans
  }

  private func check(_ plan: FetchPlan, _ rows: ReadRows, _ found: inout [String])
    throws(StoreError)
  {
    let expected = try plan.evaluated(over: rows)
    let fetched = try store.fetch(plan, control: nil)
    var words = [plan.entityName, plan.predicate.map { "where \($0.predicate)" }]
    words += plan.sortDescriptors.map { "by \($0.keyPath)\($0.ascending ? "" : " descending")" }
    let side = plan.isFromEnd ? " from the end" : ""
    words.append(plan.limit.map { "\($0) after \(plan.offset)\(side)" })
    let subject = words.compactMap(\.self).joined(separator: " ")
    if Array(fetched.ids) != Array(expected.ids) {
      found.append(
        "fetch(_:control:) of \(subject) returns \(fetched.ids.count) objects that are not the"
          + " \(expected.ids.count) expected ones in their order")
    } else if fetched.sections != expected.sections {
      found.append("fetch(_:control:) of \(subject) has other sections than the order gives")
    }
    if try store.count(plan, control: nil) != expected.ids.count {
      found.append("count(_:control:) of \(subject) is not \(expected.ids.count)")
    }
  }

  /// Compares a relationship with the rows and with its inverse.
  private func check(
    _ relationship: RelationshipDescription, of entity: EntityDescription, _ rows: ReadRows,
    _ found: inout [String]
  ) throws(StoreError) {
    let ids = rows.objectIDs.filter { $0.entityName == entity.name }.sorted()
    let destinations = try store.destinations(of: relationship.name, from: ids)
    let name = "\(entity.name).\(relationship.name)"
    for id in ids where !relationship.isToMany {
      if destinations[id] != rows.destination(of: relationship.name, from: id).map({ [$0] }) {
        found.append("destinations(of:from:) of \(name) differ from the to-ones of the rows")
        return
      }
    }
    guard let inverse = relationship.inverseName else { return }
    let ends = destinations.values.joined()
    for (_, ends) in Dictionary(grouping: Set(ends), by: \.entityName) {
      let back = try store.destinations(of: inverse, from: ends)
      for (source, ends) in destinations {
        for end in ends where back[end] != nil && back[end]?.contains(source) != true {
          found.append("\(name) leads to an object whose \(inverse) does not lead back")
          return
        }
      }
    }
  }
}
