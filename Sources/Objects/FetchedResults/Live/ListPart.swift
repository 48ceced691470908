import ManagedObjects
package import ObjectModel

/// A part of a list: shown until all its rows have been fetched, or of a windowed list, which never has
/// all of them.
package enum ListPart: Hashable, Sendable {
  /// The first rows.
  case first
  /// The last rows.
  case last
  /// The first rows that meet a condition.
  ///
  /// The rows that meet it must be next to each other in the list's order.
  case matching(FetchPredicate)
  /// Of a windowed list in a collation of its store, the rows around the first one that begins with
  /// a text.
  case text(String)
  /// Of a windowed list, the rows that follow the held ones, or precede them.
  case next, previous
  /// Of a windowed list, the rows around the first of some objects that the list has.
  case objects([ObjectID])
  /// Of a windowed list, the rows around the row before which about a part of all is, from 0 to 1.
  case share(Double)
  /// Of a windowed list, the rows around the start of a section, by its distance from an object's.
  case section(of: ObjectID, by: Int)
  /// Of a windowed list, the rows around a row that meets a condition, by its distance from an
  /// object; past the end of the list too.
  case match(FetchPredicate, beside: ObjectID, by: Int)
  /// Of a windowed list, the rows that are held, read again.
  case again

  /// At which ends of the part of a whole list there may be rows that are not fetched yet.
  var open: OpenEnds {
    switch self {
    case .first: .end
    case .last: .start
    default: [.start, .end]
    }
  }

  /// The plan that fetches the part of a whole list.
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
    switch self {
    case .first: break
    case .last: part.isFromEnd = true
    case .matching(let condition):
      let all = [plan.predicate?.predicate, condition].compactMap(\.self)
      part.predicate = try FetchPredicate.all(all).validated(
        forEntity: plan.entityName, in: model)
    case .text, .next, .previous, .objects, .share, .section, .match, .again: return nil
    }
    return part
  }
}
