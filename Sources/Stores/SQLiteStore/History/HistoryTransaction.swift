package import Foundation
package import ObjectModel

/// A transaction of persistent history: the changes of one save.
package struct HistoryTransaction: Hashable, Sendable {
  /// The number of the transaction, in ascending order.
  package let number: Int64
  /// The time of the save; nil if the store does not have it.
  package let date: Date?
  /// The transaction author that the app has set; nil if there is none.
  package let author: String?
  /// The bundle identifier of the app; nil if there is none.
  package let bundle: String?
  /// The name of the process; nil if there is none.
  package let process: String?
  /// The name of the context; nil if there is none.
  package let contextName: String?
  /// Whether earlier changes of the same transaction were returned before.
  package let isContinuation: Bool
  /// The changes, in the order in which they were written.
  package internal(set) var changes: [Change]

  /// A change of one object.
  package struct Change: Hashable, Sendable {
    /// The kind of a change.
    package enum Kind: Hashable, Sendable {
      /// The object was inserted.
      case insert
      /// The object was updated.
      case update
      /// The object was deleted.
      case delete
      /// An unknown ZCHANGETYPE.
      case unknown(Int64)
    }

    /// The kind of the change.
    package let kind: Kind
    /// The name of the object's entity; "entity 17" if the model has no entity with that number.
    package let entityName: String
    /// The object's key, Z_PK.
    package let key: Int64
    /// The object's ID, also if it was deleted since; nil if its entity is not in the model.
    package let objectID: ObjectID?
    /// The names of the properties that an update changed.
    package let changedProperties: [String]
    /// How many more properties the update changed that the model does not have, because the change
    /// was written with another version of the model.
    package let unknownPropertyCount: Int
    /// The values that a deletion has kept, decoded, by attribute name, without null values.
    package let tombstone: [String: Value]
  }
}
