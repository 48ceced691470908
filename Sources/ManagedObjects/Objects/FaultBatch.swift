import ObjectModel

/// Objects that were fetched together: reading one reads those that follow it too, in one query.
final class FaultBatch {
  private let ids: ObjectIDList
  private let size: Int

  init(ids: ObjectIDList, size: Int) {
    self.ids = ids
    self.size = max(size, 1)
  }

  func neighbours(of place: Int) -> [ObjectID] {
    Array(ids[place..<min(place + size, ids.count)])
  }
}

extension ManagedObject {
  /// What is read when this object's row is: itself and what follows it in its fetch.
  var faultNeighbours: [ObjectID] { batch?.neighbours(of: batchPlace) ?? [objectID] }
}
