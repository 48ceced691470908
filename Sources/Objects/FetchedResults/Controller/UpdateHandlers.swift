public import ManagedObjects

/// The closures and sequences that observe a list.
struct UpdateHandlers {
  private var handlers: [(number: Int, call: (ResultsUpdate) -> Void)] = []
  private var next = 0
  private var sequences: [WeakSequence] = []

  private struct WeakSequence {
    weak var waiting: WaitingUpdate?
  }

  mutating func add(_ handler: @escaping (ResultsUpdate) -> Void) -> Int {
    defer { next += 1 }
    handlers.append((next, handler))
    return next
  }

  mutating func add(_ waiting: WaitingUpdate) {
    sequences.removeAll { $0.waiting == nil }
    sequences.append(WeakSequence(waiting: waiting))
  }

  mutating func remove(_ number: Int) { handlers.removeAll { $0.number == number } }

  func has(_ number: Int) -> Bool { handlers.contains { $0.number == number } }

  /// Ends the sequences.
  func finish() { for sequence in sequences { sequence.waiting?.finish() } }

  /// Calls the handlers that are still there in the order in which they were added, then notifies the
  /// sequences.
  func call(_ update: ResultsUpdate, where isThere: (Int) -> Bool) {
    for (number, call) in handlers where isThere(number) { call(update) }
    for sequence in sequences { sequence.waiting?.add(update) }
  }
}

/// An observation of a ``FetchedResultsController``: it ends when it is cancelled or deallocated.
public typealias ResultsObservation = ContextObservation
