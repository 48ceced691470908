import Foundation
import ObjectModel
import Synchronization

/// Ends a command without a screen when Ctrl-C, SIGTERM or another signal asks for it: what it does
/// in the store is stopped and rolled back first.
///
/// The program then ends by the signal itself, so that a shell stops its script too.
enum Interruption {
  /// The control of all that the command reads and saves.
  private static let control = FetchControl(isPatient: true)
  private static let received = Atomic<Int32>(0)
  /// How long a command may take to stop, in seconds, before it is ended as it is.
  private static let patience = 1.0

  /// The signal that has asked the program to end; nil if none has, or if it came too late.
  static var signal: Int32? {
    let number = received.load(ordering: .acquiring)
    return number == 0 || control.isCommitting ? nil : number
  }

  /// Runs a command that signals can stop.
  ///
  /// - Throws: ``Failure`` if no thread can be started, or what the command throws.
  static func watching(_ body: () throws -> Void) throws {
    var signals = watchedSignals()
    // The one of a write of ours stays with the writing thread, whose write(2) fails with EPIPE.
    sigaddset(&signals, SIGPIPE)
    block(signals, SIG_BLOCK)
    Glibc.signal(SIGPIPE, SIG_DFL)
    do {
      try start(waiting(for: signals))
    } catch {
      block(signals, SIG_UNBLOCK)
      throw error
    }
    try FetchControl.$current.withValue(control, operation: body)
  }

  /// Fails if the system has no thread for this process: reading would wait for one for ever.
  static func checkThreads() throws { try start({}) }

  /// Runs a closure on a thread of its own.
  private static func start(_ body: @escaping @Sendable () -> Void) throws(Failure) {
    final class Box: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let box = Unretained(retaining: Box(body))
    let code = pthread_create(
      &thread, nil,
      { context in
        let box = Unretained<Box>(pointer: context)
        box.object?.body()
        box.release()
        return nil
      }, box.pointer)
    guard code == 0 else {
      box.release()
      throw Failure(
        .refused, "no thread can be started: \(String(cString: strerror(code)))",
        try: "a higher limit of processes (ulimit -u), or ending other programs")
    }
    pthread_detach(thread)
  }

  /// What the thread does that waits for a signal.
  private static func waiting(for signals: sigset_t) -> @Sendable () -> Void {
    {
      var number: Int32 = 0
      var awaited = signals
      while sigwait(&awaited, &number) != 0 {}
      received.store(number, ordering: .releasing)
      let isCancelled = control.cancelUnlessCommitting()
      Thread.sleep(forTimeInterval: patience)
      if !isCancelled {
        // The command finishes its commit and says what it did, however long that takes. Who does
        // not want to wait asks again; timeout(1) sends the same signal twice at once.
        var none = timespec()
        while sigtimedwait(&awaited, nil, &none) > 0 {}
        while sigwait(&awaited, &number) != 0 {}
      }
      end(by: number)
    }
  }

  /// Runs a closure that waits for a person, in which signals end the program at once.
  static func waiting<Result>(_ body: () -> Result) -> Result {
    let signals = watchedSignals()
    block(signals, SIG_UNBLOCK)
    defer { block(signals, SIG_BLOCK) }
    return body()
  }

  /// Ends the program by a signal.
  static func end(by number: Int32) -> Never {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    // The Swift runtime's handler of SIGQUIT would write a backtrace first.
    Glibc.signal(number, SIG_DFL)
    block(signals, SIG_UNBLOCK)
    raise(number)
    exit(128 + number)
  }

  /// The signals that end the program; those that it was started to ignore (nohup) are left out.
  private static func watchedSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      var action = sigaction()
      sigaction(number, nil, &action)
      let isIgnored =
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
      if !isIgnored { sigaddset(&signals, number) }
    }
    return signals
  }

  private static func block(_ signals: sigset_t, _ how: Int32) {
    var signals = signals
    pthread_sigmask(how, &signals, nil)
  }
}
