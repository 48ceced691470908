/// Encodes object IDs of one store as 64-bit integers: the key itself, or, for several entities,
/// the entity's index in the upper bits and the key in the lower ones.
package struct ObjectIDCoding: Hashable, Sendable {
  /// The identifier of the store.
  package let storeIdentifier: String
  /// The entities that can be encoded.
  private let scopes: [ObjectIDScope]
  /// The same entities, of objects that have temporary keys.
  private let temporaryScopes: [ObjectIDScope]

  /// The number of bits for a key, if there are several entities; the entity's index is in the bits
  /// above.
  private static let keyBits: Int64 = 48
  /// The number of bits for the number of a temporary key; the entity's index is in the bits above.
  private static let temporaryBits: Int64 = 32
  /// The maximum number of entities, so that the index fits above the key.
  private static let maximumEntities = 1 << 14

  /// Creates a coding for distinct entity names, which gives equal codes for equal names in equal
  /// order; nil if there is no entity, or more than 16,384.
  package init?(storeIdentifier: String, entityNames: [String]) {
    guard !entityNames.isEmpty, entityNames.count <= Self.maximumEntities else { return nil }
    self.init(storeIdentifier, entityNames)
  }

  init(storeIdentifier: String, entityName: String) {
    self.init(storeIdentifier, [entityName])
  }

  private init(_ storeIdentifier: String, _ entityNames: [String]) {
    self.storeIdentifier = storeIdentifier
    scopes = entityNames.map { .of(storeIdentifier: storeIdentifier, entityName: $0) }
    temporaryScopes = entityNames.map { .of(storeIdentifier: "", entityName: $0) }
  }

  /// The entities that can be encoded, in the order of their indexes.
  package var entityNames: [String] { scopes.map(\.entityName) }

  /// Whether a code is the key itself.
  var hasOneEntity: Bool { scopes.count == 1 }

  /// The smallest code of a permanent ID; smaller ones encode temporary keys.
  ///
  /// Without codes for temporary keys, one unsaved object would make a list of a million IDs seven
  /// times as large.
  private var leastPermanent: Int64 {
    hasOneEntity ? Int64.min + 1 << Self.temporaryBits : 0
  }

  /// Encodes and decodes permanent keys, without the names of the coding: it is copied at no cost.
  package struct KeyCoder: BitwiseCopyable, Sendable {
    fileprivate let hasOneEntity: Bool
    fileprivate let leastPermanent: Int64

    /// Returns the code of a permanent key of an entity; nil for a key out of the range of codes.
    package func code(ofKey key: Int64, entityIndex: Int) -> Int64? {
      if hasOneEntity { return key >= leastPermanent ? key : nil }
      return key >> ObjectIDCoding.keyBits == 0
        ? Int64(entityIndex) << ObjectIDCoding.keyBits | key : nil
    }

    /// Returns the key that the code of a permanent ID contains.
    package func key(ofCode code: Int64) -> Int64 {
      hasOneEntity ? code : code & (1 << ObjectIDCoding.keyBits - 1)
    }
  }

  /// Encodes permanent keys.
  package var keyCoder: KeyCoder {
    KeyCoder(hasOneEntity: hasOneEntity, leastPermanent: leastPermanent)
  }

  /// Returns the code of a permanent key of an entity; nil for a key out of the range of codes.
  package func code(ofKey key: Int64, entityIndex: Int) -> Int64? {
    keyCoder.code(ofKey: key, entityIndex: entityIndex)
  }

  /// Returns the key that the code of a permanent ID contains.
  package func key(ofCode code: Int64) -> Int64 { keyCoder.key(ofCode: code) }

  /// Whether all of some codes encode permanent IDs.
  package func areOfPermanentIDs(_ codes: [Int64]) -> Bool {
    guard let least = codes.min(), let greatest = codes.max() else { return true }
    let limit = hasOneEntity ? Int64.max : Int64(scopes.count) << Self.keyBits - 1
    return least >= leastPermanent && greatest <= limit
  }

  /// Returns the code of an ID; nil if it cannot be encoded.
  func code(of id: ObjectID) -> Int64? {
    switch id.key {
    case .integer(let key):
      return scopes.firstIndex(of: id.scope).flatMap { code(ofKey: key, entityIndex: $0) }
    case .temporary(let number):
      guard number >> Self.temporaryBits == 0,
        let entityIndex = temporaryScopes.firstIndex(of: id.scope)
      else { return nil }
      return Int64.min + (Int64(entityIndex) << Self.temporaryBits) + Int64(number)
    case .composite: return nil
    }
  }

  /// Returns the ID of a code.
  func id(of code: Int64) -> ObjectID {
    if code < leastPermanent {
      let number = code &- Int64.min
      return ObjectID(
        temporaryScopes[Int(number >> Self.temporaryBits)],
        key: .temporary(UInt64(number & (1 << Self.temporaryBits - 1))))
    }
    if hasOneEntity { return ObjectID(scopes[0], key: .integer(code)) }
    return ObjectID(scopes[Int(code >> Self.keyBits)], key: .integer(key(ofCode: code)))
  }
}
