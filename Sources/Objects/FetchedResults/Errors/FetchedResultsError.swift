/// Why a results controller has no list, as data.
///
/// `description` is the message. Errors of the store, the context and predicates are thrown as they
/// are.
public struct FetchedResultsError: Error, Hashable, Sendable {
  /// Why the fetch failed.
  public enum Reason: Hashable, Sendable {
    /// The request has no sort descriptor.
    case noSortDescriptors
    /// The request's entity is not in the model.
    case unknownEntity
    /// The order does not keep a section together.
    case outOfOrderSection(name: String, index: Int)
  }

  /// Why the fetch failed.
  public var reason: Reason
  /// The entity of the fetch request.
  public var entityName: String

  /// Describes an error.
  package init(_ reason: Reason, entityName: String) {
    self.reason = reason
    self.entityName = entityName
  }
}

extension FetchedResultsError: CustomStringConvertible {
  /// One sentence: what is wrong and how to fix it.
  public var description: String {
    switch reason {
    case .noSortDescriptors:
      "A list of \(entityName) needs an order: give the fetch request at least one sort descriptor."
    case .unknownEntity:
      "There is no entity \(entityName) in the model."
    case .outOfOrderSection(let name, let index):
      """
      The fetched object at index \(index) has an out of order section name '\(name)'. \
      Objects must be sorted by section name.
      """
    }
  }
}
