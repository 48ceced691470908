/// Something that a check of a store found, as data.
///
/// `description` makes the sentence.
public struct CheckFinding: Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Something is broken: an app may lose or misread data.
    case error
    /// Something is not as it should be, but apps live with it.
    case warning
    /// Something that is worth knowing.
    case note
  }

  /// What kind of thing it is, in a steady word.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// SQLite's own check of the file found damage.
    case integrity
    /// Only a part of SQLite's check was done, because the file is very large.
    case partialCheck
    /// A row refers to one that is not there, against a foreign key that the database declares.
    case foreignKey
    /// A to-one leads to an object that is not there.
    case danglingToOne
    /// A relationship leads to an object of an entity that it cannot lead to.
    case wrongDestination
    /// The column that tells a to-one's entity says another than the object has.
    case wrongEntityColumn
    /// Two objects do not agree on a one-to-one relationship.
    case unevenInverse
    /// A row is of an entity that its table is not for.
    case foreignEntity
    /// The bookkeeping of entities and keys does not fit the model.
    case entityNumbers
    /// A key has been used that the store counts as free.
    case keyCount
    /// A row has no counter of its versions.
    case versionCounter
    /// A pair of a join table has an end that is not there.
    case danglingPair
    /// A pair of a join table stands twice.
    case repeatedPair
    /// A pair of a relationship that is its own inverse stands in one direction only.
    case unmirroredPair
    /// An object in an ordered relationship has no place.
    case missingOrder
    /// Two objects in one ordered relationship have the same place.
    case repeatedOrder
    /// A required value is missing.
    case missingValue
    /// A to-many relationship leads to fewer or more objects than the model allows.
    case objectCount
    /// Objects have the same value where it must be unique.
    case repeatedValue
    /// The store's model or metadata cannot be read.
    case model
    /// A transaction of the history has no changes.
    case emptyTransaction
    /// A change of the history has no transaction.
    case changeWithoutTransaction
    /// A change of the history names an entity, a property or a text that is not known.
    case unknownInHistory
    /// An update of the history does not say what changed, or another change does.
    case changedColumns
    /// A file with a value of the store is missing.
    case missingFile
    /// A file has no value in the store that refers to it.
    case unusedFile
    /// A value that may stand in a file has neither of the two forms of such values.
    case externalForm
  }

  /// How bad it is.
  public let severity: Severity
  /// What kind of thing it is.
  public let kind: Kind
  /// What was found, in words, with the count.
  public let message: String
  /// The table; empty when it is not about one.
  public let table: String
  /// The keys of the first rows that it is about.
  public let keys: [String]
  /// How many rows or things it is about.
  public let count: Int
  /// What a person can do about it; empty for nothing.
  public let remedy: String

  /// How many keys a finding names at most.
  static let keyLimit = 5
}

extension CheckFinding: CustomStringConvertible {
  /// The sentence for a person, what to do on a second line.
  public var description: String {
    var sentence = "\(severity): \(message)"
    if !keys.isEmpty {
      sentence += " (\(keys.joined(separator: ", "))\(count > keys.count ? ", …" : ""))"
    }
    return sentence + "." + (remedy.isEmpty ? "" : "\n  try: \(remedy)")
  }
}
