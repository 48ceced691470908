import ObjectModel
import TerminalApplications
import TerminalKit

/// The jobs that a person has begun: the status line shows the last one, and Esc cancels it.
final class BackgroundJobs {
  private struct Job {
    let work: any BackgroundWork
    let stop: () -> Void
    weak var owner: AnyObject?
  }

  private let waker: Waker
  private let report: (any Error) -> Void
  private var jobs: [Job] = []

  /// Makes a list without jobs; `report` is called when one fails or is cancelled.
  init(waker: Waker, report: @escaping (any Error) -> Void) {
    (self.waker, self.report) = (waker, report)
  }

  /// Starts a job.
  ///
  /// - Parameters:
  ///   - title: What the status line says, as "Exporting".
  ///   - total: How much there is to do, if it is known at once; else the work reports it.
  ///   - owner: The screen with which it ends; nil for none.
  ///   - work: Runs in the background, where it must not use the context. It can be cancelled while
  ///     it reads from the store; it reports its progress to the control.
  ///   - done: Gets what the work returns.
  /// - Returns: The job.
  @discardableResult
  func start<Output: Sendable>(
    _ title: String, total: Int = 0, for owner: AnyObject? = nil,
    _ work: @escaping @Sendable (FetchControl) throws -> Output, done: @escaping (Output) -> Void
  ) -> any BackgroundWork {
    let job = BackgroundJob<Result<Output, any Error>>(title, total: total, waker: waker) {
      control, give in
      give(Result { try work(control) })
    } handle: { [report] result in
      switch result {
      case .success(let output): done(output)
      case .failure(let error): report(error)
      }
    }
    jobs.append(Job(work: job, stop: job.stop, owner: owner))
    return job
  }

  var isRunning: Bool { !jobs.isEmpty }
  /// The progress of the last job; nil without one.
  var busyLine: BusyLine? { jobs.last?.work.busyLine }

  /// Handles what jobs have found.
  func takeResults() {
    let running = jobs.filter(\.work.isRunning)
    let ended = jobs.filter { job in !running.contains { $0.work === job.work } }
    jobs = running
    for job in ended { job.work.takeResults() }
  }

  /// Cancels the last job.
  ///
  /// - Returns: Whether there was one.
  func cancelLast() -> Bool {
    jobs.last?.work.cancel()
    return isRunning
  }

  /// Forgets the jobs of a screen that is closed.
  func cancel(of owner: AnyObject) {
    for job in jobs where job.owner === owner { job.work.cancel() }
    jobs.removeAll { $0.owner === owner }
  }

  /// Stops all jobs before the program ends.
  func stop() {
    for job in jobs { job.stop() }
  }
}
