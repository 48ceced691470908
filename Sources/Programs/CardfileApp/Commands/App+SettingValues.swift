import ManagedObjects
import TerminalApplications
import ObjectModel
import TerminalKit

extension App {
  /// Sets a value of the selected objects, or of all that match a predicate; without both, of the
  /// object under the cursor.
  func setValue(typed text: String) throws(TypedTextError) {
    let list = try list(for: "set-value")
    let assignment = try TypedAssignment(text)
    let attribute = try attribute(of: assignment, in: list.entity)
    let value = try value(of: assignment, for: attribute)
    guard let condition = assignment.predicate else {
      list.changeChosen(nil, "set \(attribute.name)") { [weak self] in
        self?.askToSet(value, attribute, of: $0)
      }
      return
    }
    let predicate: ValidatedPredicate
    do {
      let typed = try TypedPredicate(
        condition, as: .predicate, for: list.entity, in: session.model, wordAttributes: [])
      predicate = typed.predicate
    } catch {
      throw TypedTextError(error).moved(by: assignment.predicateOffset)
    }
    do {
      let ids = try work("Finding \(list.entity.name)") { try list.ids(matching: predicate) }
      guard !ids.isEmpty else { return fail("No \(list.entity.name) matches \(condition)") }
      askToSet(value, attribute, of: ids, where: condition)
    } catch {
      session.report(error)
      if isCancellation(error) { say("Cancelled — nothing was changed") }
    }
  }

  private func attribute(
    of assignment: TypedAssignment, in entity: EntityDescription
  ) throws(TypedTextError) -> AttributeDescription {
    let name = assignment.name
    guard let attribute = entity.attribute(named: name) else {
      guard entity.relationship(named: name) == nil else {
        throw TypedTextError(
          "\(name) is a relationship", at: assignment.nameRange,
          expected: "mark its column and press e to choose an object")
      }
      throw TypedTextError(
        unknown: name, in: entity.name, at: assignment.nameRange,
        offering: entity.attributes.map(\.name))
    }
    return attribute
  }

  private func value(
    of assignment: TypedAssignment, for attribute: AttributeDescription
  ) throws(TypedTextError) -> Value {
    let problem: String
    if let text = assignment.value {
      let input = ValueInput(attribute: attribute, former: .null, now: session.now())
      switch input.reading(of: text) {
      case .success(let reading): return reading.value
      case .failure(let error): problem = error.message
      }
    } else {
      guard let refusal = AttributeRules(attribute).problem(with: .null) else { return .null }
      problem = refusal
    }
    throw TypedTextError(problem, at: assignment.valueRange)
  }

  /// Completes the attribute before `=`, its value, or a name in the predicate.
  func assignmentCompletion(_ typed: String, in entity: EntityDescription) -> PromptBar.Completion?
  {
    guard typed.contains("=") else {
      let names = entity.attributes.filter { !$0.isReadOnly }.map(\.name)
      return PromptBar.Completion(typed, among: names, suffix: " = ")
    }
    guard let assignment = try? TypedAssignment(typed) else { return nil }
    if let predicate = assignment.predicate {
      return PromptBar.Completion(
        PredicateCompletion(
          before: predicate, for: entity, in: session.model, values: session.knownTexts))
    }
    guard typed.last?.isWhitespace == false, let text = assignment.value,
      assignment.valueRange.upperBound == typed.count,
      let attribute = entity.attribute(named: assignment.name)
    else { return PromptBar.Completion("", among: ["where"], suffix: " ") }
    if attribute.type == .boolean { return PromptBar.Completion(text, among: ["yes", "no"]) }
    return PromptBar.Completion(text, among: session.knownTexts(attribute, entity, text))
  }
}

extension ListScreen {
  /// The objects that the list can have, before any filter, and that match a predicate.
  func ids(matching predicate: ValidatedPredicate) throws -> [ObjectID] {
    let conditions = [scope.predicate?.predicate, predicate.predicate].compactMap(\.self)
    let plan = FetchPlan(
      entityName: entity.name,
      predicate: try FetchPredicate.all(conditions)
        .validated(forEntity: entity.name, in: session.model))
    return Array(try session.context.fetchIDs(plan).ids)
  }
}
