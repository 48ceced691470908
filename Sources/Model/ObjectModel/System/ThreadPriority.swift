import Glibc

/// The priority of threads that read what nobody waits for yet.
package enum ThreadPriority {
  private static let lowered: CInt = 5
  private static let process = __priority_which_t(PRIO_PROCESS.rawValue)

  /// Lowers the priority of the calling thread for the rest of its life, and of those that it
  /// starts.
  ///
  /// Two readers keep two processors busy: without it the thread that draws, and answers keys,
  /// waits for time slices of theirs. An ordinary user may not raise a priority again, so that the
  /// thread must not be one of a pool's.
  package static func lower() {
    // Linux: `setpriority` with 0 changes the calling thread alone. If the process has a lower
    // priority already, it keeps that.
    setpriority(process, 0, lowered)
  }

  /// Whether the calling thread has a lowered priority.
  package static var isLowered: Bool { getpriority(process, 0) >= lowered }
}
