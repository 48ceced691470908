import Foundation
import ObjectModel

/// Which property each column of a file is, and how its fields are read.
package struct ImportMapping: Sendable {
  /// What a column is.
  enum Target: Sendable {
    case attribute(Int, AttributeReader)
    /// Objects by their URIs, or by the value of an attribute.
    case relationship(RelationshipDescription, key: AttributeReader?)
    /// The URI of the object itself.
    case objectID
    /// Nothing, and why.
    case ignored(String)
  }

  /// A column of the file.
  package struct Column: Sendable {
    /// Its name in the file.
    package let name: String
    let target: Target
    /// How its fields are read, where that is not obvious; empty where it is.
    package var note = ""

    /// The property; nil if the column is left out.
    package var propertyName: String? {
      switch target {
      case .attribute(_, let reader): reader.attribute.name
      case .relationship(let relationship, let key):
        key.map { "\(relationship.name).\($0.attribute.name)" } ?? relationship.name
      case .objectID: "objectID"
      case .ignored: nil
      }
    }

    /// The column in one line: `born → born (date), dates like dd.MM.yyyy`.
    package var phrase: String {
      let type: String =
        switch target {
        case .attribute(_, let reader): " (\(reader.attribute.type.rawValue))"
        case .relationship(let relationship, _): " (\(relationship.destinationEntityName))"
        case .objectID: ""
        case .ignored(let reason): ": \(reason)"
        }
      return "\(name) → \(propertyName ?? "–")\(type)" + (note.isEmpty ? "" : ", \(note)")
    }
  }

  package private(set) var columns: [Column] = []
  /// The columns that are properties.
  private var mapped: [Int] = []
  /// The attributes by which an object is found that is to be updated.
  package private(set) var keys: [String] = []
  let entity: EntityDescription
  private let model: ManagedObjectModel
  private let options: ImportOptions
  /// What separates the fields of a record; nil in JSON.
  private let delimiter: UInt8?
  /// The folder of a whole store, whose values are read as they are; nil for a file.
  private let folder: OpenFolder?
  /// The entity in the model of the folder.
  private let source: EntityDescription?

  /// Finds the properties of columns.
  ///
  /// - Parameters:
  ///   - names: The names of the columns.
  ///   - sample: The first records.
  ///   - entity: The entity of the objects.
  ///   - model: Its model.
  ///   - options: What a person has said.
  ///   - delimiter: What separates the fields of a record; nil in JSON.
  ///   - folder: The folder of a whole store, whose values are read as they are; nil for a file.
  ///   - source: The entity in the model of the folder.
  /// - Throws: ``TransferError`` if an option names what does not exist, a required property has no
  ///   column, or dates can be read in two ways.
  init(
    _ names: [String], sample: [ImportRecord], of entity: EntityDescription,
    in model: ManagedObjectModel, options: ImportOptions, delimiter: UInt8? = nil,
    folder: OpenFolder? = nil, source: EntityDescription? = nil
  ) throws(TransferError) {
    (self.entity, self.model, self.options) = (entity, model, options)
    (self.delimiter, self.folder, self.source) = (delimiter, folder, source)
    for name in options.properties.keys where !names.contains(name) {
      throw TransferError(
        .usage, "--map", "the file has no column “\(name)”",
        try: NearestNames.suggestions(for: name, in: names).first ?? names.joined(separator: ", "))
    }
    for name in options.dates.keys where entity.attribute(named: name)?.type != .date {
      throw TransferError(.usage, "--date", "\(entity.name) has no date “\(name)”")
    }
    for name in options.links.keys where entity.relationship(named: name) == nil {
      throw unknown(name, option: "--link")
    }
    try add(names, sample: sample)
    try findKeys()
    if folder == nil { try checkMapped(!names.isEmpty || !sample.isEmpty) }
    try checkRequired()
  }

  /// Adds columns that come later in the file, as keys of JSON may.
  mutating func add(_ names: [String], sample: [ImportRecord]) throws(TransferError) {
    for name in names.dropFirst(columns.count) {
      let index = columns.count
      var target = try target(of: name)
      // A file may have ten thousand columns that are left out.
      if let taken = mapped.first(where: { columns[$0].isSame(target) }) {
        target = .ignored("the column “\(columns[taken].name)” is this property already")
      }
      var column = Column(name: name, target: target)
      if case .attribute(let attribute, var reader) = target {
        reader.emptyIsText = options.emptyIsText
        (reader.readsFormulas, reader.files) = (delimiter != nil, folder)
        if folder == nil {
          column.note = try reader.recognise(
            sample.lazy.compactMap { $0.text(index) }, delimiter: delimiter,
            dates: options.dates[reader.attribute.name])
        }
        column = Column(name: name, target: .attribute(attribute, reader), note: column.note)
      }
      columns.append(column)
      if column.propertyName != nil { mapped.append(index) }
    }
  }

  private func unknown(_ name: String, option: String) -> TransferError {
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    return TransferError(
      .usage, option, "no “\(name)” in \(entity.name)",
      try: NearestNames.suggestions(for: name, in: names).joined(separator: ", "))
  }

  // MARK: Names

  private func target(of column: String) throws(TransferError) -> Target {
    if let property = options.properties[column] {
      if property.isEmpty { return .ignored("left out by --map") }
      guard let target = try target(ofProperty: property) else {
        throw unknown(property, option: "--map")
      }
      return target
    }
    if folder != nil, column == Exporter.uriKey(of: source ?? entity) { return .objectID }
    if column.isEmpty { return .ignored("it has no name") }
    if let target = try target(ofProperty: column) { return target }
    let properties =
      entity.attributes.map { ($0.name, $0.details.property.userInfo) }
      + entity.relationships.map { ($0.name, $0.details.property.userInfo) }
    for (name, info) in properties where Self.otherNames(info).contains(column) {
      if let target = try target(ofProperty: name) { return target }
    }
    // `first_name`, `First Name` and `FIRSTNAME` are firstName, unless that is two properties.
    let folded = Self.folded(column)
    let alike = properties.map(\.0).filter { Self.folded($0) == folded }
    if alike.count == 1, !folded.isEmpty, let target = try target(ofProperty: alike[0]) {
      return target
    }
    return .ignored("\(entity.name) has no such property")
  }

  private static func otherNames(_ info: [String: String]) -> [String] {
    info.filter { $0.key == "mappedKeyName" || $0.key.hasPrefix("mappedKeyName.") }.map(\.value)
  }

  private static func folded(_ name: String) -> String {
    String(
      name.lowercased().unicodeScalars.filter {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      })
  }

  /// What a name of the entity is; nil if it has no such property.
  private func target(ofProperty name: String) throws(TransferError) -> Target? {
    if let index = entity.attributeIndex(name) {
      let attribute = entity.attributes[index]
      if attribute.isReadOnly { return .ignored("the store computes it") }
      var reader = AttributeReader(source?.attribute(named: name) ?? attribute)
      // A plain column takes any value as it was stored.
      if reader.attribute.encoding != attribute.encoding, attribute.reading == nil {
        reader.target = attribute
      }
      return .attribute(index, reader)
    }
    if let relationship = entity.relationship(named: name) {
      // The folder of a whole store has URIs.
      let key = options.links[name] ?? (folder == nil ? related(by: relationship) : nil)
      return try target(relationship, key: key)
    }
    if name == "objectID" { return .objectID }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, let relationship = entity.relationship(named: parts[0]) {
      return try target(relationship, key: parts[1])
    }
    return nil
  }

  private func target(_ relationship: RelationshipDescription, key: String?) throws(TransferError)
    -> Target
  {
    guard let key else { return .relationship(relationship, key: nil) }
    let destination = model.entity(named: relationship.destinationEntityName)
    guard let attribute = destination?.attribute(named: key) else {
      throw TransferError(
        .usage, "\(relationship.name).\(key)",
        "\(relationship.destinationEntityName) has no attribute “\(key)”",
        try: NearestNames.suggestions(for: key, in: destination?.attributes.map(\.name) ?? [])
          .joined(separator: ", "))
    }
    return .relationship(relationship, key: AttributeReader(attribute))
  }

  /// The attribute by which the model says that objects of a relationship are known.
  private func related(by relationship: RelationshipDescription) -> String? {
    let key = "relatedByAttribute"
    return relationship.details.property.userInfo[key]
      ?? model.entity(named: relationship.destinationEntityName)?.details.userInfo[key]
  }

  private mutating func findKeys() throws(TransferError) {
    keys = options.keys
    if keys.isEmpty, folder == nil, let own = entity.details.userInfo["relatedByAttribute"] {
      keys = isMapped(own) ? [own] : []
    }
    if keys == ["objectID"] { return }
    for key in keys {
      guard entity.attribute(named: key) != nil else { throw unknown(key, option: "--key") }
      guard isMapped(key) else {
        throw TransferError(.usage, "--key", "no column of the file is \(key)")
      }
    }
  }

  private func isMapped(_ property: String) -> Bool {
    columns.contains {
      switch $0.target {
      case .attribute(_, let reader): reader.attribute.name == property
      case .relationship(let relationship, _): relationship.name == property
      case .objectID: property == "objectID"
      case .ignored: false
      }
    }
  }

  /// Refuses a file of which nothing would be imported but the number of its records.
  private func checkMapped(_ hasRecords: Bool) throws(TransferError) {
    guard hasRecords, keys != ["objectID"], !mapped.contains(where: { !columns[$0].isURI }) else {
      return
    }
    let names = columns.prefix(10).map { "“\($0.name)”" }.joined(separator: ", ")
    let example = entity.attributes.first { !$0.isReadOnly }?.name ?? "PROPERTY"
    throw TransferError(
      .usage, entity.name,
      columns.isEmpty
        ? "the records of the file have no properties"
        : "no column of the file is a property of \(entity.name): it has \(names)"
          + (columns.count > 10 ? " and \(columns.count - 10) more" : ""),
      try: "--map \(columns.first?.name ?? "COLUMN")=\(example)")
  }

  /// Refuses a file without a column for what each new object must have.
  private func checkRequired() throws(TransferError) {
    guard keys.isEmpty, folder == nil else { return }
    let mapped = Set(
      entity.relationships.filter { isMapped($0.name) }.flatMap(\.foreignKeyAttributes))
    var missing = entity.attributes.filter {
      !$0.isOptional && !$0.isReadOnly && !$0.hasDefault && !isMapped($0.name)
        && !mapped.contains($0.name) && entity.keyAttributes != [$0.name]
    }.map(\.name)
    missing += entity.toOneRelationships.filter {
      !$0.isOptional && $0.foreignKeyAttributes.isEmpty && !isMapped($0.name)
    }.map(\.name)
    guard let first = missing.first else { return }
    throw TransferError(
      .usage, entity.name,
      "no column of the file is \(missing.joined(separator: ", ")), which each object must have",
      try: "--map COLUMN=\(first)")
  }
}

extension ImportMapping.Column {
  /// Whether it is the URI of the object itself.
  fileprivate var isURI: Bool { if case .objectID = target { true } else { false } }

  fileprivate func isSame(_ other: ImportMapping.Target) -> Bool {
    switch (target, other) {
    case (.attribute(let own, _), .attribute(let other, _)): own == other
    case (.relationship(let own, _), .relationship(let other, _)): own.name == other.name
    case (.objectID, .objectID): true
    default: false
    }
  }
}
