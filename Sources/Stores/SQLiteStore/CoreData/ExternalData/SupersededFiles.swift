import Foundation
import ObjectModel
import Synchronization

/// The external files that saves of one store made superfluous: those of values that they replaced
/// or whose objects they deleted.
///
/// They stay as long as an undo may need them. Files of other programs are never among them.
final class SupersededFiles: Sendable {
  private let state = Mutex<Set<String>>([])

  /// The names of the files.
  var names: Set<String> { state.withLock { $0 } }

  /// Adds the files that a committed save made superfluous, and removes those that it uses again.
  func add(_ superseded: Set<String>, without restored: Set<String>) {
    state.withLock { names in
      names.formUnion(superseded)
      names.subtract(restored)
    }
  }

  /// Forgets files.
  func remove(_ names: Set<String>) { state.withLock { $0.subtract(names) } }
}
