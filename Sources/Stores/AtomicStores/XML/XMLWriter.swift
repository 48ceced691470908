import Foundation
import ModelFiles
import ObjectModel

/// Writes the rows of an XML store into its file: what has not changed keeps its bytes.
///
/// An object that has changed is written as Core Data writes it, with attributes and relationships in
/// the order in which the file has them, and with the text of each value that has not changed.
struct XMLWriter {
  /// The file as it was read.
  private let database: XMLDatabase
  /// Its rows as they were read.
  private let old: InMemoryRows
  private let texts: XMLText
  /// Whether values are written whose type is in no file that is known.
  private let forcesTypes: Bool

  /// The identifiers of the objects in the file.
  private let fileIDs: Set<String>
  /// The types of the values in the file.
  private let fileTypes: Set<String>

  private var model: ManagedObjectModel { old.model }

  /// - Parameters:
  ///   - database: The file as it was read.
  ///   - old: Its rows as they were read.
  ///   - forcesTypes: Whether values are written whose type is in no file that is known.
  ///   - knownTypes: Types that the file had before.
  init(
    _ database: XMLDatabase, _ old: InMemoryRows, forcesTypes: Bool, knownTypes: Set<String> = []
  ) {
    (self.database, self.old, self.forcesTypes) = (database, old, forcesTypes)
    texts = XMLText(framework: database.metadata?["NSPersistenceFrameworkVersion"])
    fileIDs = Set(database.objects.map(\.id))
    fileTypes = knownTypes.union(database.objects.flatMap { $0.attributes.map(\.type) })
  }

  /// The bytes of the file with other rows.
  ///
  /// - Throws: ``StoreError`` if a value cannot be written.
  func bytes(of rows: InMemoryRows) throws(StoreError) -> [UInt8] {
    let (before, after) = try (Destinations(of: old), Destinations(of: rows))
    let orders = PropertyOrders(of: database)
    var ids: [String: ObjectID] = [:]
    for id in rows.objectIDs { ids[XMLText.name(of: id)] = id }
    let first = database.objects.first?.range.lowerBound
    var written = head(until: first ?? lineStart(of: database.end), rows)
    var position = first ?? lineStart(of: database.end)
    var known: Set<ObjectID> = []
    for object in database.objects {
      let gap = database.bytes[position..<object.range.lowerBound]
      position = object.range.upperBound
      guard let id = ids[object.id], let row = rows.row(of: id) else { continue }
      known.insert(id)
      written += gap
      if old.row(of: id)?.version == row.version, before.of(id) == after.of(id) {
        written += database.bytes[object.range]
      } else {
        written += try element(of: row, after.of(id), object, orders).utf8
      }
    }
    for id in rows.objectIDs.filter({ !known.contains($0) }).sorted(by: { $0.key < $1.key }) {
      guard let row = rows.row(of: id) else { continue }
      written += "\n    ".utf8
      written += try element(of: row, after.of(id), nil, orders).utf8
    }
    return written + database.bytes[position...]
  }

  /// Where the blanks before an offset begin.
  private func lineStart(of offset: Int) -> Int {
    database.bytes[..<offset].lastIndex { ![9, 10, 13, 32].contains($0) }.map { $0 + 1 } ?? offset
  }

  /// What comes before the objects, with the number of the last one.
  private func head(until end: Int, _ rows: InMemoryRows) -> [UInt8] {
    guard let last = database.lastNumber, let number = rows.lastKeys.values.max(),
      number > last.value, last.range.upperBound <= end
    else { return Array(database.bytes[..<end]) }
    return Array(database.bytes[..<last.range.lowerBound]) + Array("\(number)".utf8)
      + Array(database.bytes[last.range.upperBound..<end])
  }

