extension FetchPlan {
  /// Evaluates the fetch over rows at hand: the predicate for every row, then the order, the
  /// sections, ``offset`` and ``limit``.
  ///
  /// It is what a store without a query language answers with, and what others are compared with.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - control: Reports progress and cancels, from another thread.
  /// - Returns: The IDs in order, and the sections.
  /// - Throws: ``StoreError`` if the plan names what is not there, a predicate cannot be evaluated,
  ///   or the control has cancelled it.
  /// - Complexity: O(*n* log *n*) in the number of rows of the entity.
  public func evaluated(over rows: some StoredRows, control: FetchControl? = nil)
    throws(StoreError) -> FetchedIDs
  {
    try RowEvaluation(plan: self, rows: rows, control: control).fetch()
  }
}

/// A fetch over rows at hand.
private struct RowEvaluation<Rows: StoredRows> {
  let plan: FetchPlan
  let rows: Rows
  let control: FetchControl?

  func fetch() throws(StoreError) -> FetchedIDs {
    guard let entity = rows.model.entity(named: plan.entityName) else {
      throw StoreError(.unknownName, doing: "fetching", subject: plan.entityName)
    }
    let section = plan.sectionKey.map { [$0.keyPath] } ?? []
    for keyPath in plan.sortDescriptors.map(\.keyPath) + section {
      try checkAttribute(at: keyPath, of: entity)
    }
    let found = try matching()
    let ids = Array(found[plan.window(of: found.count)])
    var list = ObjectIDList(
      keys: [], storeIdentifier: ids.first?.storeIdentifier ?? "", entityName: plan.entityName)
    list.append(contentsOf: ids)
    return FetchedIDs(ids: list, sections: sections(of: ids))
  }

  /// Refuses a key path that does not lead to an attribute through to-one relationships.
  private func checkAttribute(
    at keyPath: String, of entity: EntityDescription
  ) throws(StoreError) {
    var keys = (KeyPathText.components(of: keyPath) ?? [keyPath])[...]
    var owner = entity
    var reason = StoreError.Reason.unsupported
    while let key = keys.popFirst() {
      if keys.isEmpty, owner.attribute(named: key) != nil { return }
      guard let relationship = owner.relationship(named: key), !relationship.isToMany,
        let destination = rows.model.entity(named: relationship.destinationEntityName)
      else {
        reason = .unknownName
        break
      }
      owner = destination
    }
    throw StoreError(
      reason, doing: "fetching", subject: entity.name,
      detail: "“\(keyPath)” is not an attribute: objects cannot be sorted by it")
  }

  /// The predicate, checked for the plan's entity if it was validated for another one.
  private func predicate() throws(StoreError) -> ValidatedPredicate? {
    do {
      return try plan.predicate?.predicate.validated(
        forEntity: plan.entityName, in: rows.model)
    } catch {
      throw StoreError(
        .unknownName, doing: "fetching", subject: plan.entityName, detail: error.description)
    }
  }

  private func matching() throws(StoreError) -> [ObjectID] {
    let predicate = try predicate()
    let names = plan.entityNames(in: rows.model)
    let all = rows.objectIDs.filter { names.contains($0.entityName) }
    var found: [(id: ObjectID, keys: [FetchSortDescriptor.SortValue])] = []
    for (index, id) in all.enumerated() {
      if index % 1_000 == 0 {
        control?.report(completed: index, total: all.count)
        if control?.isCancelled == true {
          throw StoreError(.cancelled, doing: "fetching", subject: plan.entityName)
        }
      }
      do {
        guard try predicate?.matches(RowSubject(id, in: rows)) ?? true else { continue }
      } catch {
        throw StoreError(
          .unsupported, doing: "fetching", subject: plan.entityName, detail: "\(error)")
      }
      let keys = plan.sortDescriptors.map { descriptor in
        let (value, attribute) = value(at: descriptor.keyPath, of: id)
        return descriptor.sortValue(value, of: attribute)
      }
      found.append((id, keys))
    }
    control?.report(completed: all.count, total: all.count)
    return found.sorted { a, b in
      for (index, descriptor) in plan.sortDescriptors.enumerated() {
        let order = descriptor.compare(a.keys[index], b.keys[index])
        if order != 0 { return order < 0 }
      }
      return a.id < b.id
    }.map(\.id)
  }

  private func sections(of ids: [ObjectID]) -> [SectionRun] {
    guard let key = plan.sectionKey else { return [] }
    return key.runs(of: ids.lazy.map { value(at: key.keyPath, of: $0) }, plan.sortDescriptors)
  }

  /// The value at a key path and its attribute; null and nil if it leads nowhere.
  private func value(at keyPath: String, of id: ObjectID) -> (Value, AttributeDescription?) {
    var operand = PredicateOperand.object(RowSubject(id, in: rows))
    var attribute: AttributeDescription?
    for component in KeyPathText.components(of: keyPath) ?? [] {
      guard case .object(let subject) = operand else { return (.null, nil) }
      attribute = rows.model.entity(named: subject.objectID.entityName)?.attribute(
        named: component)
      operand = subject.operand(forKey: component)
    }
    if case .value(let value) = operand { return (value, attribute) }
    return (.null, nil)
  }
}
