import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// The longest text in bytes that is edited in the prompt; a longer one opens in the editor.
  private static let longestInPrompt = 16 << 10

  /// Edits a property of objects: an attribute in a prompt, a relationship in a list.
  func edit(_ ids: [ObjectID], _ property: String) {
    guard let targets = editTargets(ids), let first = targets.ids.first else { return }
    let entity = session.context.object(with: first).entity
    if let relationship = entity.editedRelationship(for: property) {
      editRelationship(relationship, of: targets)
    } else if let attribute = entity.attribute(named: property) {
      edit(attribute, of: targets)
    } else {
      fail("\(property) cannot be edited: it is not a property")
    }
  }

  private func edit(_ attribute: AttributeDescription, of targets: EditTargets) {
    guard canEdit(attribute, of: targets) else { return }
    do {
      let former = try commonValue(of: attribute, in: targets.ids)
      let prompt = valuePrompt(attribute, of: targets, former: former)
      let text = prompt.input.formerText
      if former != nil, prompt.input.takesText, text.utf8.count > Self.longestInPrompt {
        switch openEditor(text, for: prompt.input) {
        case .success(nil): say("\(attribute.name) is unchanged")
        case .success(let new?): set(new, for: attribute, of: targets, former: former)
        case .failure(let error): fail(error.message)
        }
      } else {
        present(prompt)
      }
    } catch {
      session.report(error)
    }
  }

  /// Whether an attribute of all objects can be edited; if not, a message says why.
  private func canEdit(_ attribute: AttributeDescription, of targets: EditTargets) -> Bool {
    let reasons = targets.representatives.lazy.compactMap { [session] in
      attribute.editRefusal(in: session.context.object(with: $0))
    }
    guard let reason = reasons.first else { return true }
    fail("\(attribute.name) cannot be edited: \(reason)")
    return false
  }

  private func valuePrompt(
    _ attribute: AttributeDescription, of targets: EditTargets, former: Value?
  ) -> ValuePrompt {
    let input = ValueInput(attribute: attribute, former: former ?? .null, now: session.now())
    let only = targets.ids.count == 1 ? session.context.object(with: targets.ids[0]) : nil
    return ValuePrompt(
      "\(attribute.name) of \(name(of: targets.ids))\(targets.note)", input: input,
      choices: AttributeTexts(attribute: attribute, entity: targets.entity, store: session.store)
        .choices,
      beginning: former == nil ? .differentValues(targets.ids.count) : .value,
      awaitedDefault: only?.awaitedDefault(forKey: attribute.name),
      actions: .init(
        problem: { [weak self] value in
          self?.uniquenessProblem(value, attribute, of: targets)
        },
        openEditor: { [weak self] in
          self?.openEditor($0, for: input) ?? .success(nil)
        },
        set: { [weak self] in
          guard let self else { return false }
          return set($0, for: attribute, of: targets) && !session.options.settings.savesAfterEdit
        },
        save: { [weak self] in self?.save() },
        leave: { [weak self] in
          self?.say("\(attribute.name) is unchanged")
        }))
  }

  /// Sets a long text that came from the editor, or says what is wrong with it and keeps it in the
  /// prompt.
  private func set(
    _ text: String, for attribute: AttributeDescription, of targets: EditTargets, former: Value?
  ) {
    let input = ValueInput(attribute: attribute, former: former ?? .null, now: session.now())
    switch input.reading(of: text) {
    case .success(let reading): set(reading.value, for: attribute, of: targets)
    case .failure(let error):
      let prompt = valuePrompt(attribute, of: targets, former: former)
      prompt.show(text)
      present(prompt)
      fail(error.message)
    }
  }

  /// Sets an attribute of objects as one undo step.
  ///
  /// - Returns: Whether it was done.
  @discardableResult
  private func set(
    _ value: Value, for attribute: AttributeDescription, of targets: EditTargets
  ) -> Bool {
    changeEach(targets, "change \(attribute.name) of \(name(of: targets.ids))") {
      try $0.setValue(value, forKey: attribute.name)
    }
  }

  // MARK: Setting typed values

  /// Sets an attribute of objects; asks first if they are several.
  ///
  /// - Parameters:
  ///   - value: The decoded value.
  ///   - attribute: The attribute.
  ///   - ids: The objects.
  ///   - condition: The predicate by which they were found, for the question; nil for none.
  func askToSet(
    _ value: Value, _ attribute: AttributeDescription, of ids: [ObjectID],
    where condition: String? = nil
  ) {
    guard let targets = editTargets(ids), canEdit(attribute, of: targets) else { return }
    if let problem = uniquenessProblem(value, attribute, of: targets) {
      return fail("\(attribute.name) is unchanged: \(problem)")
    }
    guard condition != nil || targets.ids.count > 1 else {
      set(value, for: attribute, of: targets)
      return
    }
    let shown = ValueText.line(value).map { "\(attribute.name) = \($0)" }
    let lines = [
      shown ?? "\(attribute.name) = ∅ (NULL)", condition.map { "where \($0)" },
      targets.leftOut.isEmpty ? nil : "Left as they are: \(targets.leftOut)",
      session.options.settings.savesAfterEdit
        ? "It is one step to undo; what the save does is shown next."
        : "It is one step to undo, and not saved yet.",
    ]
    ask(
      "Set \(attribute.name) of \(groupedDigits(targets.ids.count)) \(targets.entity.name)?",
      lines.compactMap(\.self),
      answers: [("y", "set", { [weak self] in self?.set(value, for: attribute, of: targets) })])
  }

  /// Runs a change of the context as one undo step, and saves it under `--save-after-edit`.
  ///
  /// - Parameters:
  ///   - name: The name of the step, as "change city of Kim, José".
  ///   - message: What to say of it; nil to say it by the name.
  ///   - body: The change. If it throws, what it did is taken back.
  /// - Returns: Whether it was done.
  @discardableResult
  func change(
    _ name: String, message: String? = nil, _ body: (ManagedObjectContext) throws -> Void
  ) -> Bool {
    let (context, before) = (session.context, session.revision)
    let history = context.undoHistory
    context.processPendingChanges()
    do {
      try history.group(named: name) {
        // What a change has done that fails is taken back.
        defer { context.processPendingChanges() }
        try body(context)
      }
    } catch {
      if session.revision != before {
        work("Taking it back", canCancel: false) { _ = history.revert() }
      }
      session.report(error)
      if isCancellation(error) { say("Cancelled — nothing was changed") }
      return false
    }
    let done = session.revision == before ? "\(name): nothing changed" : name
    say(message ?? done + session.undoOrSave)
    if session.options.settings.savesAfterEdit, session.revision != before { save() }
    return true
  }

  // MARK: Checks

  /// Whether an object can be changed; if not, a message says why.
  func canChange(_ id: ObjectID) -> Bool {
    let object = session.context.object(with: id)
    let reason: String? =
      if let reason = session.readOnlyReason {
        reason
      } else if let reason = object.entity.readOnlyReason { reason } else if object.isDeleted {
        "it is deleted"
      } else if !object.isAccessible {
        "it is gone from the store"
      } else if session.marks.contains(id) {
        "it is marked for deletion" + session.advice((.unmark, "takes the mark off"))
      } else { nil }
    guard let reason else { return true }
    fail("Nothing can be changed: \(reason)")
    return false
  }

  private func uniquenessProblem(
    _ value: Value, _ attribute: AttributeDescription, of targets: EditTargets
  ) -> String? {
    guard targets.ids.count == 1, let id = targets.ids.first else {
      let entity = targets.entity
      let isUnique =
        entity.uniquenessConstraints.contains([attribute.name])
        || entity.keyAttributes == [attribute.name]
      return isUnique && !value.isNull
        ? "\(attribute.name) must be unique: only one object can have it" : nil
    }
    let object = session.context.object(with: id)
    do {
      return try Uniqueness.problem(
        [attribute.name: value], in: object.entity, context: session.context,
        other: { object[$0] }, destination: { object.objectID(forKey: $0) }, excluding: id)
    } catch {
      return String(describing: error)
    }
  }

  func openEditor(_ text: String, for input: ValueInput) -> Result<String?, InputError> {
    let editor = ExternalEditor(environment: session.environment) { [terminal] in
      terminal.run($0)
    }
    let ending = input.takesBytes ? "hex" : "txt"
    return editor.edit(text, named: "\(input.attribute.name).\(ending)")
  }
}

extension EntityDescription {
  /// The relationship that is edited for a property: itself, or the to-one relationship whose
  /// foreign key an attribute is alone.
  func editedRelationship(for property: String) -> RelationshipDescription? {
    relationship(named: property)
      ?? toOneRelationships.first { $0.foreignKeyAttributes == [property] }
  }
}

extension AttributeDescription {
  /// Why the attribute of an object cannot be edited; nil if it can.
  func editRefusal(in object: ManagedObject) -> String? {
    if let derivation = details.derivation { return "it is derived from \(derivation.expression)" }
    if isReadOnly { return "the database computes it" }
    if object.entity.keyAttributes.contains(name),
      !(object.isInserted && object.objectID.isTemporary)
    {
      return "it is the key; a copy can have another one"
    }
    return nil
  }
}
