import ObjectModel
import Synchronization

/// The changes of a ``FetchedResultsController`` as an asynchronous sequence; see
/// ``ResultsController/updates``.
public struct ResultsUpdates: AsyncSequence, Sendable {
  let waiting: WaitingUpdate

  /// Reads the updates in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let waiting: WaitingUpdate
    var signals: AsyncStream<Void>.AsyncIterator

    /// Waits for the next update; nil once the controller is deallocated or the task is cancelled.
    public mutating func next() async -> ResultsUpdate? {
      while await signals.next(isolation: #isolation) != nil {
        if let update = waiting.take() { return update }
      }
      return nil
    }
  }

  /// Makes the iterator.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(waiting: waiting, signals: waiting.signals.makeAsyncIterator())
  }
}

/// The update that a reader has not taken yet.
final class WaitingUpdate: Sendable {
  private struct State {
    /// The list that the reader has.
    var taken: ResultsSections?
    var update: ResultsUpdate?
    /// The objects whose content changed, if the update has several changes of the list and is to be
    /// computed when it is taken; nil if it has one.
    var changed: Set<ObjectID>?
  }

  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let state = Mutex(State())

  init() {
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ update: ResultsUpdate) {
    state.withLock { state in
      var update = update
      if let waiting = state.update {
        state.changed = (state.changed ?? waiting.changedIDs).union(update.changedIDs)
        // The content of any row may have changed with a reload.
        if waiting.change.isReload { update.change = .reload }
      }
      state.update = update
    }
    signal.yield()
  }

  func finish() { signal.finish() }

  /// Takes the update, with the change from the one that was taken before.
  func take() -> ResultsUpdate? {
    // The lists are compared after the lock is free: the controller may have the next change.
    let state = self.state.withLock { state in
      defer { if let update = state.update { state = State(taken: update.snapshot) } }
      return state
    }
    guard var update = state.update else { return nil }
    if let changed = state.changed, !update.change.isReload {
      update.change =
        state.taken.map {
          ResultsChange(
            from: $0.renaming($0.permanentIDs), to: update.snapshot,
            updated: Set(changed.map(\.permanent)))
        } ?? .reload
    }
    return update
  }
}

extension ResultsUpdate {
  /// The objects whose rows the change reports as updated or moved.
  fileprivate var changedIDs: Set<ObjectID> {
    Set((change.updates + change.moves).map { snapshot.ids[snapshot.index(at: $0.new)] })
  }
}

extension ResultsSections {
  /// The permanent IDs of objects that were saved since the list was made, by temporary ID.
  fileprivate var permanentIDs: [ObjectID: ObjectID] {
    Dictionary(firstOf: ids.filter(\.isTemporary).map { ($0, $0.permanent) })
  }
}

/// A state of the list of a ``FetchedResultsController``, and the change that led to it.
///
/// It is a value: it may be sent to another domain. ``snapshot`` is diffable: the change between any
/// two snapshots is `ResultsChange(from:to:)`.
public struct ResultsUpdate: Sendable {
  /// The list: sections and IDs.
  public var snapshot: ResultsSections
  /// The change from the list of the update before; a reload in the first.
  public var change: ResultsChange
  /// Where the change came from; of several changes in one update, the last one's.
  public var origin: ChangeOrigin

  /// Describes an update.
  package init(snapshot: ResultsSections, change: ResultsChange, origin: ChangeOrigin) {
    (self.snapshot, self.change, self.origin) = (snapshot, change, origin)
  }
}
