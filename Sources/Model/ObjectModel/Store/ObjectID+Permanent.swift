import Synchronization

extension ObjectID {
  private static let permanentIDs = Mutex(PermanentIDs())

  /// Remembers the permanent IDs that a save gave, for as long as the process runs.
  ///
  /// Temporary IDs are unique in the process, so one table serves all contexts and stores.
  package static func remember(_ permanentIDs: [ObjectID: ObjectID]) {
    guard !permanentIDs.isEmpty else { return }
    let runs = PermanentIDs.Run.all(of: permanentIDs)
    Self.permanentIDs.withLock { known in
      for run in runs { known.add(run) }
    }
  }

  /// The ID that identifies the object now: the permanent one of an object that was saved, for any
  /// other this ID.
  ///
  /// A predicate with a temporary ID goes on meaning the object after a save.
  package var permanent: ObjectID {
    guard isTemporary else { return self }
    return Self.permanentIDs.withLock { ids in
      var id = self
      // A new object may have been merged into another one, which was saved since.
      while case .temporary(let key) = id.key, let next = ids[key] { id = next }
      return id
    }
  }
}
