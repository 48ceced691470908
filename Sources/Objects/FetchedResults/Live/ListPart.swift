package import ObjectModel

/// A part of a list, shown until all its rows have been fetched.
package enum ListPart: Hashable, Sendable {
  /// The first rows.
  case first
  /// The last rows.
  case last
  /// The first rows that meet a condition.
  ///
  /// The rows that meet it must be next to each other in the list's order.
  case matching(FetchPredicate)

  /// Whether rows that are not fetched yet may come before the part.
  package var isOpenAtStart: Bool { self != .first }

  /// Whether rows that are not fetched yet may come after the part.
  package var isOpenAtEnd: Bool { self != .last }

  /// The plan that fetches the part.
  ///
  /// - Parameters:
  ///   - plan: The plan of the list.
  ///   - count: How many rows the part has at most.
  ///   - model: The model of the entity.
  /// - Returns: The plan; nil if the list has a limit or an offset, which count from its first row.
  /// - Throws: `FetchPredicateError` if the condition does not fit the entity.
  func plan(of plan: FetchPlan, count: Int, in model: ManagedObjectModel)
    throws(FetchPredicateError) -> FetchPlan?
  {
    var part = plan
    part.limit = min(count, plan.limit ?? .max)
    guard self != .first else { return part }
    guard plan.limit == nil, plan.offset == 0 else { return nil }
    part.isFromEnd = self == .last
    if case .matching(let condition) = self {
      let all = [plan.predicate?.predicate, condition].compactMap(\.self)
      part.predicate = try FetchPredicate.all(all).validated(
        forEntity: plan.entityName, in: model)
    }
    return part
  }
}
