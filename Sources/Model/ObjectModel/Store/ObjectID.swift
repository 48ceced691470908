/// The identity of an object: its store, its entity and its key.
///
/// It is passed between threads, undo steps and processes in place of an object.
public struct ObjectID: Sendable {
  /// Not retained, because scopes live as long as the process: IDs are copied by the million.
  private let unretainedScope: Unmanaged<ObjectIDScope>
  /// The key within the entity.
  public let key: ObjectKey

  /// Creates an ID.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The identifier of the store; empty for a temporary ID.
  ///   - entityName: The name of the object's own entity, not of a superentity.
  ///   - key: The key within the entity.
  public init(storeIdentifier: String, entityName: String, key: ObjectKey) {
    self.init(.of(storeIdentifier: storeIdentifier, entityName: entityName), key: key)
  }

  /// Creates an ID in a known scope, which is faster.
  package init(_ scope: ObjectIDScope, key: ObjectKey) {
    unretainedScope = .passUnretained(scope)
    self.key = key
  }

  /// Its store and entity.
  package var scope: ObjectIDScope { unretainedScope.takeUnretainedValue() }

  /// Whether it is of the same store and entity as another, which costs less than comparing scopes.
  package func hasScope(of other: ObjectID) -> Bool {
    unretainedScope.toOpaque() == other.unretainedScope.toOpaque()
  }

  /// The identifier of the store; empty for a temporary ID.
  public var storeIdentifier: String {
    unretainedScope._withUnsafeGuaranteedRef { $0.storeIdentifier }
  }

  /// The name of the object's own entity, not of a superentity.
  public var entityName: String { unretainedScope._withUnsafeGuaranteedRef { $0.entityName } }

  /// Whether the object has not been saved yet; a save gives it a permanent ID.
  public var isTemporary: Bool {
    if case .temporary = key { true } else { false }
  }
}

extension ObjectID {
  /// The stored values of the key; empty if it is temporary.
  package var keyValues: [Value] {
    switch key {
    case .integer(let key): [.integer(key)]
    case .composite(let values): values
    case .temporary: []
    }
  }
}

extension ObjectID: Hashable {
  /// Compares store, entity and key.
  public static func == (lhs: ObjectID, rhs: ObjectID) -> Bool {
    guard lhs.hasScope(of: rhs) else { return false }
    if case .integer(let left) = lhs.key, case .integer(let right) = rhs.key {
      return left == right
    }
    return lhs.key == rhs.key
  }

  /// Hashes only the key, which is nearly always enough and faster than hashing text.
  public func hash(into hasher: inout Hasher) {
    if case .integer(let number) = key { hasher.combine(number) } else { hasher.combine(key) }
  }

  /// Hashes an integer key with two multiplications; dictionaries and sets call this.
  ///
  /// They are looked up several times for each object that is changed or saved, and the standard
  /// hash was a fifth of a large save. Four keys in a row are neighbours in a table, where one look
  /// into memory finds them all; objects are mostly changed in the order of their keys. The finalizer
  /// is that of splitmix64, by Sebastiano Vigna.
  public func _rawHashValue(seed: Int) -> Int {
    let number: UInt64
    switch key {
    case .integer(let key): number = UInt64(bitPattern: key)
    case .temporary(let key): number = key
    case .composite: return key._rawHashValue(seed: seed)
    }
    let salt = unretainedScope._withUnsafeGuaranteedRef { $0.salt }
    var hash = number >> 2 ^ UInt64(truncatingIfNeeded: seed) ^ salt
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (hash ^ hash >> 31) << 2 | number & 3)
  }
}

/// The key of an object within its entity.
public enum ObjectKey: Hashable, Sendable {
  /// A row's 64-bit integer key: SQLite's rowid, Core Data's Z_PK.
  case integer(Int64)
  /// The stored values of a text or composite key, in the order of the key's columns.
  case composite([Value])
  /// The key of an unsaved object, unique in this process.
  case temporary(UInt64)
}
