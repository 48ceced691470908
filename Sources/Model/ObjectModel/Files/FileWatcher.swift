import Foundation
import Synchronization

/// A thread that calls a handler when another process has changed a file.
///
/// It sleeps until inotify reports a write to the file or to one that belongs to it, and then checks
/// whether there is anything new. Without inotify, and for a folder, it checks once a second.
package final class FileWatcher: Sendable {
  /// The write end of a pipe; closing it ends the thread.
  private let stopDescriptor: Int32

  /// The delays between checks after an event, in milliseconds.
  ///
  /// There are several, because events arrive while the commit is still in progress.
  private static let delays = [8, 25, 80, 300, 1_000]
  private static let pollInterval = 1_000

  /// Starts the thread; nil if no file descriptors are left.
  ///
  /// - Parameters:
  ///   - path: The canonical path of the file.
  ///   - companions: What is added to its name in those of the files that belong to it.
  ///   - check: Whether there is a change that was not reported yet. It is asked several times after
  ///     a write, which may still be in progress.
  ///   - handler: Called on the thread after each change.
  package init?(
    path: String, companions: [String] = [], check: @escaping @Sendable () -> Bool,
    handler: @escaping @Sendable () -> Void
  ) {
    var descriptors: [Int32] = [-1, -1]
    guard pipe(&descriptors) == 0 else { return nil }
    let stopped = descriptors[0]
    stopDescriptor = descriptors[1]
    for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let thread = Thread {
      Self.run(stopped, FileEvents(path: path, companions: companions), check, handler)
      close(stopped)
    }
    thread.name = "cardfile.watch"
    thread.start()
  }

  deinit { close(stopDescriptor) }

  private static func run(
    _ stopped: Int32, _ events: FileEvents?, _ check: () -> Bool, _ handler: () -> Void
  ) {
    // Check at once for changes made before watching began.
    var step = 0
    var next: ContinuousClock.Instant? = .now
    while true {
      var waits = [
        pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
        pollfd(fd: events?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      poll(&waits, 2, milliseconds(until: next, hasEvents: events != nil))
      if waits[0].revents != 0 { return }
      if waits[1].revents != 0, events?.readEvents() == true {
        step = 0
        let soon = ContinuousClock.now + .milliseconds(delays[0])
        next = min(next ?? soon, soon)
      }
      guard events == nil || next.map({ $0 <= .now }) == true else { continue }
      if check() { handler() }
      step += 1
      next = step < delays.count ? .now + .milliseconds(delays[step]) : nil
    }
  }

  /// Returns the timeout for `poll` in milliseconds; -1 to wait for an event.
  private static func milliseconds(until next: ContinuousClock.Instant?, hasEvents: Bool) -> Int32 {
    guard let next else { return hasEvents ? -1 : Int32(pollInterval) }
    let rest = ContinuousClock.now.duration(to: next).components
    return Int32(
      clamping: max(0, rest.seconds * 1_000 + rest.attoseconds / 1_000_000_000_000_000 + 1))
  }
}
