/// A finding of a store check.
///
/// `description` is the sentence for the user.
package struct CheckFinding: Hashable, Sendable {
  /// The severity of a finding.
  package enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The store is damaged: an app may lose or misread data, or fail to save.
    case error
    /// The store is inconsistent in a way that stores in use are, and that apps get by with.
    case warning
    /// A fact worth knowing.
    case note
  }

  /// The kind of a finding.
  ///
  /// Its raw value is stable.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// SQLite's integrity check found damage.
    case integrity
    /// SQLite's quick check was run, because the file is very large.
    case partialCheck
    /// A frame of the write-ahead log is invalid, so that SQLite ignores it and those after it.
    case logFrame
    /// A row violates a declared foreign key: the row it refers to does not exist.
    case foreignKey
    /// A to-one refers to an object that does not exist.
    case danglingToOne
    /// A relationship refers to an object of a wrong entity.
    case wrongDestination
    /// The entity column of a to-one does not contain the destination's entity number.
    case wrongEntityColumn
    /// The two ends of a one-to-one relationship refer to different objects.
    case unevenInverse
    /// A row's entity does not belong to the table.
    case foreignEntity
    /// Z_PRIMARYKEY does not match the model.
    case entityNumbers
    /// Z_MAX is less than the greatest key.
    case keyCount
    /// A row has no update counter (Z_OPT).
    case versionCounter
    /// A row of a join table refers to an object that does not exist.
    case danglingPair
    /// A join table has a pair twice.
    case repeatedPair
    /// A pair of a reflexive relationship has a row for one direction only.
    case unmirroredPair
    /// An object in an ordered relationship has no order key.
    case missingOrder
    /// Two objects in one ordered relationship have the same order key.
    case repeatedOrder
    /// A required value is missing.
    case missingValue
    /// A to-many relationship has fewer or more objects than the model allows.
    case objectCount
    /// Objects violate a uniqueness constraint.
    case repeatedValue
    /// The store's model or metadata cannot be read.
    case model
    /// A history transaction has no changes.
    case emptyTransaction
    /// A history change has no transaction.
    case changeWithoutTransaction
    /// A history change refers to an unknown entity, property or string.
    case unknownInHistory
    /// A history update has no bitmap of changed properties, or an insert or delete has one.
    case changedColumns
    /// A file of external data is missing.
    case missingFile
    /// No value refers to a file of external data.
    case unusedFile
    /// A value with external storage is neither inline bytes nor a reference to a file.
    case externalForm
    /// A value does not have the type of its attribute.
    case wrongType
    /// A number or date is beyond the range of its attribute.
    case outOfRange
    /// A value violates a validation rule of the model.
    case validationRule
    /// An entity of the model has no table.
    case missingTable
    /// A property of the model has no column or join table.
    case missingColumn
    /// A uniqueness constraint or a foreign key has no index.
    case missingIndex
    /// A derived attribute or spatial index has lost triggers that update it.
    case missingTrigger
    /// A derived attribute does not have the value that its derivation gives.
    case staleDerivation
    /// A spatial index lacks a row, has a row of no object, or another place.
    case spatialIndex
    /// The version hashes do not match their digest.
    case versionHashes
    /// The store has no identifier.
    case storeIdentifier
    /// The history has a change of an object that never was.
    case unknownObject
    /// An object is its own ancestor in a cascading relationship.
    case ownAncestor
    /// A row violates a CHECK constraint of its table, or the constraint cannot be evaluated.
    case checkConstraint
    /// A table looks like one of an entity or relationship, but the model has none for it.
    case strayTable
  }

  /// The severity.
  package let severity: Severity
  /// The kind.
  package let kind: Kind
  /// The message for the user, with the count.
  package let message: String
  /// The table; empty if the finding concerns no table.
  package let table: String
  /// The keys of the first rows.
  package let keys: [String]
  /// The number of rows or files.
  package let count: Int
  /// How to fix it; empty if there is no fix.
  package let remedy: String

  /// The maximum number of keys in a finding.
  static let keyLimit = 5
}

extension CheckFinding: CustomStringConvertible {
  /// The lines of the description, which are a sentence for the user and the fix.
  package var description: String { lines.joined(separator: "\n") }

  /// The sentence for the user, and the fix in a second line if there is one.
  ///
  /// Names and keys in them may have line breaks and control characters, as the store has them.
  package var lines: [String] {
    var sentence = "\(severity): \(message)"
    if !keys.isEmpty {
      sentence += " (\(keys.joined(separator: ", "))\(count > keys.count ? ", …" : ""))"
    }
    return [sentence + "."] + (remedy.isEmpty ? [] : ["  try: \(remedy)"])
  }
}
