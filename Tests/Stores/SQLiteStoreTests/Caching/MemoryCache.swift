import Foundation
import ObjectModel
import Synchronization

/// Results in memory, by signature: everything that was ever kept, so that a wrong signature is
/// sure to be found.
final class MemoryCache: FetchCache {
  private let kept = Mutex<[FetchSignature: FetchedIDs]>([:])

  /// How many results were kept.
  var count: Int { kept.withLock { $0.count } }

  func results(for signature: FetchSignature) -> FetchedIDs? { kept.withLock { $0[signature] } }

  func keep(_ results: FetchedIDs, for signature: FetchSignature) {
    kept.withLock { $0[signature] = results }
  }
}

/// Waits until the state of files that were just written can be recognised.
func waitUntilSettled() { usleep(30_000) }
