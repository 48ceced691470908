import Foundation
import ManagedObjects
import ObjectModel

/// The condition that an object has, or has not, the value that another one has in a column.
nonisolated struct ValueCondition {
  /// The condition in the predicate language.
  let text: String

  /// Makes the condition; nil if the column's values cannot be compared.
  ///
  /// A related object is compared by its name where it has one, as a person would write it.
  @MainActor init?(
    _ column: ListColumn, of object: ManagedObject, isEqual: Bool, in session: Session
  ) {
    let comparison: (FetchPredicate.Expression, FetchPredicate.Expression)?
    switch column.source {
    case .attribute(let attribute):
      guard ![.binaryData, .transformable].contains(attribute.type) else { return nil }
      comparison = (.keyPath([attribute.name]), .constant(object[attribute.name]))
    case .toOne(let relationship):
      comparison = Self.comparison(relationship, of: object, in: session)
    case .toMany(let relationship):
      let count = Int64(object.count(forKey: relationship.name))
      comparison = (.keyPath([relationship.name, "@count"]), .constant(.integer(count)))
    case .object: comparison = (.selfObject, .object(object.objectID))
    }
    guard let (left, right) = comparison else { return nil }
    self.init(left, isEqual ? "==" : "!=", right)
  }

  /// Makes the condition that compares two expressions.
  init(_ left: FetchPredicate.Expression, _ sign: String, _ right: FetchPredicate.Expression) {
    text = "\(left.text) \(sign) \(Self.written(right))"
  }

  @MainActor private static func comparison(
    _ relationship: RelationshipDescription, of object: ManagedObject, in session: Session
  ) -> (FetchPredicate.Expression, FetchPredicate.Expression)? {
    guard let id = object.objectID(forKey: relationship.name) else {
      return (.keyPath([relationship.name]), .constant(.null))
    }
    let destination = session.context.object(with: id)
    let entity = session.model.entity(named: relationship.destinationEntityName)
    for name in entity?.displayCandidates ?? [] {
      if case .string(let text) = destination[name], !text.isEmpty {
        return (.keyPath([relationship.name, name]), .constant(.string(text)))
      }
    }
    return (.keyPath([relationship.name]), .object(id))
  }

  /// A value as a person would type it: a date without quotes if nothing of it is lost.
  private static func written(_ value: FetchPredicate.Expression) -> String {
    if case .constant(let constant) = value, case .date(let date) = constant,
      ISODate(constant.description)?.referenceSeconds == date.timeIntervalSinceReferenceDate
    {
      return constant.description
    }
    return value.text
  }
}
