import Dispatch
import ObjectModel
import Synchronization
import TerminalKit

/// Answers questions about a store in the background, one after the other.
nonisolated final class BackgroundSurvey<Answer: Sendable>: Sendable {
  /// A question about something that has a name.
  struct Question: Sendable {
    let name: String
    /// How long it is looked for, in seconds; nil for no limit.
    var timeLimit: Double?
    /// Finds the answer; nil for none, and when it was cancelled.
    let find: @Sendable (FetchControl) -> Answer?
  }

  private struct State {
    var answers: [String: Answer] = [:]
    var isRunning = false
    var hasFinished = false
    /// Cancels the whole survey.
    var control = FetchControl()
    /// Cancels the present question.
    var present = FetchControl()

    mutating func cancel() {
      control.cancel()
      present.cancel()
      isRunning = false
    }
  }

  private let state = Mutex(State())
  private let waker: Waker

  init(waker: Waker) { self.waker = waker }

  /// The answers so far, by name.
  var answers: [String: Answer] { state.withLock { $0.answers } }

  /// Whether questions are not answered yet.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Whether all questions were answered once.
  var hasFinished: Bool { state.withLock { $0.hasFinished } }

  /// Asks questions instead of those before; old answers stay until new ones replace them.
  func start(_ questions: [Question]) {
    let control = FetchControl()
    state.withLock { state in
      state.cancel()
      state.control = control
      state.isRunning = true
    }
    DispatchQueue.global(qos: .utility).async { [self] in
      for question in questions where !control.isCancelled {
        let present = question.timeLimit.map { FetchControl(timeLimit: $0) } ?? control
        state.withLock { $0.present = present }
        let answer = question.find(present)
        guard !control.isCancelled else { return }
        if let answer { state.withLock { $0.answers[question.name] = answer } }
        waker.wake()
      }
      state.withLock { state in
        guard !control.isCancelled else { return }
        state.isRunning = false
        state.hasFinished = true
      }
      waker.wake()
    }
  }

  /// Stops; the answers so far stay.
  func stop() { state.withLock { $0.cancel() } }

  /// Stops and forgets the answers.
  func reset() {
    state.withLock { state in
      state.cancel()
      state.answers = [:]
    }
  }
}
