/// A program on a terminal: the run loop, and the overlays that handle the keys before its screen.
///
/// It waits for an event, handles it, and draws once for a burst of them; while idle it uses no CPU
/// time. Background work leaves its results behind a lock and wakes the terminal.
@MainActor
package protocol TerminalProgram: AnyObject {
  /// The screen and the keys.
  var terminal: any Terminal { get }
  /// The views over the screen; the last one handles the keys.
  var overlays: [any Overlay] { get set }
  /// The exit status; nil while the program runs.
  var exitStatus: Int32? { get }
  /// Milliseconds until the next ``update()`` without an event; nil for never.
  var redrawDelay: Int? { get }
  /// Handles an event.
  func handle(_ event: InputEvent)
  /// Handles a key press.
  func process(_ key: Key)
  /// Does what is due, and draws.
  func update()
  /// Draws the current state on the terminal.
  func draw()
}

extension TerminalProgram {
  /// Runs until there is an exit status, and returns it.
  package func runEventLoop() -> Int32 {
    while true {
      if let event = terminal.nextEvent(timeoutMilliseconds: redrawDelay) {
        handle(event)
        // A burst of keys is drawn once.
        while exitStatus == nil, let next = terminal.nextEvent(timeoutMilliseconds: 0) {
          handle(next)
        }
      }
      if let exitStatus { return exitStatus }
      update()
    }
  }

  /// Shows an overlay.
  package func present(_ overlay: any Overlay) {
    overlays.append(overlay)
    guard overlay.dropsTypeAhead else { return }
    // A key typed before the dialog was drawn must not answer it.
    draw()
    terminal.flushTypeAhead()
  }

  /// Carries out the reply of an overlay; what that presents stays.
  package func answer(_ reply: OverlayReply, of overlay: any Overlay) {
    switch reply {
    case .stay: break
    case .close: overlays.removeAll { $0 === overlay }
    case .perform(let action):
      overlays.removeAll { $0 === overlay }
      action()
    case .present(let overlay): present(overlay)
    }
  }

  /// Pastes text into the last overlay.
  ///
  /// - Returns: False if there is no overlay.
  package func pasteIntoOverlay(_ text: String) -> Bool {
    guard let overlay = overlays.last else { return false }
    overlay.paste(text)
    return true
  }
}

extension InputEvent {
  /// The exit status of a program that the event ends: 0, or 128 and the number of the signal; nil
  /// for all other events.
  package var exitStatus: Int32? {
    switch self {
    case .terminate: 128 + 15
    case .interrupt: 128 + 2
    case .hangup: 128 + 1
    case .endOfInput: 0
    default: nil
    }
  }
}
