import ObjectModel

extension ManagedObjectContext {
  /// Validates what a save would write against delete rules and the rules of the entities; throws
  /// all problems together.
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
            message: "delete rule deny: still has \($0.count) \($0.destinationEntityName)")
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

  /// Validates the changed columns of a row; all of them if `changed` is nil.
  private func check(
    _ row: RowSnapshot, changed: Patch?, _ problems: inout [ManagedObjectError.Problem]
  ) {
    let info = info(for: row.id.entityName)
    var awaited: Set<Int> = []
    for (index, relationship) in info.toOne.enumerated() {
      let destination = row.destination(at: index)
      if destination?.isTemporary == true { awaited.formUnion(info.foreignKeys[index]) }
      guard changed.map({ $0.toOne[index] != nil }) ?? true else { continue }
      if let destination {
        if pending[destination]?.isDeleted == true
          || undoMemory.deletedRow(of: destination) != nil && pending[destination] == nil
        {
          problems.append(problem(row.id, relationship.name, "leads to a deleted object"))
        }
      } else if !relationship.description.isOptional, info.foreignKeys[index].isEmpty {
        // A missing foreign key is reported once, as the attribute.
        problems.append(problem(row.id, relationship.name, "is required"))
      }
    }
    for index in info.requiredAttributes where row.value(at: index).isNull {
      guard changed.map({ $0.values[index] != nil }) ?? true, !awaited.contains(index),
        !info.keyAttributes.contains(index) || info.keyAttributes.count > 1
      else { continue }
      problems.append(problem(row.id, info.entity.attributes[index].name, "is required"))
    }
    checkCounts(of: row.id, info, isNew: changed == nil, &problems)
    checkRules(of: row, info, changed, &problems)
  }

  /// Validates the number of destinations of the to-many relationships of a new object, or of those
  /// that changed.
  ///
  /// The minimum does not apply to an optional relationship that is empty.
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

  /// Validates changed values against the validation predicates of the model.
  ///
  /// A rule that cannot be parsed is ignored.
  private func checkRules(
    of row: RowSnapshot, _ info: EntityInfo, _ changed: Patch?,
    _ problems: inout [ManagedObjectError.Problem]
  ) {
    for (index, rules) in info.rules {
      let value = row.value(at: index)
      guard !value.isNull, changed.map({ $0.values[index] != nil }) ?? true else { continue }
      let decoded = info.entity.attributes[index].decode(value)
      for rule in rules {
        let key = info.entity.attributes[index].name
        do {
          if try rule.allows(decoded) { continue }
          problems.append(problem(row.id, key, "must meet \(rule.text)"))
        } catch {
          problems.append(problem(row.id, key, "cannot be checked against \(rule.text): \(error)"))
        }
      }
    }
  }

  private func problem(_ id: ObjectID, _ key: String, _ message: String)
    -> ManagedObjectError.Problem
  {
    .init(objectID: id, name: displayName(of: id), key: key, message: message)
  }
}
