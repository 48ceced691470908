import ObjectModel

/// A fetch from a store in memory: it evaluates the predicate for every row and sorts.
struct InMemoryFetch {
  let rows: InMemoryRows
  let plan: FetchPlan
  let control: FetchControl?

  func fetch() throws(StoreError) -> FetchedIDs {
    guard rows.model.entity(named: plan.entityName) != nil else {
      throw StoreError(.unknownName, doing: "fetching", subject: plan.entityName)
    }
    let found = try matching()
    let start = min(max(plan.offset, 0), found.count)
    let count = min(max(plan.limit ?? found.count, 0), found.count - start)
    let ids = Array(found[start..<start + count])
    return FetchedIDs(ids: compact(ids), sections: sections(of: ids))
  }

  private func matching() throws(StoreError) -> [ObjectID] {
    let names = Set(
      plan.includesSubentities
        ? rows.model.entityNames(inheritingFrom: plan.entityName) : [plan.entityName])
    let all = rows.rows.keys.filter { names.contains($0.entityName) }
    var found: [(id: ObjectID, keys: [FetchSortDescriptor.SortValue])] = []
    for (index, id) in all.enumerated() {
      if index % 1_000 == 0 {
        control?.report(completed: index, total: all.count)
        if control?.isCancelled == true {
          throw StoreError(.cancelled, doing: "fetching", subject: plan.entityName)
        }
      }
      guard plan.predicate?.matches(InMemorySubject(rows: rows, objectID: id)) ?? true else {
        continue
      }
      found.append((id, plan.sortDescriptors.map { $0.sortValue(value(at: $0.keyPath, of: id)) }))
    }
    control?.report(completed: all.count, total: all.count)
    return found.sorted { a, b in
      for (index, descriptor) in plan.sortDescriptors.enumerated()
      where a.keys[index] != b.keys[index] {
        return (a.keys[index] < b.keys[index]) == descriptor.ascending
      }
      return a.id < b.id
    }.map(\.id)
  }

  private func sections(of ids: [ObjectID]) -> [SectionRun] {
    guard let key = plan.sectionKey else { return [] }
    var runs: [SectionRun] = []
    for id in ids {
      let name = key.name(of: value(at: key.keyPath, of: id))
      if let last = runs.indices.last, runs[last].name == name {
        runs[last].count += 1
      } else {
        runs.append(SectionRun(name: name, count: 1))
      }
    }
    return runs
  }

  private func compact(_ ids: [ObjectID]) -> ObjectIDList {
    var list = ObjectIDList(
      keys: [], storeIdentifier: rows.storeIdentifier, entityName: plan.entityName)
    list.append(contentsOf: ids)
    return list
  }

  private func value(at keyPath: String, of id: ObjectID) -> Value {
    var operand = PredicateOperand.object(InMemorySubject(rows: rows, objectID: id))
    for component in KeyPathText.components(of: keyPath) ?? [] {
      guard case .object(let subject) = operand else { return .null }
      operand = subject.operand(forKey: component)
    }
    if case .value(let value) = operand { return value }
    return .null
  }
}

/// The row that a predicate is evaluated on.
private struct InMemorySubject: PredicateSubject {
  let rows: InMemoryRows
  let objectID: ObjectID

  func operand(forKey key: String) -> PredicateOperand {
    guard let info = rows.infos[objectID.entityName], let row = rows.rows[objectID] else {
      return .missing
    }
    if let index = info.entity.attributeIndex(key) {
      return .value(info.entity.attributes[index].decode(row.value(at: index)))
    }
    guard let relationship = info.relationships[key] else { return .missing }
    let found = (try? rows.destinations(of: key, from: [objectID]))?[objectID] ?? []
    let subjects = found.map { InMemorySubject(rows: rows, objectID: $0) }
    if relationship.kind == .toOne {
      return subjects.first.map(PredicateOperand.object) ?? .value(.null)
    }
    return .collection(subjects)
  }
}
