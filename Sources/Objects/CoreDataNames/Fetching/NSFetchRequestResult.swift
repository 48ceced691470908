public import Foundation
public import ManagedObjects
public import ObjectModel

/// What a fetch request may return; `NSFetchRequest<NSFetchRequestResult>` returns any of them.
public protocol NSFetchRequestResult {}

extension ManagedObject: NSFetchRequestResult {}
extension ObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// What a fetch request returns.
public enum NSFetchRequestResultType: Hashable, Sendable {
  /// Objects.
  case managedObjectResultType
  /// The IDs of objects.
  case managedObjectIDResultType
  /// Dictionaries of the properties to fetch. Unsaved changes are included, unlike in Core Data.
  case dictionaryResultType
  /// The number of objects, as one number.
  case countResultType
}
