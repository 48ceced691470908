import Foundation
import ObjectModel

/// Which values a deletion keeps in the history, and in which column: core-data-stores 6.
struct HistoryTombstones: Sendable {
  /// The key of an entity's user info that names the attributes, in place of flags.
  private static let listKey = "NSPersistentHistoryTombstoneAttributes"

  /// The places of the kept attributes in the entity's attributes, one a column (ZTOMBSTONE0, …).
  let attributes: [Int]

  /// Finds the attributes whose values are kept.
  ///
  /// They stand in the order of the list in the entity's user info, then those flagged, by name.
  ///
  /// - Parameters:
  ///   - entity: The concrete entity.
  ///   - limit: How many columns there are.
  init(of entity: EntityDescription, limit: Int) {
    let listed = (entity.details.userInfo[Self.listKey] ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let flagged = entity.attributes.filter(\.details.preservesValueInHistoryOnDeletion).map(\.name)
      .sorted { $0.compareBytes(with: $1) < 0 }
    var seen: Set<String> = []
    let names = (listed + flagged).filter { seen.insert($0).inserted }
    attributes = Array(names.compactMap { entity.attributeIndex($0) }.prefix(max(limit, 0)))
  }
}
