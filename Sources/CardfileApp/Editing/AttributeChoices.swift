import Foundation
import ObjectModel

/// The values of an attribute that has few of them, to choose from.
nonisolated enum AttributeChoices {
  /// The number of objects that are looked at.
  private static let sampleCount = 500
  /// The most values to choose from.
  private static let mostChoices = 12

  /// The values in the first objects as text, in order; empty if they are many, or each is rare.
  static func texts(
    of attribute: AttributeDescription, in entity: EntityDescription, store: any PersistentStore
  ) -> [String] {
    switch attribute.type {
    case .string, .undefined, .integer16, .integer32, .integer64: break
    default: return []
    }
    let isUnique = entity.uniquenessConstraints.contains([attribute.name])
    guard !isUnique, !entity.keyAttributes.contains(attribute.name),
      let place = entity.attributeIndex(attribute.name)
    else { return [] }
    let plan = FetchPlan(entityName: entity.name, limit: sampleCount)
    guard let ids = try? store.fetch(plan, control: FetchControl(timeLimit: 0.3)).ids,
      let rows = try? store.snapshots(of: Array(ids))
    else { return [] }
    var counts: [Value: Int] = [:]
    for row in rows.values where row.values.indices.contains(place) {
      guard row.cutLengths[place] == nil else { return [] }
      let value = attribute.decode(row.values[place])
      if !value.isNull { counts[value, default: 0] += 1 }
    }
    let total = counts.values.reduce(0, +)
    guard counts.count > 1, counts.count <= mostChoices, total >= 2 * counts.count else {
      return []
    }
    return counts.keys.compactMap { ValueInput.text(of: $0) }
      .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }
}