  func element(
    of row: RowSnapshot, _ destinations: [String: [ObjectID]], _ object: XMLDatabase.Object?,
    _ orders: PropertyOrders
  ) throws(StoreError) -> String {
    guard let entity = model.entity(named: row.id.entityName) else { return "" }
    let type = entity.name.uppercased()
    var lines = [
      "<object type=\"\(XMLText.quoted(type))\" id=\"\(XMLText.quoted(XMLText.name(of: row.id)))\">"
    ]
    let olds = Dictionary(firstOf: (object?.attributes ?? []).map { ($0.name.lowercased(), $0) })
    let attributes = orders.sorted(entity.attributes.map(\.name), of: type, like: object)
    for name in attributes {
      guard let index = entity.attributeIndex(name), !row.values[index].isNull else { continue }
      let attribute = entity.attributes[index]
      let written = olds[name.lowercased()]
      let isSame = old.row(of: row.id)?.values[index] == row.values[index]
      let kind = try typeName(of: attribute, written, in: entity)
      let text: String
      if isSame, let written {
        text = written.text
      } else {
        text = try texts.text(of: row.values[index], attribute, in: entity)
      }
      let escaped = try texts.escaped(text, of: "\(entity.name).\(name)")
      lines.append(
        "    <attribute name=\"\(XMLText.quoted(written?.name ?? name.lowercased()))\" type=\"\(kind)\">\(escaped)"
          + "</attribute>")
    }
    let links = Dictionary(
      firstOf: (object?.relationships ?? []).map { ($0.name.lowercased(), $0) })
    for name in orders.sorted(entity.relationships.map(\.name), of: type, like: object) {
      guard let relationship = entity.relationship(named: name) else { continue }
      // Who leads to an object that is not in the file goes on to do so.
      var ids = (links[name.lowercased()]?.ids ?? []).filter { !fileIDs.contains($0) }
      ids = ordered(destinations[name] ?? [], relationship, links[name.lowercased()]) + ids
      let details = relationship.details
      let most = relationship.isToMany ? (details.maxCount > 1 ? details.maxCount : 0) : 1
      let least =
        relationship.isToMany ? details.minCount : relationship.isOptional ? 0 : 1
      // Frameworks differ in what they count as the least of an optional one.
      let counts = links[name.lowercased()].map { "\($0.minimum)/\($0.maximum)" }
      let references =
        ids.isEmpty ? "" : " idrefs=\"\(XMLText.quoted(ids.joined(separator: " ")))\""
      lines.append(
        "    <relationship name=\"\(XMLText.quoted(name.lowercased()))\""
          + " type=\"\(counts ?? "\(least)/\(most)")\""
          + " destination=\"\(XMLText.quoted(relationship.destinationEntityName.uppercased()))\""
          + "\(references)></relationship>")
    }
    return (lines + ["</object>"]).joined(separator: "\n    ")
  }

  /// The identifiers of destinations: those of an unordered relationship as they stand in the file,
  /// with new ones at the end.
  private func ordered(
    _ destinations: [ObjectID], _ relationship: RelationshipDescription,
    _ written: XMLDatabase.Relationship?
  ) -> [String] {
    let names = destinations.map(XMLText.name)
    guard !relationship.isOrdered, let written else { return names }
    let now = Set(names)
    let then = Set(written.ids)
    return written.ids.filter(now.contains) + names.filter { !then.contains($0) }
  }

  private func typeName(
    of attribute: AttributeDescription, _ written: XMLDatabase.Attribute?,
    in entity: EntityDescription
  ) throws(StoreError) -> String {
    if let type = written?.type, !type.isEmpty { return XMLText.quoted(type) }
    let name = attribute.type.xmlName
    let isSeen =
      Self.seenTypes.contains(name) && !attribute.details.allowsExternalBinaryDataStorage
      || fileTypes.contains(name)
    guard isSeen || forcesTypes else {
      throw StoreError(
        .unsupported, doing: "saving", subject: "\(entity.name).\(attribute.name)",
        detail: "no XML store that is known has a value of the type \(attribute.type)"
          + (attribute.details.allowsExternalBinaryDataStorage ? " in a file of its own" : "")
          + ": how Core Data writes it is a guess",
        remedy: "--force-write writes it as \(name)")
    }
    return name
  }

  /// The types that are in files of Core Data's.
  private static let seenTypes: Set = [
    "string", "int16", "int32", "bool", "float", "date", "binary",
  ]
}

/// Where each relationship of each object leads.
private struct Destinations {
  private var found: [ObjectID: [String: [ObjectID]]] = [:]

  init(of rows: InMemoryRows) throws(StoreError) {
    for (entityName, ids) in Dictionary(grouping: rows.objectIDs, by: \.entityName) {
      for relationship in rows.model.entity(named: entityName)?.relationships ?? [] {
        for (id, destinations) in try rows.destinations(of: relationship.name, from: ids) {
          found[id, default: [:]][relationship.name] = destinations
        }
      }
    }
  }

  func of(_ id: ObjectID) -> [String: [ObjectID]] { found[id] ?? [:] }
}

/// The order in which a file has the properties of each entity.
struct PropertyOrders {
  private var orders: [String: [String: Int]] = [:]

  init(of database: XMLDatabase) {
    for object in database.objects {
      for name in Self.names(of: object) {
        let count = orders[object.type]?.count ?? 0
        orders[object.type, default: [:]][name, default: count] += 0
      }
    }
  }

  private static func names(of object: XMLDatabase.Object) -> [String] {
    (object.attributes.map(\.name) + object.relationships.map(\.name)).map { $0.lowercased() }
  }

  /// Names as an object has them, then as others of its entity have them, then as they are given.
  func sorted(_ names: [String], of type: String, like object: XMLDatabase.Object?) -> [String] {
    let own = Dictionary(
      firstOf: (object.map(Self.names) ?? []).enumerated().map { ($0.element, $0.offset) })
    let others = orders[type] ?? [:]
    return names.enumerated().sorted { a, b in
      let (first, second) = (a.element.lowercased(), b.element.lowercased())
      let ranks = [first, second].map { (own[$0] ?? .max, others[$0] ?? .max) }
      return (ranks[0].0, ranks[0].1, a.offset) < (ranks[1].0, ranks[1].1, b.offset)
    }.map(\.element)
  }
}
