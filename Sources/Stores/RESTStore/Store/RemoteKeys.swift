import ObjectModel

/// The keys of objects in the service, and here.
///
/// A whole number is the key of the object here, too, so that an object is the same in each cache.
/// A text has a number of its own, that of its row of ``CacheModel/object``, which also has the
/// version.
struct RemoteKeys: Sendable {
  let model: ManagedObjectModel
  let storeIdentifier: String
  /// The entities whose keys are texts.
  let textual: Set<String>

  /// The name by which an entity's keys are kept: that of its topmost entity, which has all of
  /// them.
  func root(of entityName: String) -> String { model.line(of: entityName).last ?? entityName }

  func id(_ entityName: String, _ number: Int64) -> ObjectID {
    ObjectID(storeIdentifier: storeIdentifier, entityName: entityName, key: .integer(number))
  }

  /// The number that is an object's key here; nil if it has to be looked up.
  ///
  /// - Throws: `StoreError` for a text where whole numbers are declared.
  func number(of key: RESTKey, in entityName: String) throws(StoreError) -> Int64? {
    if textual.contains(entityName) { return nil }
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
    var found: [ObjectID: (key: RESTKey, version: String?)] = [:]
    for (root, ids) in Dictionary(grouping: ids, by: { self.root(of: $0.entityName) }) {
      if ids.contains(where: { textual.contains($0.entityName) }) {
        let rows = try cache.rows(of: ids.map { id(CacheModel.object, $0.integerKey) })
        for (id, row) in zip(ids, rows) {
          guard let row, let key = row.value(at: 1).text else { continue }
          found[id] = (.text(key), row.value(at: 2).text)
        }
      } else {
        let versions = try versions(of: ids, root, in: cache)
        for id in ids { found[id] = (.integer(id.integerKey), versions["\(id.integerKey)"]) }
      }
    }
    return found
  }

  private func versions(of ids: [ObjectID], _ root: String, in cache: any PersistentStore)
    throws(StoreError) -> [String: String]
  {
    var versions: [String: String] = [:]
    for id in ids {
      let predicate: ValidatedPredicate
      do {
        predicate = try FetchPredicate(
          format: "entity == %@ AND key == %@", root, "\(id.integerKey)"
        )
        .validated(forEntity: CacheModel.object, in: cache.model)
      } catch { throw StoreError(.other, doing: "reading", detail: "\(error)") }
      let plan = FetchPlan(entityName: CacheModel.object, predicate: predicate)
      let found = try cache.fetch(plan, control: nil).ids
      for row in try cache.rows(of: Array(found)).compactMap(\.self) {
        if let key = row.value(at: 1).text { versions[key] = row.value(at: 2).text }
      }
    }
    return versions
  }
}

extension ObjectID {
  /// The whole number of the key; 0 for another kind of key, which no cache has.
  var integerKey: Int64 { if case .integer(let number) = key { number } else { 0 } }
}
