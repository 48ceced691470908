import ObjectModel

extension ManagedObject {
  /// The row with unsaved changes, read if it is not cached; that of an unsaved deletion as it was
  /// before; nil if there is none.
  ///
  /// It is for what the object's user reads and changes: it wakes the object.
  var awakeRow: RowSnapshot? {
    guard let context = managedObjectContext else { return nil }
    let row = row(in: context)
    guard needsAwaking, row != nil else { return row }
    needsAwaking = false
    awakeFromFetch()
    return self.row(in: context)
  }

  private func row(in context: ManagedObjectContext) -> RowSnapshot? {
    if let row = record.row, !context.pending.contains(record.id) { return row }
    return context.readableRow(of: record.id)
  }
}

extension ManagedObjectContext {
  /// Runs what evicts the rows of objects, and calls their hooks before and after.
  ///
  /// - Parameters:
  ///   - objects: The objects that will be faults. It is not evaluated if no class is registered.
  ///   - evict: What evicts the rows.
  func turnIntoFaults(_ objects: @autoclosure () -> [ManagedObject], _ evict: () -> Void) {
    // An object that is not awake has had no values.
    let awake = classes.isEmpty ? [] : objects().filter { !$0.needsAwaking }
    let hooked = awake.filter { type(of: $0) != ManagedObject.self }
    for object in hooked { object.willTurnIntoFault() }
    evict()
    for object in hooked { object.needsAwaking = true }
    for object in hooked { object.didTurnIntoFault() }
  }

  /// The objects with an instance that is in use, in the order of their IDs.
  var instances: [ManagedObject] { objects.instances.sorted { $0.objectID < $1.objectID } }
}

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
  var faultNeighbours: [ObjectID] { batch?.neighbours(of: Int(batchIndex)) ?? [objectID] }
}
