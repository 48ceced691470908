import ObjectModel

/// Validates the unsaved changes of a context against the rules of its entities and the objects' own.
struct ChangeValidation {
  private let context: ManagedObjectContext

  init(of context: ManagedObjectContext) { self.context = context }

  /// What keeps the unsaved changes from being saved, besides delete rules.
  func problems() throws -> [ManagedObjectError.Problem] {
    try context.refusedProblems() + validationProblems() + ownErrors().flatMap(problems)
  }

  /// Throws what keeps them from being saved, delete rules too: all problems together.
  func validate() throws {
    let denied = context.standingDenials()
    var problems = denied.map {
      ManagedObjectError.Problem(
        objectID: $0.objectID, name: context.displayName(of: $0.objectID),
        key: $0.relationship.description, code: .deleteDenied,
        message: "delete rule deny: still has \($0.count) \($0.destinationEntityName)")
    }
    problems += context.refusedProblems()
    problems += try validationProblems()
    try report(problems, ownErrors(), doing: context.saveDoing, isDenied: !denied.isEmpty)
  }

  /// Throws if a value is not valid for an attribute, by the rules of the entity or the object's own.
  func validate(_ value: Value, at index: Int, of object: ManagedObject) throws {
    let attribute = object.info.entity.attributes[index]
    let doing = "validating \(attribute.name)"
    guard var row = context.readableRow(of: object.objectID) else {
      throw ManagedObjectError(
        .gone, doing: doing, subject: object.displayName, objectIDs: [object.objectID])
    }
    var change = Patch()
    do { change.values[index] = try attribute.encode(value) } catch {
      throw ManagedObjectError(
        .wrongType, doing: doing, subject: object.displayName,
        detail: String(describing: error), objectIDs: [object.objectID])
    }
    row.apply(change)
    var problems: [ManagedObjectError.Problem] = []
    check(row, of: object.info, changed: change, &problems)
    var own: [OwnError] = []
    do { try object.validate(value, forKey: attribute.name) } catch {
      own = [OwnError(id: object.objectID, key: attribute.name, error: error)]
    }
    try report(problems, own, doing: doing)
  }

  /// Throws all problems together; the only one as it is if it is of an object's own validation.
  private func report(
    _ problems: [ManagedObjectError.Problem], _ own: [OwnError], doing: String,
    isDenied: Bool = false
  ) throws {
    if problems.isEmpty, own.count == 1 { throw own[0].error }
    let problems = problems + own.flatMap(self.problems)
    guard !problems.isEmpty else { return }
    let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    let ids = problems.map(\.objectID).reduce(into: [ObjectID]()) {
      if $0.last != $1 { $0.append($1) }
    }
    let error =
      isDenied
      ? ManagedObjectError(
        .denied, doing: doing, detail: count,
        remedy: "delete those objects first, or undo the deletion", objectIDs: ids,
        problems: problems)
      : ManagedObjectError(
        .validation, doing: doing, detail: count,
        remedy: "correct those values, or discard those objects", objectIDs: ids,
        problems: problems)
    throw error.withObjects(of: context)
  }

  /// What is wrong with the unsaved changes by the rules of the entities.
  private func validationProblems() throws -> [ManagedObjectError.Problem] {
    // Deletions have no values to check.
    if context.unsaved.counts.inserted + context.unsaved.counts.updated == 0 {
      return try countProblems()
    }
    var problems: [ManagedObjectError.Problem] = []
    for (id, pending) in context.pending {
      let info = context.info(for: id.entityName)
      guard info.isChecked else { continue }
      switch pending {
      case .inserted(let new):
        // Most rows are valid, which is known without a copy.
        if info.needsOnlyValues, !info.rules.required.contains(where: new.isNull) { continue }
        check(new.row, of: info, changed: nil, &problems)
      case .updated(let update): check(update.current, of: info, changed: update.changes, &problems)
      case .deleted: continue
      }
    }
    // There are fewer problems than changes; those of an object stay in their order.
    problems = problems.enumerated().sorted {
      $0.element.objectID == $1.element.objectID
        ? $0.offset < $1.offset : $0.element.objectID < $1.element.objectID
    }.map(\.element)
    return problems + (try countProblems())
  }

