import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Makes a new object: asks for its entity if there are several, then for what it needs.
  ///
  /// - Parameters:
  ///   - entity: The entity of the list, or of the object, that it is made from.
  ///   - source: The relationship that it is added to; nil for none.
  func insert(_ entity: EntityDescription, in source: RelationshipSource?) {
    if let reason = session.readOnlyReason ?? entity.readOnlyReason {
      return fail("No \(entity.name) can be made: \(reason)")
    }
    let names = session.model.entityNames(inheritingFrom: entity.name)
    let entities = session.model.entities.filter {
      names.contains($0.name) && !$0.isAbstract && $0.readOnlyReason == nil
    }
    guard entities.count > 1 else {
      guard let only = entities.first else {
        return fail("\(entity.name) is abstract and has no entity with objects")
      }
      ask(draft(of: only, in: source))
      return
    }
    present(
      Menu(
        "New object of", items: entities.map { Menu.Item($0.name) },
        selected: entities.firstIndex { $0.name == entity.name } ?? 0, fold: TextFolding.folded
      ) { [weak self] choice in
        guard let self, entities.indices.contains(choice) else { return }
        ask(draft(of: entities[choice], in: source))
      })
  }

  /// Makes a copy of an object: asks for what must be unique.
  ///
  /// Attributes and to-one relationships are copied, and many-to-many relationships. The objects
  /// that belong to the original by a to-one relationship stay with it.
  func duplicate(_ id: ObjectID, in source: RelationshipSource?) {
    guard canChange(id) else { return }
    let entity = session.context.object(with: id).entity
    let foreignKeys = Set(entity.toOneRelationships.flatMap(\.foreignKeyAttributes))
    guard entity.keyAttributes.isEmpty || !foreignKeys.isSuperset(of: entity.keyAttributes) else {
      return fail(
        "A copy would have the same key"
          + session.advice((.insert, "makes a new \(entity.name)")))
    }
    ask(
      ObjectDraft(
        copying: session.context.object(with: id), in: source, model: session.model))
  }

  /// Begins a new object; a date that is the time of its insertion is not asked for.
  private func draft(of entity: EntityDescription, in source: RelationshipSource?) -> ObjectDraft {
    var draft = ObjectDraft(of: entity, in: source, model: session.model)
    if let name = session.preferences(for: entity.name).insertionDate,
      entity.attribute(named: name)?.type == .date
    {
      draft.values[name] = .date(session.now())
      draft.steps.removeAll { $0.name == name }
    }
    return draft
  }

  // MARK: Asking

  /// Asks for the next of what a draft needs; inserts it when nothing is left.
  ///
  /// - Returns: Whether it was inserted.
  @discardableResult
  private func ask(_ draft: ObjectDraft) -> Bool {
    switch draft.steps.first {
    case nil: return insert(draft)
    case .attribute(let attribute): present(prompt(for: attribute, of: draft))
    case .relationship(let relationship) where relationship.isToMany:
      chooseMembers(of: relationship, of: draft)
    case .relationship(let relationship): choose(relationship, of: draft)
    }
    return false
  }

  private func prompt(for attribute: AttributeDescription, of draft: ObjectDraft) -> ValuePrompt {
    let former =
      draft.original.map { session.context.object(with: $0)[attribute.name] }
      ?? attribute.defaultValue
    let input = ValueInput(attribute: attribute, former: former, now: session.now())
    return ValuePrompt(
      "\(attribute.name) of the new \(draft.entity.name)\(draft.place)",
      input: input,
      choices: AttributeTexts(attribute: attribute, entity: draft.entity, store: session.store)
        .choices,
      beginning: .proposal,
      awaitedDefault: draft.original == nil ? attribute.details.defaultExpression : nil,
      actions: .init(
        problem: { [weak self] value in
          guard let self else { return nil }
          do {
            return try draft.uniquenessProblem([attribute.name: value], in: session.context)
          } catch {
            return String(describing: error)
          }
        },
        openEditor: { [weak self] in self?.openEditor($0, for: input) ?? .success(nil) },
        set: { [weak self] value in
          guard let self else { return false }
          var next = draft
          next.values[attribute.name] = value
          next.steps.removeFirst()
          return ask(next) && !session.options.settings.savesAfterEdit
        },
        keepDefault: { [weak self] in
          guard let self else { return false }
          var next = draft
          next.steps.removeFirst()
          return ask(next) && !session.options.settings.savesAfterEdit
        },
        save: { [weak self] in self?.save() },
        leave: { [weak self] in self?.leave(draft) }))
  }

  private func choose(_ relationship: RelationshipDescription, of draft: ObjectDraft) {
    pickDestination(
      of: relationship, for: "the new \(draft.entity.name)\(draft.place)",
      Choosing(
        requirement: "\(relationship.name) is required: choose one",
        choose: { [weak self] ids in
          var next = draft
          next.destinations[relationship.name] = ids.first
          next.steps.removeFirst()
          self?.ask(next)
        },
        leave: { [weak self] in self?.leave(draft) }))
  }

  /// Asks for the objects that a to-many relationship needs; where there are too few of them, it is
  /// said when the object is made.
  private func chooseMembers(of relationship: RelationshipDescription, of draft: ObjectDraft) {
    let (name, least) = (relationship.name, relationship.leastCount)
    var next = draft
    next.steps.removeFirst()
    do {
      let plan = FetchPlan(entityName: relationship.destinationEntityName, limit: least)
      guard try session.context.count(for: plan) >= least else {
        ask(next)
        return
      }
    } catch {
      return session.report(error)
    }
    pickDestination(
      of: relationship, for: "the new \(draft.entity.name)\(draft.place)",
      Choosing(
        verb: "add to", takesSeveral: true, least: least,
        requirement: "\(name) needs at least \(counted(least, "object"))",
        choose: { [weak self] ids in
          next.members[name] = ids
          self?.ask(next)
        },
        leave: { [weak self] in self?.leave(draft) }))
  }

  private func leave(_ draft: ObjectDraft) {
    say("No \(draft.entity.name) was made")
  }

  // MARK: Inserting

  private func insert(_ draft: ObjectDraft) -> Bool {
    do {
      if let problem = try draft.uniquenessProblem([:], in: session.context) {
        fail("No \(draft.entity.name) was made: \(problem)")
        return false
      }
    } catch {
      session.report(error)
      return false
    }
    var made: ManagedObject?
    var note = ""
    let verb = draft.original == nil ? "insert" : "duplicate"
    let isDone = change("\(verb) \(draft.entity.name)") { context in
      let object = try context.insert(entityName: draft.entity.name)
      made = object
      if let original = draft.original.map({ context.object(with: $0) }) {
        note = try Self.copy(original, to: object, draft, model: session.model)
      }
      for (name, id) in draft.destinations.sorted(by: { $0.key < $1.key }) {
        try object.setObject(context.object(with: id), forKey: name)
      }
      for (name, ids) in draft.members.sorted(by: { $0.key < $1.key }) {
        for id in ids { try object.add(context.object(with: id), forKey: name) }
      }
      for (name, value) in draft.values.sorted(by: { $0.key < $1.key }) {
        try object.setValue(value, forKey: name)
      }
      if let source = draft.source {
        try context.object(with: source.objectID).add(object, forKey: source.relationship.name)
      }
    }
    guard isDone, let made else { return false }
    session.context.undoHistory.setActionName("\(verb) \(name(of: [made.objectID]))")
    show(made, note: note)
    return true
  }

  /// Copies what a duplicate has of its original.
  ///
  /// - Returns: What stays with the original, for the message; empty for nothing.
  private static func copy(
    _ original: ManagedObject, to object: ManagedObject, _ draft: ObjectDraft,
    model: ManagedObjectModel
  ) throws -> String {
    let entity = draft.entity
    // A foreign key that leads nowhere is copied: its column may have a default.
    let isSet = Set(
      entity.toOneRelationships.filter {
        draft.destinations[$0.name] != nil || model.inverse(of: $0)?.isToMany == false
      }.flatMap(\.foreignKeyAttributes))
    for attribute in entity.attributes
    where !attribute.isReadOnly && !isSet.contains(attribute.name)
      && draft.values[attribute.name] == nil && !entity.keyAttributes.contains(attribute.name)
    {
      try object.copyValue(forKey: attribute.name, from: original)
    }
    var staying: [String] = []
    for relationship in entity.relationships {
      let inverse = model.inverse(of: relationship)
      if relationship.isToMany, inverse?.isToMany == true {
        for member in original.objects(forKey: relationship.name) {
          try object.add(member, forKey: relationship.name)
        }
      } else if inverse?.isToMany != true, relationship.isToMany || inverse != nil,
        !original.objectIDs(forKey: relationship.name).isEmpty
      {
        staying.append(relationship.name)
      }
    }
    return staying.isEmpty ? "" : "; \(staying.joined(separator: ", ")) stay with the original"
  }

  /// Shows a new object: in its list, or on a page of its own.
  private func show(_ object: ManagedObject, note: String) {
    let id = object.objectID
    let name = name(of: [id])
    let state = object.isInserted ? "is new, not saved" : "is saved"
    let lacking = lack(of: object)
    let advice =
      lacking == nil ? session.undoOrSave : session.advice((.open, "opens it"), (.undo, "undo"))
    let note = (lacking.map { "; to be saved " + $0 } ?? "") + note
    if let list = screen as? ListScreen {
      let isShown = list.showCursor(on: id)
      let hidden = isShown ? "" : list.isWorking ? "" : ", and hidden by the filter"
      say("\(name) \(state)\(hidden)\(note)\(advice)")
    } else {
      push(
        DetailScreen(
          id, path: [session.storeTitle, object.entity.name], neighbours: nil, session: session))
      say("\(name) \(state)\(note)\(advice)")
    }
  }
}
