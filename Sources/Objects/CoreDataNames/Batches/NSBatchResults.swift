public import ManagedObjects
import ObjectModel

/// What a request has written.
public class NSPersistentStoreResult {
  /// True, the IDs as `[NSManagedObjectID]`, or their number as `Int`, as the request's `resultType`
  /// says.
  public let result: Any?
  /// What the result has.
  public let resultType: NSBatchRequestResultType

  init(_ resultType: NSBatchRequestResultType, _ ids: [ObjectID]) {
    self.resultType = resultType
    result =
      switch resultType {
      case .statusOnlyResultType, .statusOnly, .resultTypeStatusOnly: true
      case .objectIDs, .resultTypeObjectIDs, .updatedObjectIDsResultType: ids
      case .count, .resultTypeCount, .updatedObjectsCountResultType: ids.count
      }
  }
}

/// What a batch insertion has written.
public final class NSBatchInsertResult: NSPersistentStoreResult {}
/// What a batch update has written.
public final class NSBatchUpdateResult: NSPersistentStoreResult {}
/// What a batch deletion has deleted, cascades included.
public final class NSBatchDeleteResult: NSPersistentStoreResult {}

extension ManagedObjectContext {
  /// Runs a batch request; this context has its effects when it returns: there is nothing to merge.
  ///
  /// - Parameter request: The request.
  /// - Returns: An `NSBatchInsertResult`, `NSBatchUpdateResult` or `NSBatchDeleteResult`.
  /// - Throws: `ManagedObjectError`; nothing is written then.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    try request.run(in: self)
  }
}
