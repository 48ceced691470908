import ObjectModel

/// Which objects of a store the URIs of a file mean.
///
/// In the folder of a whole store they are those of the store that was exported. Objects keep their
/// keys where this store can have them; the others are numbered after the last one.
final class ObjectURIs {
  private let store: any BulkStore
  private let storeIdentifier: String
  private let sharesKeys: Bool
  /// Calls a closure with the URI of each object of the folder; nil for a file.
  private let forEachURI: ((_ body: (String) -> Void) throws -> Void)?
  /// The objects that get another key, by the ID that they would have with theirs.
  private var numbered: [ObjectID: ObjectID]?

  init(
    of store: any BulkStore, folder forEachURI: ((_ body: (String) -> Void) throws -> Void)? = nil
  ) {
    (self.store, self.forEachURI) = (store, forEachURI)
    (storeIdentifier, sharesKeys) = (store.identifier, store.sharesKeys)
  }

  /// Whether objects keep the keys that they have in the file.
  var keepsKeys: Bool { forEachURI != nil }

  /// The ID of a URI's object; nil if it is of another store, or not in the folder.
  func id(_ uri: String) throws -> ObjectID? {
    guard let id = known(uri) else { return nil }
    guard keepsKeys else { return id.storeIdentifier == storeIdentifier ? id : nil }
    let own = withKey(id.key, id.entityName)
    if case .integer = id.key, !sharesKeys { return own }
    if !sharesKeys, store.keeps(id.key, of: id.entityName) { return own }
    let numbered = try self.numbered ?? number()
    return numbered[own] ?? (store.keeps(id.key, of: id.entityName) ? own : nil)
  }

  private func known(_ uri: String) -> ObjectID? {
    ObjectID(uriRepresentation: uri).flatMap { $0.isTemporary ? nil : $0 }
  }

  private func withKey(_ key: ObjectKey, _ entityName: String) -> ObjectID {
    ObjectID(storeIdentifier: storeIdentifier, entityName: entityName, key: key)
  }

  /// Numbers the objects whose keys the store cannot have, or has for an object of another entity.
  private func number() throws -> [ObjectID: ObjectID] {
    var last: [String: Int64] = [:]
    var seen: Set<ObjectKey> = []
    var others: [ObjectID] = []
    func root(_ name: String) -> String {
      sharesKeys ? "" : store.model.line(of: name).last ?? name
    }
    try forEachURI? { uri in
      guard let id = known(uri) else { return }
      let isKept =
        store.keeps(id.key, of: id.entityName) && (!sharesKeys || seen.insert(id.key).inserted)
      if !isKept { return others.append(id) }
      if case .integer(let key) = id.key {
        last[root(id.entityName)] = max(last[root(id.entityName)] ?? 0, key)
      }
    }
    var numbered: [ObjectID: ObjectID] = [:]
    for id in others {
      let (next, overflow) = (last[root(id.entityName)] ?? 0).addingReportingOverflow(1)
      guard !overflow else {
        throw TransferError(.refused, id.entityName, "its keys are used up")
      }
      last[root(id.entityName)] = next
      numbered[withKey(id.key, id.entityName)] = withKey(.integer(next), id.entityName)
    }
    self.numbered = numbered
    return numbered
  }
}
