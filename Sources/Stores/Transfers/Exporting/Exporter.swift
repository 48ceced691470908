import Foundation
package import ObjectModel

/// Writes a whole store, or some entities of it, to a folder, from which an import makes an equal
/// store.
///
/// `model.json` is the model; `objects/Entity.jsonl` has the entity's own objects, one a line, with
/// relationships as URIs; `files` has the values that are stored in files, and other long ones.
/// Values are decoded where they come back as they are, else as they are stored: see ``StoredForm``.
package final class Exporter {
  /// What was written.
  package struct Result: Hashable, Sendable {
    /// The number of objects by entity.
    package var counts: [String: Int] = [:]
    package var fileCount = 0

    /// What was written, in one line.
    package var phrase: String {
      let objects = counts.values.reduce(0, +)
      func phrase(_ count: Int, _ one: String, _ many: String) -> String {
        "\(Value.grouped(count)) \(count == 1 ? one : many)"
      }
      return phrase(objects, "object", "objects") + " of "
        + phrase(counts.count, "entity", "entities")
        + (fileCount > 0 ? ", " + phrase(fileCount, "file", "files") : "")
    }
  }

  static let (objectsName, filesName, modelName) = ("objects", "files", "model.json")
  private static let batchSize = 1_000
  /// Bytes that are longer are written to a file, in bytes.
  private static let longest = 64 << 10

  private let store: any PersistentStore
  private let entities: [EntityDescription]

  /// Prepares to write the objects of some entities; nil for all.
  package init(_ store: any PersistentStore, entities: [EntityDescription]? = nil) {
    self.store = store
    self.entities = entities ?? store.model.storedEntities
  }

  /// Writes the folder; it gets its name when it is complete.
  ///
  /// - Parameters:
  ///   - path: The path of the folder, which must not exist.
  ///   - progress: Called now and then with the number of objects.
  /// - Returns: What was written.
  /// - Throws: ``TransferError``, or `StoreError`.
  package func write(to path: String, progress: (Int) -> Void = { _ in }) throws -> Result {
    do {
      let parent = try OpenFolder(path: path.parentPath)
      guard parent.status(of: path.lastPathPart) == nil else {
        throw TransferError(.refused, path, "it exists", try: "another name, or removing it")
      }
      parent.removeAbandonedDrafts()
      return try store.inReadTransaction {
        let draft = try Draft(folderIn: parent)
        let result = try write(into: draft.contents, progress)
        try draft.commit(as: path.lastPathPart, replacing: false)
        return result
      }
    } catch let error as FileError {
      throw TransferError(error)
    }
  }

  private func write(into folder: OpenFolder, _ progress: (Int) -> Void) throws -> Result {
    var result = Result()
    var model = try ExportFile(Self.modelName, in: folder)
    let json = try store.model.json()
    model.bytes = Array(json)
    try model.flush()
    // What an import will know of the attributes.
    let known = try ManagedObjectModel(json: json)
    let objects = try folder.makeFolder(named: Self.objectsName, access: nil)
    let files = try folder.makeFolder(named: Self.filesName, access: nil)
    var done = 0
    for entity in entities {
      var file = try ExportFile(Self.fileName(of: entity.name), in: objects)
      var writer = ObjectWriter(
        entity, as: known.entity(named: entity.name) ?? entity, of: store, files: files)
      let plan = FetchPlan(entityName: entity.name, includesSubentities: false)
      let ids = try store.fetch(plan, control: nil).ids
      for batch in ids.chunks(of: Self.batchSize) {
        try FetchControl.check(doing: "exporting \(entity.name)")
        try writer.write(Array(batch), to: &file)
        done += batch.count
        progress(done)
      }
      try file.flush()
      result.counts[entity.name] = ids.count
      result.fileCount += writer.fileCount
    }
    return result
  }

  /// The name of an entity's file; a name may have any character.
  static func fileName(of entity: String) -> String {
    entity.utf8.percentEscaped(except: "-_ ") + ".jsonl"
  }

  /// The key of an object's URI in its line: a name that no property has.
  static func uriKey(of entity: EntityDescription) -> String {
    var key = "objectID"
    while entity.attribute(named: key) != nil || entity.relationship(named: key) != nil {
      key = "@" + key
    }
    return key
  }

  /// Writes objects of an entity as lines of JSON.
  private struct ObjectWriter {
    let entity: EntityDescription
    let store: any PersistentStore
    let files: OpenFolder
    let toOne: [(index: Int, name: String)]
    let links: [RelationshipDescription]
    let readers: [AttributeReader]
    let uriKey: String
    var fileCount = 0

    init(
      _ entity: EntityDescription, as known: EntityDescription, of store: any PersistentStore,
      files: OpenFolder
    ) {
      (self.entity, self.store, self.files) = (entity, store, files)
      // In a plain table the attribute of the foreign key says it.
      toOne = entity.toOneRelationships.enumerated().filter {
        $0.element.foreignKeyAttributes.isEmpty
      }.map { ($0.offset, $0.element.name) }
      links = store.model.linkedRelationships(of: entity)
      uriKey = Exporter.uriKey(of: known)
      readers = entity.attributes.map { AttributeReader(known.attribute(named: $0.name) ?? $0) }
    }

    mutating func write(_ ids: [ObjectID], to file: inout ExportFile) throws {
      let rows = try store.rows(of: ids)
      var destinations: [[ObjectID: [ObjectID]]] = []
      for link in links { destinations.append(try store.destinations(of: link.name, from: ids)) }
      for case let row? in rows {
        file.bytes.append(UInt8(ascii: "{"))
        JSONText.append(uriKey, to: &file.bytes)
        file.bytes.append(UInt8(ascii: ":"))
        JSONText.append(row.id.uriRepresentation, to: &file.bytes)
        for index in entity.attributes.indices where !entity.attributes[index].isReadOnly {
          appendKey(entity.attributes[index].name, &file.bytes)
          var value = row.values[index]
          if row.cutLengths[index] != nil {
            value = try store.value(of: entity.attributes[index].name, for: row.id)
          }
          try append(value, at: index, of: row.id, to: &file.bytes)
        }
        for (index, name) in toOne {
          guard row.toOne.indices.contains(index), let id = row.toOne[index] else { continue }
          appendKey(name, &file.bytes)
          JSONText.append(id.uriRepresentation, to: &file.bytes)
        }
        for (link, found) in zip(links, destinations) {
          guard let ids = found[row.id], !ids.isEmpty else { continue }
          appendKey(link.name, &file.bytes)
          for (number, id) in ids.enumerated() {
            file.bytes.append(UInt8(ascii: number == 0 ? "[" : ","))
            JSONText.append(id.uriRepresentation, to: &file.bytes)
          }
          file.bytes.append(UInt8(ascii: "]"))
        }
        file.bytes.append(contentsOf: "}\n".utf8)
        try file.flushIfLarge()
      }
    }

    private func appendKey(_ name: String, _ bytes: inout [UInt8]) {
      bytes.append(UInt8(ascii: ","))
      JSONText.append(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(
      _ stored: Value, at index: Int, of id: ObjectID, to bytes: inout [UInt8]
    ) throws {
      let attribute = readers[index].attribute
      let decoded = attribute.decode(stored)
      if case .data(let data) = decoded {
        if let name = attribute.externalFileName(in: stored) {
          bytes.append(contentsOf: "{\"external\":\"\(name)\"}".utf8)
          return
        }
        if attribute.encoding == .externalData && data.count > 1 || data.count > Self.longest {
          return try appendFile(data, attribute, id, to: &bytes)
        }
      }
      // As text, if that means the same when it is read.
      let start = bytes.count
      var kind = ImportRecord.Kind.quoted
      var text: String
      switch decoded {
      case .null: return JSONText.append(Value.null, to: &bytes)
      case .integer(let number): (text, kind) = (String(number), .bare)
      case .double(let number) where number.isFinite: (text, kind) = ("\(number)", .bare)
      case .bool(let flag): (text, kind) = (flag.description, .bare)
      case .date(let date):
        text =
          ISODate.standard.exactText(referenceSeconds: date.timeIntervalSinceReferenceDate) ?? ""
      default: text = decoded.plainText
      }
      let isText = text.withBytes { $0.isUTF8 }
      if isText, comesBack(text, kind, as: stored, readers[index]) {
        if kind == .quoted {
          JSONText.append(text, to: &bytes)
        } else {
          bytes.append(contentsOf: text.utf8)
        }
      } else {
        bytes.removeSubrange(start...)
        StoredForm.append(stored, to: &bytes)
      }
    }

    private static let longest = Exporter.longest

    private func comesBack(
      _ text: String, _ kind: ImportRecord.Kind, as stored: Value, _ reader: AttributeReader
    ) -> Bool {
      text.withBytes { bytes in
        switch reader.read(bytes, kind) {
        case .field(let field): stored.withStoredField { $0.value == field.value } ?? false
        case .value(let value): value == stored
        case .problem: false
        }
      }
    }

    private mutating func appendFile(
      _ data: Data, _ attribute: AttributeDescription, _ id: ObjectID, to bytes: inout [UInt8]
    ) throws {
      fileCount += 1
      let entityName = entity.name.utf8.percentEscaped(except: "-_")
      let name = "\(entityName)-\(fileCount)-\(attribute.name.utf8.percentEscaped(except: "-_"))"
      var file = try ExportFile(name, in: files)
      file.bytes = Array(data)
      try file.flush()
      StoredForm.append(file: "\(Exporter.filesName)/\(name)", to: &bytes)
    }
  }
}