  /// What the objects' own validation throws.
  private func ownErrors() -> [OwnError] {
    var errors: [OwnError] = []
    func note(_ id: ObjectID, _ key: String = "", _ body: () throws -> Void) {
      do { try body() } catch { errors.append(OwnError(id: id, key: key, error: error)) }
    }
    func noteValues(of object: ManagedObject, _ isChecked: (String) -> Bool) {
      for attribute in object.entity.attributes
      where !attribute.isReadOnly && isChecked(attribute.name) {
        let value = object.value(forKey: attribute.name)
        note(object.objectID, attribute.name) {
          try object.validate(value, forKey: attribute.name)
        }
      }
    }
    for object in context.hooked(context.insertedObjectIDs).map(context.object) {
      noteValues(of: object) { _ in true }
      note(object.objectID) { try object.validateForInsert() }
    }
    for object in context.hooked(context.updatedObjectIDs).map(context.object) {
      noteValues(of: object, object.changedKeys.contains)
      note(object.objectID) { try object.validateForUpdate() }
    }
    for object in context.hooked(context.deletedObjectIDs).map(context.object) {
      note(object.objectID) { try object.validateForDelete() }
    }
    return errors
  }

  /// What an object's own validation has thrown.
  private struct OwnError {
    let id: ObjectID
    /// The attribute; empty for the whole object.
    let key: String
    let error: any Error
  }

  private func problems(of own: OwnError) -> [ManagedObjectError.Problem] {
    if let error = own.error as? ManagedObjectError, !error.problems.isEmpty {
      return error.problems
    }
    return [problem(own.id, own.key, String(describing: own.error), .own)]
  }

  /// Validates the changed columns of a row; all of them if `changed` is nil.
  private func check(
    _ row: RowSnapshot, of info: EntityInfo, changed: Patch?,
    _ problems: inout [ManagedObjectError.Problem]
  ) {
    var awaited: Set<Int> = []
    for (index, relationship) in info.toOne.enumerated() {
      let destination = row.destination(at: index)
      if destination?.isTemporary == true { awaited.formUnion(info.foreignKeys[index]) }
      guard changed.map({ $0.toOne[index] != nil }) ?? true else { continue }
      if let destination {
        if context.isDeletedHere(destination) {
          problems.append(problem(row.id, relationship.name, "leads to a deleted object", .missing))
        }
      } else if !relationship.description.isOptional, info.foreignKeys[index].isEmpty {
        // A missing foreign key is reported once, as the attribute.
        problems.append(problem(row.id, relationship.name, "is required", .missing))
      }
    }
    for index in info.rules.required where changed.map({ $0.values[index] != nil }) ?? true {
      guard row.isNull(at: index), !awaited.contains(index), info.onlyKey != index,
        !row.unset.contains(index)
      else { continue }
      problems.append(problem(row.id, info.entity.attributes[index].name, "is required", .missing))
    }
    checkRules(of: row, info, changed, &problems)
  }

  /// Compares the to-many relationships of all objects that a save touches with their least and
  /// greatest counts; the least count applies to optional relationships too.
  ///
  /// Touched are new and changed objects, and those that gain or lose an object, even by its
  /// deletion.
  private func countProblems() throws -> [ManagedObjectError.Problem] {
    guard context.modelCountsObjects else { return [] }
    var problems: [ManagedObjectError.Problem] = []
    for (entityName, ids) in DeletionPlanner.byEntity(
      context.insertedObjectIDs + context.updatedObjectIDs)
    {
      for relationship in context.info(for: entityName).counted {
        let details = relationship.description.details
        let (least, most) = (details.minCount, details.maxCount)
        let contents = try context.contents(of: relationship, from: ids)
        for id in ids {
          let count = contents[id]?.count ?? 0
          if count < least {
            let needed = least == 1 ? "at least one object" : "at least \(least) objects"
            problems.append(
              problem(id, relationship.name, "needs \(needed) and has \(count)", .tooFew))
          } else if most > 1, count > most {
            problems.append(
              problem(
                id, relationship.name, "may have at most \(most) objects and has \(count)",
                .tooMany))
          }
        }
      }
    }
    return problems
  }

  /// Validates changed values against the validation predicates of the model.
  ///
  /// A rule that cannot be parsed is ignored.
  private func checkRules(
    of row: RowSnapshot, _ info: EntityInfo, _ changed: Patch?,
    _ problems: inout [ManagedObjectError.Problem]
  ) {
    for index in info.rules.byAttribute.keys {
      let value = row.value(at: index)
      guard !value.isNull, changed.map({ $0.values[index] != nil }) ?? true else { continue }
      let attribute = info.entity.attributes[index]
      let decoded = attribute.decode(value)
      info.rules.check(decoded, at: index) { words, rule in
        var problem = problem(row.id, attribute.name, words, .rule)
        (problem.value, problem.rule) = (decoded, rule.text)
        problems.append(problem)
      }
    }
  }

  private func problem(
    _ id: ObjectID, _ key: String, _ message: String, _ code: ManagedObjectError.Problem.Code
  ) -> ManagedObjectError.Problem {
    .init(objectID: id, name: context.displayName(of: id), key: key, code: code, message: message)
  }
}
