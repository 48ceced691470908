/// How IDs of one store are held as 8 bytes each: as their keys, or where they are of several entities as keys that carry
/// the entity's place.
package struct ObjectIDCoding: Hashable, Sendable {
  /// The store that the IDs are of.
  let storeIdentifier: String
  /// The entities that the IDs are of.
  let entityNames: [String]

  /// A place stands above these bits of a key, where there are several entities.
  private static let keyBits: Int64 = 48
  /// A place stands above these bits of the number of a temporary key.
  private static let temporaryBits: Int64 = 32
  /// How many entities there may be.
  private static let mostEntities = 1 << 14

  /// Makes a coding; nil when there is no entity, or more than any model has.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The store that IDs are of.
  ///   - entityNames: The entities that IDs may be of, without repetition. The same names in the same order make the same codes.
  package init?(storeIdentifier: String, entityNames: [String]) {
    guard !entityNames.isEmpty, entityNames.count <= Self.mostEntities else { return nil }
    self.storeIdentifier = storeIdentifier
    self.entityNames = entityNames
  }

  init(storeIdentifier: String, entityName: String) {
    self.storeIdentifier = storeIdentifier
    entityNames = [entityName]
  }

  /// Whether codes are keys as they are.
  var isOfOneEntity: Bool { entityNames.count == 1 }

  /// The least code of a permanent ID: lesser ones stand for temporary keys.
  ///
  /// So one unsaved object does not make a list of a million keys seven times as large.
  private var leastPermanent: Int64 {
    isOfOneEntity ? Int64.min + 1 << Self.temporaryBits : 0
  }

  /// The code of a permanent key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - place: The place of its entity in the names.
  /// - Returns: The code; nil for a key that has none.
  package func code(ofKey key: Int64, entityIndex place: Int) -> Int64? {
    if isOfOneEntity { return key >= leastPermanent ? key : nil }
    return key >> Self.keyBits == 0 ? Int64(place) << Self.keyBits | key : nil
  }

  /// The code of an ID; nil when it has none.
  func code(of id: ObjectID) -> Int64? {
    guard let place = entityNames.firstIndex(of: id.entityName) else { return nil }
    switch id.key {
    case .integer(let key):
      return id.storeIdentifier == storeIdentifier ? code(ofKey: key, entityIndex: place) : nil
    case .temporary(let number):
      guard number >> Self.temporaryBits == 0, id.storeIdentifier.isEmpty else { return nil }
      return Int64.min + (Int64(place) << Self.temporaryBits) + Int64(number)
    case .composite: return nil
    }
  }

  /// The ID of a code.
  func id(of code: Int64) -> ObjectID {
    if code < leastPermanent {
      let number = code &- Int64.min
      return ObjectID(
        storeIdentifier: "", entityName: entityNames[Int(number >> Self.temporaryBits)],
        key: .temporary(UInt64(number & (1 << Self.temporaryBits - 1))))
    }
    if isOfOneEntity {
      return ObjectID(
        storeIdentifier: storeIdentifier, entityName: entityNames[0], key: .integer(code))
    }
    return ObjectID(
      storeIdentifier: storeIdentifier, entityName: entityNames[Int(code >> Self.keyBits)],
      key: .integer(code & (1 << Self.keyBits - 1)))
  }
}
