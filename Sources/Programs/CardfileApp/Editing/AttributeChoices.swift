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
    guard !isUnique, !entity.keyAttributes.contains(attribute.name) else { return [] }
    var counts: [Value: Int] = [:]
    let sample = AttributeSample.values(
      of: attribute, in: entity, limit: sampleCount, store: store)
    for value in sample {
      guard let value else { return [] }
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
