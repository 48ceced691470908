import ObjectModel

/// The keys of objects in the service, and here.
///
/// A whole number is the key of the object here, too, so that an object is the same in each cache.
/// A text has a number of its own, that of its row of ``CacheModel/key``.
struct RemoteKeys: Sendable {
  let model: ManagedObjectModel
  let storeIdentifier: String
  /// The entities whose keys are texts.
  let textual: Set<String>
  /// What the objects of an entity have in common, found once.
  private let scopes: [String: ObjectIDScope]

  init(model: ManagedObjectModel, storeIdentifier: String, textual: Set<String>) {
    (self.model, self.storeIdentifier, self.textual) = (model, storeIdentifier, textual)
    scopes = Dictionary(
      firstOf: model.entities.map {
        ($0.name, .of(storeIdentifier: storeIdentifier, entityName: $0.name))
      })
  }

  /// The name by which an entity's keys are kept: that of its topmost entity, which has all of
  /// them.
  func root(of entityName: String) -> String { model.line(of: entityName).last ?? entityName }

  func id(_ entityName: String, _ number: Int64) -> ObjectID {
    ObjectID(
      scopes[entityName] ?? .of(storeIdentifier: storeIdentifier, entityName: entityName),
      key: .integer(number))
  }

  /// The row with the version of an object.
  func versionID(of id: ObjectID) -> ObjectID {
    self.id(CacheModel.version(of: root(of: id.entityName)), id.integerKey)
  }

  /// The number that is an object's key here; nil if it has to be looked up.
  ///
  /// - Throws: `StoreError` for a text where whole numbers are declared.
  func number(of key: RESTKey, in entityName: String) throws(StoreError) -> Int64? {
    if !textual.isEmpty, textual.contains(entityName) { return nil }
    switch key {
    case .integer(let number): return number
    case .text(let text):
      if let number = Int64(text), String(number) == text { return number }
      throw StoreError(
        .other, doing: "reading", subject: entityName,
        detail: "its keys are texts, as “\(text.prefix(40))”",
        remedy: "declare .textKeys in the client's capabilities(of:)")
    }
  }

  /// The keys and versions of objects, from the cache.
  func remote(of ids: [ObjectID], in cache: any PersistentStore) throws(StoreError)
    -> [ObjectID: (key: RESTKey, version: String?)]
  {
    let texts = ids.filter { textual.contains($0.entityName) }
    let rows = try cache.rows(of: texts.map { id(CacheModel.key, $0.integerKey) })
    let known = Dictionary(firstOf: zip(texts, rows).map { ($0, $1?.value(at: 1).text) })
    var found: [ObjectID: (key: RESTKey, version: String?)] = [:]
    for (id, row) in zip(ids, try cache.rows(of: ids.map(versionID))) {
      let version = row?.value(at: 0).text
      if !textual.contains(id.entityName) {
        found[id] = (.integer(id.integerKey), version)
      } else if case let text?? = known[id] {
        found[id] = (.text(text), version)
      }
    }
    return found
  }
}

extension ObjectID {
  /// The whole number of the key; 0 for another kind of key, which no cache has.
  var integerKey: Int64 { if case .integer(let number) = key { number } else { 0 } }
}
