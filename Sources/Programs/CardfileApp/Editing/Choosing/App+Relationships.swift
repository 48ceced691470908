import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Edits a relationship: chooses the object of a to-one, adds objects to a to-many.
  func editRelationship(_ relationship: RelationshipDescription, of targets: EditTargets) {
    guard relationship.isToMany else { return chooseDestination(of: relationship, of: targets) }
    guard targets.ids.count == 1 else {
      let count = groupedDigits(targets.ids.count)
      return fail(
        "Objects are added to \(relationship.name) of one \(targets.entity.name), "
          + "\(count) are selected\(session.advice((.selectNone, "selects none")))")
    }
    add(to: RelationshipSource(objectID: targets.ids[0], relationship: relationship))
  }

  private func chooseDestination(
    of relationship: RelationshipDescription, of targets: EditTargets
  ) {
    let context = session.context
    let refusals = targets.representatives.lazy.compactMap {
      relationship.editRefusal(in: context.object(with: $0))
    }
    if let reason = refusals.first {
      return fail("\(relationship.name) cannot be changed: \(reason)")
    }
    let name = name(of: targets.ids)
    let isRequired = targets.entity.requires(relationship)
    pickDestination(
      of: relationship, for: name + targets.note,
      Choosing(
        requirement: isRequired ? "\(relationship.name) is required: it cannot be NULL" : nil,
        current: targets.ids.count == 1
          ? context.object(with: targets.ids[0]).objectID(forKey: relationship.name) : nil,
        choose: { [weak self] ids in
          guard let self else { return }
          let what = ids.first.map { context.displayName(of: $0) } ?? "NULL"
          changeEach(
            targets, "change \(relationship.name) of \(name)",
            message: "\(relationship.name) of \(name): \(what)\(session.undoOrSave)"
          ) { object in
            try object.setObject(
              ids.first.map { context.object(with: $0) }, forKey: relationship.name)
          }
        },
        leave: { [weak self] in
          self?.say("\(relationship.name) is unchanged")
        }))
  }

  /// Shows the list of a relationship's destination entity to choose from.
  func pickDestination(
    of relationship: RelationshipDescription, for name: String, _ choosing: Choosing,
    from predicate: ValidatedPredicate? = nil
  ) {
    guard let entity = session.model.entity(named: relationship.destinationEntityName) else {
      return fail("There is no entity \(relationship.destinationEntityName)")
    }
    let title = "\(choosing.verb) \(relationship.name) of \(name)"
    push(
      ListScreen(
        entity,
        scope: .init(predicate: predicate, path: [session.storeTitle, entity.name, title]),
        choosing: choosing, session: session))
  }

  /// Takes off what a to-one relationship leads to; says how that of a to-many is done.
  func removeLink(_ relationship: RelationshipDescription, of id: ObjectID) {
    guard canChange(id) else { return }
    let (object, name) = (session.context.object(with: id), relationship.name)
    guard !relationship.isToMany else {
      let advice = session.advice((.open, "lists its objects"), (.unmark, "there takes one off"))
      return fail("\(name) has \(counted(object.count(forKey: name), "link"))\(advice)")
    }
    if let reason = relationship.editRefusal(in: object) {
      return fail("\(name) cannot be changed: \(reason)")
    }
    let destination = object.objectID(forKey: name)
    guard
      let what = destination.map({ self.name(of: [$0]) })
        ?? object.danglingID(forKey: name)?.description
    else { return fail("\(name) is NULL: there is no link to take off") }
    guard !object.entity.requires(relationship) else {
      return fail("\(what) stays: \(name) is required" + session.advice((.edit, "chooses another")))
    }
    let owner = self.name(of: [id])
    change(
      "remove \(what) from \(name) of \(owner)",
      message: "\(what) removed from \(name) of \(owner), not deleted" + session.undoOrSave
    ) { context in
      let object = context.object(with: id)
      guard destination == nil else { return try object.setObject(nil, forKey: name) }
      for key in relationship.foreignKeyAttributes { try object.setValue(.null, forKey: key) }
    }
  }

  // MARK: To-many

  /// Shows the objects that are not in a to-many relationship, to add some of them.
  func add(to source: RelationshipSource) {
    let (id, relationship) = (source.objectID, source.relationship)
    guard canChange(id) else { return }
    let object = session.context.object(with: id)
    let name = name(of: [id])
    do {
      let others = try RelationshipScope.candidates(
        of: relationship, from: object, in: session.model)
      pickDestination(
        of: relationship, for: name,
        Choosing(
          verb: "add to", takesSeveral: true,
          choose: { [weak self] in self?.add($0, to: source) },
          leave: { [weak self] in
            self?.say("\(relationship.name) is unchanged")
          }),
        from: others)
    } catch {
      session.report(error)
    }
  }

  private func add(_ ids: [ObjectID], to source: RelationshipSource) {
    let (id, relationship) = (source.objectID, source.relationship)
    let name = name(of: [id])
    let inverse = relationship.inverseName
    let moved = ids.count { member in
      guard let inverse,
        let owner = session.context.object(with: member).objectID(forKey: inverse)
      else { return false }
      return owner != id
    }
    let what = self.name(of: ids)
    let leaving = moved == 0 ? "" : "; \(groupedDigits(moved)) left another \(inverse ?? "")"
    let isDone = change(
      "add \(what) to \(relationship.name) of \(name)",
      message: "\(what) added to \(relationship.name) of \(name)\(leaving)\(session.undoOrSave)"
    ) { context in
      let object = context.object(with: id)
      for member in ids { try object.add(context.object(with: member), forKey: relationship.name) }
    }
    if isDone { tellCount(of: source) }
  }

  /// Removes objects from a relationship; the marks of marked ones are taken off instead.
  func remove(_ ids: [ObjectID], from source: RelationshipSource) {
    let (id, relationship) = (source.objectID, source.relationship)
    let marked = ids.filter { session.marks.contains($0) }
    guard marked.isEmpty else { return takeOff(marked) }
    guard !ids.isEmpty, canChange(id) else { return }
    let name = name(of: [id])
    let what = self.name(of: ids)
    if let inverse = session.model.inverse(of: relationship), !inverse.isToMany,
      let entity = session.model.entity(named: relationship.destinationEntityName),
      entity.requires(inverse)
    {
      return fail(
        "\(what) stays: \(entity.name).\(inverse.name) is required"
          + session.advice((.delete, "deletes it")))
    }
    let isDone = change(
      "remove \(what) from \(relationship.name) of \(name)",
      message: "\(what) removed from \(relationship.name) of \(name), not deleted"
        + session.undoOrSave
    ) { context in
      let object = context.object(with: id)
      for member in ids {
        try object.remove(context.object(with: member), forKey: relationship.name)
      }
    }
    if isDone { tellCount(of: source) }
  }

  /// What to-many relationships of an object need to be saved: "lines needs 1 more"; nil for nothing.
  func lack(of object: ManagedObject) -> String? {
    let needs = object.entity.relationships.compactMap { relationship -> String? in
      guard relationship.leastCount > 0 else { return nil }
      let missing = relationship.leastCount - object.count(forKey: relationship.name)
      guard missing > 0 else { return nil }
      return
        "\(relationship.name) needs \(groupedDigits(missing)) \(relationship.destinationEntityName)"
    }
    return needs.isEmpty ? nil : needs.joined(separator: ", ")
  }

  /// Says that a relationship has too few or too many objects to be saved.
  private func tellCount(of source: RelationshipSource) {
    let details = source.relationship.details
    let most = source.relationship.isToMany && details.maxCount > 1 ? details.maxCount : .max
    guard details.minCount > 0 || most < .max else { return }
    let name = source.relationship.name
    let count = session.context.object(with: source.objectID).count(forKey: name)
    if count < details.minCount {
      fail(
        "\(name) has \(groupedDigits(count)) and needs \(groupedDigits(details.minCount)) "
          + "to be saved" + session.advice((.undo, "undo")))
    } else if count > most {
      fail(
        "\(name) has \(groupedDigits(count)) and can have \(groupedDigits(most))"
          + session.advice((.undo, "undo")))
    }
  }
}

extension EntityDescription {
  /// Whether a to-one relationship must have an object.
  func requires(_ relationship: RelationshipDescription) -> Bool {
    !relationship.isOptional
      || relationship.foreignKeyAttributes.contains { attribute(named: $0)?.isOptional == false }
  }
}

extension RelationshipDescription {
  /// Why a to-one relationship of an object cannot be changed; nil if it can.
  func editRefusal(in object: ManagedObject) -> String? {
    let key = object.entity.keyAttributes
    if foreignKeyAttributes.contains(where: key.contains),
      !(object.isInserted && object.objectID.isTemporary)
    {
      return "it is a part of the key; a copy can have another one"
    }
    let computed = foreignKeyAttributes.first {
      object.entity.attribute(named: $0)?.isReadOnly == true
    }
    return computed.map { "the database computes \($0)" }
  }
}
