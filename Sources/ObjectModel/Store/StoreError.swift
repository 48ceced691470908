/// Something that went wrong in a store, as data.
///
/// `description` makes the sentence.
public struct StoreError: Error, Hashable, Sendable {
  /// Why it went wrong.
  public enum Reason: Hashable, Sendable {
    /// There is no such file.
    case notFound
    /// It is a directory, or another thing that is no file.
    case notAFile
    /// It is a file, but not a database.
    case notADatabase
    /// The system does not allow it.
    case permissionDenied
    /// Another program holds the lock.
    case locked
    /// The store was opened, or can only be opened, for reading.
    case readOnly
    /// The database is damaged.
    case corrupt
    /// The disk is full or cannot be written.
    case disk
    /// The store changed since the save was planned: see ``difference``.
    case conflict
    /// A key that an object was to have again has been taken: see ``objectIDs``.
    case keyTaken
    /// The database's own rules refuse a change (NOT NULL, UNIQUE, CHECK, a foreign key, a trigger).
    case constraint
    /// There is no such entity, attribute or relationship.
    case unknownName
    /// What was asked cannot be done in this store.
    case unsupported
    /// The work was cancelled.
    case cancelled
    /// The file was replaced or removed while it was open.
    case replaced
    /// Anything else; ``detail`` says what.
    case other
  }

  /// Why it went wrong.
  public var reason: Reason
  /// What was being done, as "opening" or "saving 3 objects".
  public var doing: String
  /// What it was done to: a path, an entity.
  public var subject: String
  /// More words, such as SQLite's own; empty for none.
  public var detail: String
  /// What a person can do about it; empty for nothing.
  public var remedy: String
  /// The statement; empty for none.
  public var sql: String
  /// The objects concerned.
  public var objectIDs: [ObjectID]
  /// How the store differs from what a save was planned on; nil unless ``reason`` is a conflict.
  public var difference: SaveDifference?

  /// Describes an error.
  ///
  /// - Parameters:
  ///   - reason: Why it went wrong.
  ///   - doing: What was being done.
  ///   - subject: What it was done to.
  ///   - detail: More words.
  ///   - remedy: What a person can do about it.
  ///   - sql: The statement.
  ///   - objectIDs: The objects concerned.
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
}
