import ObjectModel

/// Objects that were fetched together: firing the fault of one reads the rows of others in one
/// query.
final class FaultBatch {
  private let ids: ObjectIDList
  private let size: Int
  private let isReadFromFirst: Bool

  /// Makes a batch.
  ///
  /// - Parameters:
  ///   - ids: The objects.
  ///   - size: How many rows are read at once.
  ///   - isReadFromFirst: Whether the objects are read one after the other, as those of a fetch are:
  ///     the rows after a fault's are read with it. If not, as in a set, the part around it is read.
  init(ids: ObjectIDList, size: Int, isReadFromFirst: Bool) {
    self.ids = ids
    self.size = max(size, 1)
    self.isReadFromFirst = isReadFromFirst
  }

  func neighbours(of index: Int) -> [ObjectID] {
    let start = isReadFromFirst ? index : index / size * size
    return Array(ids[start..<min(start + size, ids.count)])
  }
}

extension ManagedObject {
  /// The objects whose rows are read with this one's, itself among them.
  var faultNeighbours: [ObjectID] { batch?.neighbours(of: Int(batchPlace)) ?? [objectID] }
}
