public import ManagedObjects

/// The save throws and writes nothing.
public let NSErrorMergePolicy = NSMergePolicy.error
/// Of properties that both have changed the store's value is kept.
public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
/// Of properties that both have changed the context's value is written.
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// The whole object is written as the context has it.
public let NSOverwriteMergePolicy = NSMergePolicy.overwrite
/// The context's changes of the object are discarded.
public let NSRollbackMergePolicy = NSMergePolicy.rollback

extension MergePolicy {
  /// Makes the policy of a type.
  ///
  /// - Parameter type: The type.
  public init(merge type: NSMergePolicyType) { self = type }

  /// The type of `NSErrorMergePolicy`.
  public static let errorMergePolicyType = MergePolicy.error
  /// The type of `NSMergeByPropertyStoreTrumpMergePolicy`.
  public static let mergeByPropertyStoreTrumpMergePolicyType =
    MergePolicy.mergeByPropertyStoreTrump
  /// The type of `NSMergeByPropertyObjectTrumpMergePolicy`.
  public static let mergeByPropertyObjectTrumpMergePolicyType =
    MergePolicy.mergeByPropertyObjectTrump
  /// The type of `NSOverwriteMergePolicy`.
  public static let overwriteMergePolicyType = MergePolicy.overwrite
  /// The type of `NSRollbackMergePolicy`.
  public static let rollbackMergePolicyType = MergePolicy.rollback
}
