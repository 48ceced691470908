import Foundation
import ObjectModel

/// The attributes whose values a deletion keeps, and their tombstone columns: core-data-stores 6.
struct HistoryTombstones: Sendable {
  /// The key in an entity's user info whose value lists attributes.
  private static let listKey = "NSPersistentHistoryTombstoneAttributes"

  /// The indexes of the kept attributes in the entity's attributes, in column order (ZTOMBSTONE0,
  /// …).
  let attributes: [Int]

  /// Finds at most as many attributes as there are tombstone columns: first those listed in the
  /// concrete entity's user info, then those flagged, by name.
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
