import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The objects that get the same value.
struct EditTargets {
  let ids: [ObjectID]
  /// The entity of the first one.
  let entity: EntityDescription
  /// How many of the chosen objects are left as they are and why, as "2 marked for deletion"; empty
  /// for none.
  var leftOut = ""

  /// One object of each entity, among those in the store and among the new ones: what can be edited
  /// is the same for all others.
  var representatives: [ObjectID] {
    var seen: Set<[String]> = []
    return ids.filter { seen.insert([$0.entityName, $0.isTemporary ? "new" : ""]).inserted }
  }

  /// ``leftOut`` for a title.
  var note: String { leftOut.isEmpty ? "" : " (not \(leftOut))" }
}

extension App {
  /// The most objects whose values are compared, to begin with the value that all have.
  private static let mostCompared = 500
  /// The number of objects that are read together.
  private static let batchSize = 1_000

  /// Those of some objects that can be changed; nil if none can, and a message says why.
  func editTargets(_ ids: [ObjectID]) -> EditTargets? {
    guard ids.count > 1, session.readOnlyReason == nil else {
      guard let id = ids.first, canChange(id) else { return nil }
      return EditTargets(ids: [id], entity: session.context.object(with: id).entity)
    }
    for name in Set(ids.map(\.entityName)) {
      guard let reason = session.model.entity(named: name)?.readOnlyReason else { continue }
      fail("\(name) objects cannot be changed: \(reason)")
      return nil
    }
    let marked = ids.count { session.marks.contains($0) }
    var living: [ObjectID] = []
    do {
      try work("Reading") {
        try forEach(ids.filter { !session.marks.contains($0) }) { object in
          if object.isAccessible, !object.isDeleted { living.append(object.objectID) }
        }
      }
    } catch {
      session.report(error)
      return nil
    }
    let gone = ids.count - marked - living.count
    let leftOut = [
      marked > 0 ? "\(groupedDigits(marked)) marked for deletion" : nil,
      gone > 0 ? "\(groupedDigits(gone)) deleted" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    guard let first = living.first else {
      fail("Nothing can be changed: \(leftOut)\(session.advice((.unmark, "takes marks off")))")
      return nil
    }
    return EditTargets(
      ids: living, entity: session.context.object(with: first).entity, leftOut: leftOut)
  }

  /// The value that an attribute has in all objects; nil if they differ, or are very many.
  func commonValue(of attribute: AttributeDescription, in ids: [ObjectID]) throws -> Value? {
    guard ids.count <= Self.mostCompared, let first = ids.first else { return nil }
    let value = try session.context.object(with: first).wholeValue(forKey: attribute.name)
    for id in ids.dropFirst() {
      let other = try session.context.object(with: id).wholeValue(forKey: attribute.name)
      guard other == value else { return nil }
    }
    return value
  }

  /// Changes objects one after another as one undo step, with progress; Esc takes back what was
  /// done.
  ///
  /// - Parameters:
  ///   - targets: The objects.
  ///   - name: The name of the step, as "change city of 3 Person".
  ///   - message: What to say of it; nil to say it by the name.
  ///   - body: The change of an object.
  /// - Returns: Whether it was done.
  @discardableResult
  func changeEach(
    _ targets: EditTargets, _ name: String, message: String? = nil,
    _ body: (ManagedObject) throws -> Void
  ) -> Bool {
    if targets.ids.count == 1 {
      return change(name, message: message) { try body($0.object(with: targets.ids[0])) }
    }
    session.hasSetTogether = true
    let left = targets.leftOut.isEmpty ? "" : "; not \(targets.leftOut)"
    return work("Changing") {
      change(name, message: message ?? "\(name)\(left)\(session.undoOrSave)") { _ in
        try forEach(targets.ids, body)
      }
    }
  }

  /// Does something with each of some objects, which are read together.
  ///
  /// - Throws: What the body throws; a `StoreError` if the work is cancelled.
  private func forEach(_ ids: [ObjectID], _ body: (ManagedObject) throws -> Void) throws {
    let context = session.context
    for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
      try FetchControl.check(doing: "changing objects", completed: start, total: ids.count)
      let batch = ids[start..<min(start + Self.batchSize, ids.count)]
      try context.prefetch(batch)
      for id in batch { try body(context.object(with: id)) }
    }
  }
}
