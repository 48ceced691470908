/// An error of a store, as data.
///
/// `description` is the message.
public struct StoreError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// There is no such file.
    case notFound
    /// The path is a directory or another kind of node, not a file.
    case notAFile
    /// The file is not a database.
    case notADatabase
    /// The system denies permission.
    case permissionDenied
    /// Another program holds the lock of the database.
    case locked
    /// The store is read-only.
    case readOnly
    /// The database is damaged.
    case corrupt
    /// The disk is full or cannot be written.
    case disk
    /// The store changed since the save was planned: see `difference`.
    case conflict
    /// Another object has the key of one that is inserted again: see ``objectIDs``.
    case keyTaken
    /// A constraint or trigger of the database rejects a change (NOT NULL, UNIQUE, CHECK, a foreign
    /// key).
    case constraint
    /// There is no such entity, attribute or relationship.
    case unknownName
    /// The store does not support the operation.
    case unsupported
    /// The operation was cancelled.
    case cancelled
    /// The file was replaced or removed while it was open.
    case replaced
    /// The service cannot be reached, or does not answer.
    case unreachable
    /// Anything else: see ``detail``.
    case other
  }

  /// What went wrong.
  public var reason: Reason
  /// The operation, such as "opening" or "saving 3 objects".
  public var doing: String
  /// The path or entity of the operation.
  public var subject: String
  /// Details, such as SQLite's message; empty if there are none.
  public var detail: String
  /// What to do about it; empty if there is no advice.
  public var remedy: String
  /// The SQL statement; empty if there is none.
  package var sql: String
  /// The objects that the error is about.
  public var objectIDs: [ObjectID]
  /// The reasons for which a service refused a save, by object and property; empty for other
  /// errors.
  package var problems: [Problem] = []
  /// How the store differs from what a save was planned on; nil unless ``reason`` is `conflict`.
  package var difference: SaveDifference?

  /// One reason for which a service refused a save.
  package struct Problem: Hashable, Sendable {
    /// The object.
    package var objectID: ObjectID
    /// The attribute or relationship; empty for the whole object.
    package var property: String
    /// The words of the service.
    package var message: String

    package init(objectID: ObjectID, property: String, message: String) {
      (self.objectID, self.property, self.message) = (objectID, property, message)
    }
  }

  /// Creates an error.
  public init(
    _ reason: Reason, doing: String, subject: String = "", detail: String = "",
    remedy: String = "", sql: String = "", objectIDs: [ObjectID] = []
  ) {
    self.reason = reason
    self.doing = doing
    self.subject = subject
    self.detail = detail
    self.remedy = remedy
    self.sql = sql
    self.objectIDs = objectIDs
  }

  /// The error for a reference to an object that does not exist, such as one that was deleted
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - id: The object that does not exist.
  ///   - relationship: The name of the relationship that leads to it.
  ///   - source: The object that refers to it.
  ///   - doing: What was being done, as "saving 3 objects".
  package init(
    missing id: ObjectID, of relationship: String, referredToBy source: ObjectID, doing: String
  ) {
    self.init(
      .constraint, doing: doing, subject: source.phrase,
      detail: "\(relationship) refers to \(id.phrase), which does not exist",
      remedy: "set the reference to nothing or to an object that exists",
      objectIDs: [source, id])
  }
}

extension ObjectID {
  /// The object's entity and key, for errors.
  package var phrase: String { isTemporary ? "a new \(entityName)" : description }
}
