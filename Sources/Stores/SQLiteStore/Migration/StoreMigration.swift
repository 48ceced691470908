package import Foundation
package import ObjectModel

/// What a migration of a store to another model does, planned and counted before anything is touched.
///
/// It is inferred, or has a mapping model.
package struct StoreMigration: Sendable {
  /// What is lost.
  package struct Loss: Hashable, Sendable {
    /// What the number counts.
    package enum Kind: String, Hashable, Sendable {
      case object, value, link
    }

    package let kind: Kind
    package let count: Int
    /// The entity, or the property as `Entity.property`, of the store's model.
    package let name: String

    /// The loss in words, as `12 values of Person.nickname`.
    package var phrase: String {
      "\(Value.grouped(count)) \(kind.rawValue)\(count == 1 ? "" : "s") of \(name)"
    }
  }

  /// What becomes of a table.
  package struct TableChange: Hashable, Sendable {
    /// What is done.
    package enum Kind: String, Hashable, Sendable {
      case created, rewritten, renumbered, dropped
    }

    package let kind: Kind
    package let name: String
    /// Its name in the store as it is; nil if that is the same, or there is none.
    package let oldName: String?
    /// How many rows there are.
    package let rowCount: Int

    /// The change in words, as `ZPERSON is rewritten (1,204 rows)`.
    package var phrase: String {
      let old = oldName.map { " (was \($0))" } ?? ""
      let rows =
        rowCount == 0 ? "" : " (\(Value.grouped(rowCount)) row\(rowCount == 1 ? "" : "s"))"
      return "\(name)\(old) is \(kind.rawValue)\(rows)"
    }
  }

  static let doing = "migrating"

  /// The model that the store is to have.
  package let model: ManagedObjectModel
  /// The version hashes of its entities; empty if they are not known.
  package let versionHashes: [String: Data]
  /// The mapping that makes the new objects; nil if it is inferred.
  package let mapping: MappingModel?
  /// How the models differ.
  package let difference: ModelDifference
  /// Why the migration cannot be made, a sentence each; empty if it can.
  package internal(set) var refusals: [String]
  /// What is lost; values that are NULL do not count.
  package internal(set) var losses: [Loss] = []
  /// The tables that change.
  package internal(set) var tables: [TableChange] = []
  /// Whether a Core Data store has other version hashes, or none, though its model is the same.
  package internal(set) var writesHashes = false
  /// What else a person should know, a sentence each.
  package internal(set) var notes: [String] = []

  init(
    from source: ManagedObjectModel, to model: ManagedObjectModel, versionHashes: [String: Data],
    mapping: MappingModel?
  ) {
    (self.model, self.versionHashes) = (model, versionHashes)
    self.mapping = mapping
    difference = ModelDifference(from: source, to: model)
    refusals =
      mapping?.refusals(from: source, to: model) ?? difference.refusals
  }

  /// The plan as it was before the store was looked at.
  var uncounted: StoreMigration {
    var migration = self
    (migration.losses, migration.tables, migration.notes) = ([], [], [])
    migration.writesHashes = false
    return migration
  }

  /// Whether the store has the model already.
  package var isEmpty: Bool { difference.isEmpty && !writesHashes && mapping == nil }

  /// The plan for a person, a line each.
  package var lines: [String] {
    difference.lines + (mapping?.lines ?? [])
      + (losses.isEmpty ? [] : ["Lost: " + losses.map(\.phrase).joined(separator: ", ")])
      + tables.map(\.phrase) + notes
  }

  /// The beginning of a sentence that ends with the refusals.
  package var whyNot: String {
    mapping == nil ? "it cannot be inferred" : "its mapping cannot be carried out"
  }

  /// The error for a migration that cannot be made.
  ///
  /// - Parameter path: The path of the store.
  /// - Returns: The error; nil if it can.
  package func refusal(of path: String) -> StoreError? {
    guard !refusals.isEmpty else { return nil }
    return StoreError(
      .unsupported, doing: Self.doing, subject: path,
      detail: "\(whyNot): " + refusals.joined(separator: "; "),
      remedy: mapping == nil
        ? "a default value, a renaming identifier, a mapping model, or a step of your own"
          + " between the models" : "")
  }
}
