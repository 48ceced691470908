@_exported public import class CoreDataPredicates.NSPredicate
import Foundation
import ManagedObjects
public import ObjectModel

extension FetchPredicate {
  /// The predicate of Core Data's class.
  ///
  /// - Parameter predicate: One of a format, a constant, a comparison, or compound of such.
  /// - Throws: `ManagedObjectError` for a block, which cannot be translated to SQL.
  public init(_ predicate: NSPredicate) throws {
    guard let condition = predicate.condition else {
      throw ManagedObjectError(
        .unsupported, doing: "fetching", subject: "the predicate", detail: "it has a block",
        remedy: "write it as a format, or filter the fetched objects")
    }
    self = condition
  }
}
