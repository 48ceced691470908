import ObjectModel

/// Objects that were fetched together: firing the fault of one reads the rows after it too, in one
/// query; of a relationship all, because a set has no order.
final class FaultBatch {
  private let ids: ObjectIDList
  private let size: Int
  private let isOrdered: Bool

  init(ids: ObjectIDList, size: Int, isOrdered: Bool) {
    self.ids = ids
    self.size = max(size, 1)
    self.isOrdered = isOrdered
  }

  func neighbours(of index: Int) -> [ObjectID] {
    if !isOrdered, ids.count <= size { return Array(ids) }
    return Array(ids[index..<min(index + size, ids.count)])
  }
}

extension ManagedObject {
  /// The objects whose rows are read with this one's: itself and those after it in its fetch.
  var faultNeighbours: [ObjectID] { batch?.neighbours(of: batchPlace) ?? [objectID] }
}
