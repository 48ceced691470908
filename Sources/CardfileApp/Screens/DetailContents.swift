import Foundation
import ManagedObjects
import ObjectModel
import TerminalKit

/// The lines of an object's page.
struct DetailContents {
  /// An item that the cursor can be on.
  enum Item: Hashable {
    case attribute(String)
    case relationship(String)
    case identity
  }

  /// One line of the page.
  enum Line {
    case blank
    /// A horizontal rule with a title.
    case rule(String)
    /// A label, a flag, a value, and a note at the right.
    case field(label: String, isChanged: Bool, value: String, note: String, isDim: Bool)
    /// A continuation line of a value.
    case more(String)
    case relationship(Relationship)
  }

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

  private(set) var lines: [Line] = []
  private(set) var items: [(item: Item, lines: Range<Int>)] = []
  /// The width of labels in columns.
  let labelWidth: Int
  /// The width of the names of destination entities in columns.
  let entityWidth: Int
  let object: ManagedObject
  let session: Session

  /// The column where values begin.
  var valueX: Int { labelWidth + 6 }

  /// Makes the lines of an object for a page of a width in columns.
  init(_ object: ManagedObject, session: Session, columns: Int, signs: Signs) {
    self.object = object
    self.session = session
    let entity = object.entity
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name) + ["objectID"]
    labelWidth = min(
      names.reduce(0) { max($0, displayWidth(of: $1.prefix(40))) }, max(columns / 4, 6))
    entityWidth = min(
      entity.relationships.reduce(0) { max($0, displayWidth(of: $1.destinationEntityName)) }, 24)
    guard object.isAccessible else {
      lines = [.more("It was deleted from the store, or cannot be read.")]
      addIdentity(columns, signs)
      return
    }
    let changed = object.isUpdated ? object.changedKeys : []
    for attribute in entity.attributes {
      addAttribute(attribute, isChanged: changed.contains(attribute.name), columns, signs)
    }
    if !entity.relationships.isEmpty {
      lines += [.blank, .rule("Relationships")]
      for relationship in entity.relationships {
        addRelationship(relationship, isChanged: changed.contains(relationship.name))
      }
    }
    addIdentity(columns, signs)
  }

  private mutating func add(_ item: Item, _ new: [Line]) {
    items.append((item, lines.count..<lines.count + new.count))
    lines += new
  }

  // MARK: Attributes

  private mutating func addAttribute(
    _ attribute: AttributeDescription, isChanged: Bool, _ columns: Int, _ signs: Signs
  ) {
    let name = attribute.name
    var value = object.truncatedValue(forKey: name)
    if object.cutLength(forKey: name) != nil, case .string = value {
      value = (try? object.wholeValue(forKey: name)) ?? value
    }
    let room = max(columns - valueX - 1, 8)
    var texts: [String]
    if case .string(let text) = value {
      texts = TextWrap.lines(text, columns: room, limit: 500, signs: signs)
    } else {
      texts = [ValueText.line(of: attribute, in: object) ?? signs.null]
    }
    if case .date(let date) = value, let age = ValueText.age(of: date, now: session.now()) {
      texts[0] += "  (\(age))"
    }
    if case .data(let data) = value, let kind = ValueText.kind(of: data) {
      texts[0] += "  (\(kind))"
    }
    texts += descriptionOnPage(of: attribute, columns: room, signs: signs)
    let first = texts.isEmpty ? "" : texts.removeFirst()
    add(
      .attribute(name),
      [
        .field(
          label: name, isChanged: isChanged, value: first,
          note: note(attribute, value, isChanged: isChanged, signs), isDim: value.isNull)
      ] + texts.map { .more($0) })
  }

  private func note(
    _ attribute: AttributeDescription, _ value: Value, isChanged: Bool, _ signs: Signs
  ) -> String {
    if isChanged {
      return "was: \(ValueText.line(object.committedValue(forKey: attribute.name)) ?? signs.null)"
    }
    guard case .date = value else { return ValueText.typeName(attribute.type) }
    switch object.storedValue(forKey: attribute.name) {
    case .integer(let number): return "Date, stored \(groupedDigits(Int(clamping: number)))"
    case .double(let number): return "Date, stored \(number)"
    default: return ValueText.typeName(attribute.type)
    }
  }

  // MARK: Relationships

  private mutating func addRelationship(
    _ relationship: RelationshipDescription, isChanged: Bool
  ) {
    var names = ""
    var count: Int?
    if relationship.isToMany {
      let found = destinations(of: relationship)
      count = found.count
      names = found.first.map { session.context.displayName(of: $0) }.joined(separator: ", ")
      if found.count > found.first.count, !names.isEmpty { names += ", …" }
    } else if let id = object.objectID(forKey: relationship.name) {
      let exists = session.context.object(with: id).isAccessible
      names = session.context.displayName(of: id) + (exists ? "" : "  (missing)")
    }
    let rule = "delete rule: \(relationship.deleteRule.rawValue)"
    let inverse = relationship.inverseName.map { "inverse: \($0)" }
    let note =
      switch relationship.deleteRule {
      case .cascade, .deny: rule
      case .nullify, .noAction: inverse ?? ""
      }
    add(
      .relationship(relationship.name),
      [
        .relationship(
          Relationship(
            label: relationship.name, isToMany: relationship.isToMany, isChanged: isChanged,
            entityName: relationship.destinationEntityName, count: count, names: names,
            note: note, wideNote: [inverse, rule].compactMap(\.self).joined(separator: " · ")))
      ])
  }

  /// The number of destination objects, and the first three.
  private func destinations(
    of relationship: RelationshipDescription
  ) -> (count: Int, first: [ObjectID]) {
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
      return (0, [])
    }
  }

  // MARK: Identity

  private mutating func addIdentity(_ columns: Int, _ signs: Signs) {
    let entity = object.entity
    var row = entity.name
    if entity.keyAttributes.isEmpty {
      if case .integer(let key) = object.objectID.key { row += " rowid=\(key)" }
    } else if object.isAccessible {
      row += entity.keyAttributes.reduce(into: "") {
        $0 += " \($1)=\(ValueText.line(object.truncatedValue(forKey: $1)) ?? signs.null)"
      }
    }
    if object.isInserted { row += " · new, not saved" }
    if let reason = entity.readOnlyReason { row += " · \(reason)" }
    lines += [.blank, .rule("Identity")]
    let room = max(columns - valueX - 1, 8)
    var facts = [("objectID", object.objectID.uriRepresentation)]
    if let superentity = entity.superentityName {
      facts.append(("entity", "\(entity.name), a kind of \(superentity)"))
    }
    for (label, text) in facts + [("row", row)] {
      var texts = TextWrap.lines(text, columns: room, limit: 20, signs: signs)
      let first = texts.isEmpty ? "" : texts.removeFirst()
      let field = Line.field(label: label, isChanged: false, value: first, note: "", isDim: false)
      if label == "objectID" {
        add(.identity, [field] + texts.map { .more($0) })
      } else {
        items[items.count - 1].lines =
          items[items.count - 1].lines.lowerBound..<lines.count + 1 + texts.count
        lines += [field] + texts.map { .more($0) }
      }
    }
  }
}
