import Foundation
import ObjectModel
import SQLQueries

extension SaveTransaction {
  /// Takes the unique values from rows that are to get others, so that rows can exchange theirs.
  ///
  /// SQLite checks uniqueness row by row, also within one statement. Triggers see this change too.
  ///
  /// - Parameter changes: Changes that a constraint refuses as long as the others are not made; they
  ///   have to be tried again.
  /// - Throws: ``StoreError``, but no refusal by a constraint.
  func vacate(_ changes: some Sequence<RowChange>) throws(StoreError) {
    for change in changes {
      let scope = try scope(change.id.entityName)
      let unique = Set(scope.entity.uniquenessConstraints.joined())
      var assignments: [SQL] = []
      for (index, attribute) in scope.entity.attributes.enumerated()
      where unique.contains(attribute.name) && change.values[attribute.name] != nil
        && index < scope.table.columns.count
      {
        let isOptional = attribute.isOptional || layout.coreData != nil
        guard let value = isOptional ? .null : Self.unusedValue(like: attribute) else { continue }
        assignments.append("\(name: scope.table.columns[index]) = \(value)")
      }
      for (name, _) in change.toOne where unique.contains(name) {
        guard let toOne = scope.table.toOne[name], !toOne.isInverse else { continue }
        assignments += toOne.columns.map { "\(name: $0) = \(Value.null)" }
      }
      guard !assignments.isEmpty else { continue }
      do throws(StoreError) {
        try rows.update(change.id, set: assignments)
      } catch {
        // The change itself says what is wrong.
        guard mayRetry(after: error) else { throw error }
      }
    }
  }

  /// A value that no row has, for an attribute that must have one; nil if none is known.
  private static func unusedValue(like attribute: AttributeDescription) -> Value? {
    switch attribute.type {
    case .string, .uri: .string("cardfile-\(UUID().uuidString)")
    case .integer16, .integer32, .integer64: .integer(.random(in: .min ..< -1 << 53))
    case .double, .float, .decimal: .double(-.random(in: 1e200..<1e300))
    case .binaryData, .uuid: .data(Data(UUID().uuidString.utf8))
    case .boolean, .date, .transformable, .undefined: nil
    }
  }
}
