import Glibc
package import ObjectModel

/// Imports the folder of an ``Exporter``: objects keep their keys, where the store can have them, and
/// relationships their order.
///
/// First all objects are inserted, which may lead to others that are not there yet, then the links of
/// to-many relationships; all in one transaction.
package final class FolderImporter {
  /// The entities that the folder has objects of.
  package let entities: [EntityDescription]
  private let path: String
  private let folder: OpenFolder
  private let store: any BulkStore
  /// The model of the folder.
  private let model: ManagedObjectModel

  private static let linksPerPart = 2_000

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - store: The store, of the same model.
  /// - Throws: ``TransferError`` if it is no such folder, or the store does not have its entities.
  package init(_ path: String, into store: any BulkStore) throws(TransferError) {
    (self.path, self.store) = (path, store)
    do {
      folder = try OpenFolder(path: path)
      guard let objects = try folder.folder(named: Exporter.objectsName, followingLink: false)
      else {
        throw FileError(ENOENT, folder.path(of: Exporter.objectsName))
      }
      let json = try contents(ofFile: folder.path(of: Exporter.modelName), atMost: 64 << 20)
      model = try ManagedObjectModel(json: json)
      let names = objects.names().filter { $0.hasSuffix(".jsonl") }
      entities = store.model.entities.filter { names.contains(Exporter.fileName(of: $0.name)) }
      let known = Set(entities.map { Exporter.fileName(of: $0.name) })
      if let unknown = names.first(where: { !known.contains($0) }) {
        throw TransferError(
          .usage, path, "the store has no entity of \(unknown)",
          try: "a store of the folder's \(Exporter.modelName): cardfile create")
      }
    } catch let error as TransferError {
      throw error
    } catch let error as FileError {
      throw TransferError(error)
    } catch {
      throw TransferError(.malformed, path, "\(error)")
    }
  }

  /// Writes all objects.
  ///
  /// - Parameter progress: Called now and then.
  /// - Returns: What was done.
  /// - Throws: ``TransferError`` if a record cannot be an object, or `StoreError`; nothing was written
  ///   then.
  package func run(progress: @escaping (Importer.Progress) -> Void = { _ in }) throws
    -> ImportResult
  {
    var changes = StoreChanges()
    changes.inserted = Set(entities.map(\.name))
    return try store.saveTogether(changing: changes, doing: "importing \(path)") { bulk in
      let uris = ObjectURIs(of: store, folder: forEachURI)
      var result = ImportResult()
      var done = Importer.Progress()
      for entity in entities {
        try forEachPart(of: entity, bulk, uris) { records, maker in
          let writer = ImportWriter(bulk, maker, model: store.model) { rejection in
            throw TransferError(
              .refused, Exporter.fileName(of: entity.name),
              "nothing was imported: \(rejection.phrase)")
          }
          for record in records { _ = try writer.add(record) }
          try writer.finish()
          result.add(writer.result)
          done.records += records.count
          progress(done)
        }
      }
      for entity in entities where !store.model.linkedRelationships(of: entity).isEmpty {
        try forEachPart(of: entity, bulk, uris) { records, maker in
          var links: [ObjectLink] = []
          for record in records {
            links += try maker.links(of: record)
            // All links of an object are ordered together.
            if links.count >= Self.linksPerPart { try save(&links, bulk) }
          }
          try save(&links, bulk)
        }
      }
      return result
    }
  }

  private func save(_ links: inout [ObjectLink], _ bulk: any BulkTransaction) throws {
    guard !links.isEmpty else { return }
    var request = SaveRequest(linked: links)
    (request.returnsRows, request.checksDestinations) = (false, false)
    if let lost = try bulk.save(request).replacedLinks.first {
      throw TransferError(
        .refused, Exporter.fileName(of: lost.source.entityName),
        """
        nothing was imported: several objects have \(lost.destination.phrase) in \
        \(lost.relationshipName), and this store can keep one of them
        """,
        try: "an inverse of \(lost.relationshipName) in the model, or a store in XML or JSON")
    }
    links.removeAll(keepingCapacity: true)
  }

  /// Reads the objects of an entity, some thousand at a time.
  private func forEachPart(
    of entity: EntityDescription, _ bulk: any BulkTransaction, _ uris: ObjectURIs,
    _ body: ([ImportRecord], RowMaker) throws -> Void
  ) throws {
    guard let reader = try reader(of: entity) else { return }
    var records: [ImportRecord] = []
    var maker: RowMaker?
    func finishPart() throws {
      try FetchControl.check(doing: "importing \(entity.name)")
      if maker == nil || maker?.mapping.columns.count != reader.columns.count {
        let mapping = try ImportMapping(
          reader.columns, sample: [], of: entity, in: store.model, options: ImportOptions(),
          folder: folder, source: model.entity(named: entity.name))
        maker = try RowMaker(mapping, into: store, bulk, uris)
      }
      if let maker { try body(records, maker) }
      records.removeAll(keepingCapacity: true)
    }
    var record = ImportRecord()
    while try reader.next(&record) {
      records.append(record)
      if records.count == Self.linksPerPart { try finishPart() }
    }
    try finishPart()
  }

  /// Calls a closure with the URI of each object.
  private func forEachURI(_ body: (String) -> Void) throws {
    for entity in entities {
      guard let reader = try reader(of: entity) else { continue }
      let name = Exporter.uriKey(of: model.entity(named: entity.name) ?? entity)
      var column: Int?
      var record = ImportRecord()
      while try reader.next(&record) {
        try FetchControl.check(doing: "importing \(entity.name)")
        column = column ?? reader.columns.firstIndex(of: name)
        if let uri = column.flatMap(record.text) { body(uri) }
      }
    }
  }

  /// A reader of an entity's objects; nil if there are none.
  private func reader(of entity: EntityDescription) throws -> JSONRecordReader? {
    let name = Exporter.fileName(of: entity.name)
    let source = try ByteSource(path: "\(path)/\(Exporter.objectsName)/\(name)", encoding: .utf8)
    return source.size == 0 ? nil : JSONRecordReader(PendingBytes(source), composites: [])
  }
}
