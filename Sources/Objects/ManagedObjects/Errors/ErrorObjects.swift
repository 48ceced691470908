import Foundation
package import ObjectModel

/// The objects that an error is about, for a handler in the isolation domain of their context.
///
/// They are carried by an NSError, which is Sendable with whatever its `userInfo` has, as the errors
/// of Core Data are. They are no part of what the error is: with and without them it is equal.
struct ErrorObjects: Hashable, Sendable {
  private var carrier: NSError?

  init(_ objects: some Sequence<ManagedObject> = []) {
    let byID = Dictionary(firstOf: objects.map { ($0.objectID, $0) })
    guard !byID.isEmpty else { return }
    carrier = NSError(domain: "", code: 0, userInfo: ["objects": byID])
  }

  subscript(id: ObjectID) -> ManagedObject? {
    (carrier?.userInfo["objects"] as? [ObjectID: ManagedObject])?[id]
  }

  static func == (lhs: Self, rhs: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

extension ManagedObjectError {
  /// An object that the error is about; nil if the error has left the domain of its context.
  ///
  /// Use it only in that domain, which the compiler cannot check for errors.
  package func object(_ id: ObjectID) -> ManagedObject? { objects[id] }

  /// The error for another domain: with IDs only.
  package var withoutObjects: ManagedObjectError {
    var error = self
    error.objects = ErrorObjects()
    return error
  }

  /// The error with the objects that it is about, of the first thousand IDs.
  func withObjects(of context: ManagedObjectContext) -> ManagedObjectError {
    let ids = problems.map(\.objectID) + objectIDs
    var error = self
    error.objects = ErrorObjects(ids.prefix(1_000).map(context.object))
    return error
  }
}
