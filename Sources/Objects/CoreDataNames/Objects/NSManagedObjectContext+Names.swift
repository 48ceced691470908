public import ManagedObjects
import ObjectModel

extension ManagedObjectContext {
  /// Deletes an object; its delete rules are followed when changes are processed.
  ///
  /// It cannot throw: a deletion that is refused, as of an object of a read-only entity, is reported
  /// to `onError`, and the next save throws.
  ///
  /// - Parameter object: The object; nothing happens if it is deleted already.
  public func delete(_ object: NSManagedObject) {
    do { try deleteUnsaved(object) } catch { refuse(error, of: object.objectID, "isDeleted") }
  }

  /// Turns all objects into faults, which keep their unsaved changes.
  public func refreshAllObjects() {
    for object in registeredObjects { refresh(object, mergeChanges: true) }
  }

  /// The undo and redo stacks; never nil, because undo is recorded from the start.
  ///
  /// A group ends when changes are processed: there is no run loop that ends it.
  public var undoManager: UndoManager? { undoHistory }

  /// Undoes the last group.
  public func undo() { undoHistory.undo() }

  /// Redoes the last undone group.
  public func redo() { undoHistory.redo() }

  /// Whether the saves of other contexts of the store are merged into this one: always.
  ///
  /// `viewContext` merges them by itself, another context when it processes changes. Setting it to
  /// false traps.
  public var automaticallyMergesChangesFromParent: Bool {
    get { true }
    set { precondition(newValue, "A context always merges what others save.") }
  }
}

extension UndoHistory {
  /// Begins a group that ends with ``endUndoGrouping()``.
  public func beginUndoGrouping() { beginGroup() }

  /// Ends the group that ``beginUndoGrouping()`` began; an empty one is not kept.
  public func endUndoGrouping() { endGroup() }

  /// Whether undo is recorded.
  public var isUndoRegistrationEnabled: Bool { isRegistrationEnabled }

  /// Stops recording undo.
  public func disableUndoRegistration() { isRegistrationEnabled = false }

  /// Records undo again; calls are not counted.
  public func enableUndoRegistration() { isRegistrationEnabled = true }

  /// Registers how to undo what was just done to an object that is not managed.
  ///
  /// - Parameters:
  ///   - target: The object, held weakly.
  ///   - handler: Undoes it. What it registers in turn becomes the redo.
  public func registerUndo<Target: AnyObject>(
    withTarget target: Target, handler: @escaping (Target) -> Void
  ) {
    register { [weak target] in
      if let target { handler(target) }
    }
  }
}
