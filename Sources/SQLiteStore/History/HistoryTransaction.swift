public import Foundation
public import ObjectModel

/// A transaction of a store's persistent history: what one save of an app changed.
public struct HistoryTransaction: Hashable, Sendable {
  /// The number of the transaction, ascending.
  public let number: Int64
  /// When it was; nil where the store does not say.
  public let date: Date?
  /// Who asked for it, in the app's own words; nil where the store does not say.
  public let author: String?
  /// The identifier of the app's bundle; nil where the store does not say.
  public let bundle: String?
  /// The name of the process; nil where the store does not say.
  public let process: String?
  /// The name of the context; nil where the store does not say.
  public let contextName: String?
  /// Whether its first changes were handed out before.
  public let isContinuation: Bool
  /// What it changed, in the order in which it was written.
  public internal(set) var changes: [Change]

  /// What a transaction did to one object.
  public struct Change: Hashable, Sendable {
    /// What happened to the object.
    public enum Kind: Hashable, Sendable {
      /// It was inserted.
      case insert
      /// It was changed.
      case update
      /// It was deleted.
      case delete
      /// The store has a number that is not known.
      case unknown(Int64)
    }

    /// What happened.
    public let kind: Kind
    /// The name of the object's own entity; "entity 17" where the model has none of that number.
    public let entityName: String
    /// The object's key, Z_PK.
    public let key: Int64
    /// The object, which may be gone by now; nil when its entity is not in the model.
    public let objectID: ObjectID?
    /// The names of the properties that an update changed.
    public let changedProperties: [String]
    /// How many more it changed that the model does not have: traces of an older or newer model.
    public let unknownPropertyCount: Int
    /// The values that a deletion kept, decoded, by the names of attributes; those without a value are missing.
    public let tombstone: [String: Value]
  }
}
