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

  /// The objects that somebody references, in the order of their IDs.
  var instances: [ManagedObject] { objects.instances.sorted { $0.objectID < $1.objectID } }
}
