import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension DetailContents {
  /// A relationship's line.
  struct Relationship {
    let label: String
    let isToMany: Bool
    let isChanged: Bool
    let entityName: String
    /// The number of destination objects; nil for a to-one.
    let count: Int?
    let names: String
    /// The note on a narrow screen.
    let note: String
    /// The note on a wide screen.
    let wideNote: String
  }

  /// The row of a relationship.
  func row(of relationship: RelationshipDescription) -> NewRow {
    let isChanged = changed.contains(relationship.name)
    var names = ""
    var count: Int?
    if let known = options.known, relationship.isToMany {
      count = known.counts[relationship.name]
      names = count == nil ? "…" : ""
    } else if relationship.isToMany {
      if let found = destinations(of: relationship) {
        count = found.count
        names = found.first.map { session.context.displayName(of: $0) }.joined(separator: ", ")
        if found.count > found.first.count, !names.isEmpty { names += ", …" }
      } else {
        names = FetchControl.current?.hasMetLock == true ? signs.waiting : "cannot be read"
      }
    } else if let id = object.objectID(forKey: relationship.name) {
      guard options.known?.isRead ?? true || isInMemory(id) else { return unread(relationship) }
      let exists = session.context.object(with: id).isAccessible
      let note = session.context.isUnread(id) ? signs.waiting : "(missing)"
      names = session.context.displayName(of: id) + (exists ? "" : "  \(note)")
    } else if let id = object.danglingID(forKey: relationship.name) {
      names = "\(id.description)  (missing)"
    }
    let rule = "delete rule: \(relationship.deleteRule.rawValue)"
    let inverse = relationship.inverseName.map { "inverse: \($0)" }
    let note =
      switch relationship.deleteRule {
      case .cascade, .deny, .setDefault: rule
      case .nullify, .noAction: inverse ?? ""
      }
    let line = Relationship(
      label: relationship.name, isToMany: relationship.isToMany, isChanged: isChanged,
      entityName: relationship.destinationEntityName, count: count, names: names,
      note: note, wideNote: [inverse, rule].compactMap(\.self).joined(separator: " · "))
    return NewRow(
      property: .relationship(relationship.name), block: .relationships,
      lines: [.relationship(line)],
      text: "\(relationship.name)\n\(relationship.destinationEntityName)\n\(names)",
      isEmpty: names.isEmpty && (count ?? 0) == 0 && !isChanged)
  }

  private func isInMemory(_ id: ObjectID) -> Bool {
    session.context.registeredObject(for: id)?.isFault == false
  }

  /// The row of a to-one whose object is read later.
  private func unread(_ relationship: RelationshipDescription) -> NewRow {
    let line = Relationship(
      label: relationship.name, isToMany: false, isChanged: false,
      entityName: relationship.destinationEntityName, count: nil, names: signs.ellipsis, note: "",
      wideNote: "")
    return NewRow(
      property: .relationship(relationship.name), block: .relationships,
      lines: [.relationship(line)], text: relationship.name)
  }

  /// The number of destination objects, and the first three; nil if they cannot be read, which is
  /// reported.
  private func destinations(
    of relationship: RelationshipDescription
  ) -> (count: Int, first: [ObjectID])? {
    do {
      var plan = FetchPlan(
        entityName: relationship.destinationEntityName,
        predicate: try RelationshipScope.predicate(
          of: relationship, from: object, in: session.model))
      let count = try session.context.count(for: plan)
      plan.limit = 3
      return (count, Array(try session.context.fetchIDs(plan).ids))
    } catch {
      session.report(error)
      return nil
    }
  }
}
