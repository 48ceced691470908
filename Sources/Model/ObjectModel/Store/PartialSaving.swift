/// A store that may have done a part of a save that failed, as a service does it request by request.
///
/// It remembers what was done, so that the next save asks only for the rest.
package protocol PartialSaving: PersistentStore {
  /// Called by a context that gives up changes of objects: what was done of them is not to be saved
  /// any more.
  func forget(_ ids: [ObjectID])
}
