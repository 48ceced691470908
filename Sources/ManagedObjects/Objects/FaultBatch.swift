import ObjectModel

/// Objects that were fetched together: firing the fault of one reads the rows after it too, in one
/// query.
final class FaultBatch {
  private let ids: ObjectIDList
  private let size: Int

  init(ids: ObjectIDList, size: Int) {
    self.ids = ids
    self.size = max(size, 1)
  }

  func neighbours(of index: Int) -> [ObjectID] {
    Array(ids[index..<min(index + size, ids.count)])
  }
}

extension ManagedObject {
  /// The objects whose rows are read with this one's: itself and those after it in its fetch.
  var faultNeighbours: [ObjectID] { batch?.neighbours(of: batchPlace) ?? [objectID] }
}
