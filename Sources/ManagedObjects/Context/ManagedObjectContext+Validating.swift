import ObjectModel

extension ManagedObjectContext {
  /// Checks what a save would write against delete rules and the entities' own; says all that is wrong, not the first.
  func validateChanges() throws {
    let denied = standingDenials()
    guard denied.isEmpty else {
      throw ManagedObjectError(
        .denied, doing: saveDoing,
        detail:
          "\(denied.count) \(denied.count == 1 ? "delete rule refuses" : "delete rules refuse") it",
        remedy: "delete those objects first, or undo the deletion",
        objectIDs: denied.map(\.objectID),
        problems: denied.map {
          .init(
            objectID: $0.objectID, name: displayName(of: $0.objectID),
            key: $0.relationship.description,
            message: "still leads to \($0.count) \($0.destinationEntityName)")
        })
    }
    var problems: [ManagedObjectError.Problem] = []
    for (id, pending) in pending.sorted(by: { $0.key < $1.key }) {
      switch pending {
      case .inserted(let row): check(row, changed: nil, &problems)
      case .updated(let base, let row): check(row, changed: Patch(from: base, to: row), &problems)
      case .deleted: continue
      }
      try unsaved.retained[id]?.validateForSave()
    }
    guard problems.isEmpty else {
      throw ManagedObjectError(
        .validation, doing: saveDoing,
        detail: problems.count == 1 ? "1 value is missing" : "\(problems.count) values are missing",
        remedy: "set them, or discard those objects",
        objectIDs: problems.map(\.objectID).reduce(into: []) {
          if $0.last != $1 { $0.append($1) }
        }, problems: problems)
    }
  }

  private var saveDoing: String {
    "saving \(pending.count) \(pending.count == 1 ? "object" : "objects")"
  }

  /// Checks the changed places of a row; all of them when `changed` is nil.
  private func check(
    _ row: RowSnapshot, changed: Patch?, _ problems: inout [ManagedObjectError.Problem]
  ) {
    let info = info(for: row.id.entityName)
    var awaited: Set<Int> = []
    for (place, relationship) in info.toOne.enumerated() {
      let destination = row.destination(at: place)
      if destination?.isTemporary == true { awaited.formUnion(info.foreignKeys[place]) }
      guard changed.map({ $0.toOne[place] != nil }) ?? true else { continue }
      if let destination {
        if pending[destination]?.isDeleted == true
          || undoMemory.deletedRow(of: destination) != nil && pending[destination] == nil
        {
          problems.append(problem(row.id, relationship.name, "leads to a deleted object"))
        }
      } else if !relationship.description.isOptional, info.foreignKeys[place].isEmpty {
        // A foreign key that is missing is told once, as the attribute.
        problems.append(problem(row.id, relationship.name, "is required"))
      }
    }
    for place in info.requiredAttributes where row.value(at: place).isNull {
      guard changed.map({ $0.values[place] != nil }) ?? true, !awaited.contains(place),
        !info.keyAttributes.contains(place) || info.keyAttributes.count > 1
      else { continue }
      problems.append(problem(row.id, info.entity.attributes[place].name, "is required"))
    }
    checkCounts(of: row.id, info, isNew: changed == nil, &problems)
    checkRules(of: row, info, changed, &problems)
  }

  /// Checks how many objects the to-many relationships lead to, of a new object or where they changed.
  ///
  /// A relationship that may be empty has no least number while it is.
  private func checkCounts(
    of id: ObjectID, _ info: EntityInfo, isNew: Bool, _ problems: inout [ManagedObjectError.Problem]
  ) {
    for relationship in info.relationships.values.sorted(by: { $0.name < $1.name })
    where relationship.kind != .toOne {
      let (least, most) = (
        relationship.description.details.minCount, relationship.description.details.maxCount
      )
      guard least > 0 || most > 1, isNew || links[RelationshipEnd(id, relationship.name)] != nil
      else { continue }
      attempt {
        let count = try contents(of: relationship, from: [id])[id]?.count ?? 0
        if count < least, count > 0 || !relationship.description.isOptional {
          let needed = least == 1 ? "at least one object" : "at least \(least) objects"
          problems.append(problem(id, relationship.name, "needs \(needed)"))
        } else if most > 1, count > most {
          problems.append(problem(id, relationship.name, "may lead to at most \(most) objects"))
        }
      }
    }
  }

  /// Checks changed values against the rules that a model gives for them.
  ///
  /// A rule that is no predicate of ours is left to the program that made it.
  private func checkRules(
    of row: RowSnapshot, _ info: EntityInfo, _ changed: Patch?,
    _ problems: inout [ManagedObjectError.Problem]
  ) {
    for (place, rules) in info.rules {
      let value = row.value(at: place)
      guard !value.isNull, changed.map({ $0.values[place] != nil }) ?? true else { continue }
      let subject = RuleSubject(value: info.entity.attributes[place].decode(value))
      for rule in rules where !rule.predicate.matches(subject) {
        problems.append(
          problem(row.id, info.entity.attributes[place].name, "must meet \(rule.text)"))
      }
    }
  }

  private func problem(_ id: ObjectID, _ key: String, _ message: String)
    -> ManagedObjectError.Problem
  {
    .init(objectID: id, name: displayName(of: id), key: key, message: message)
  }
}
