/// A terminal for tests: it delivers scripted events and records the frames that are shown.
@MainActor
public final class RecordingTerminal: Terminal {
  /// The current size; an ``InputEvent/resize(_:)`` event in the script changes it.
  public package(set) var size: Size
  /// The capabilities the terminal reports; an ``InputEvent/background`` event reports a change.
  public var capabilities: TerminalCapabilities
  /// The canvases that were shown, oldest first.
  public private(set) var frames: [Canvas] = []
  /// The position of the hardware cursor; nil if it is hidden.
  public private(set) var cursor: Point?
  /// Delivers ``InputEvent/wake`` before the remaining events of the script.
  public let waker = Waker {}
  /// Answers ``isStopRequested()``; by default false.
  package var stopRequest: () -> Bool = { false }
  /// How often ``suspend()`` was called.
  package private(set) var suspendCount = 0
  /// How often ``redraw()`` was called.
  package private(set) var redrawCount = 0
  private var script: [InputEvent]
  private var next = 0

  /// Creates a terminal that delivers a script of events.
  ///
  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - capabilities: The capabilities to report; by default 256 colours and Unicode.
  ///   - script: The events to deliver; ``InputEvent/endOfInput`` follows the last one.
  public init(
    size: Size, capabilities: TerminalCapabilities = TerminalCapabilities(colorSupport: .palette),
    script: [InputEvent] = []
  ) {
    self.size = size
    self.capabilities = capabilities
    self.script = script
  }

  /// The canvas on the screen; nil before the first one is shown.
  public var screen: Canvas? { frames.last }

  /// Appends one key press for each character of a text to the script.
  public func type(_ text: String) {
    script += text.map { .key(.character($0)) }
  }

  /// Records the canvas and the cursor.
  public func show(_ canvas: Canvas, cursor: Point?) {
    frames.append(canvas)
    self.cursor = cursor
  }

  /// Returns the next event of the script without waiting.
  ///
  /// - Returns: At the end of the script, nil if a timeout was given, otherwise
  ///   ``InputEvent/endOfInput``.
  public func nextEvent(timeoutMilliseconds: Int?) -> InputEvent? {
    if waker.acknowledge() { return .wake }
    guard next < script.count else { return timeoutMilliseconds == nil ? .endOfInput : nil }
    defer { next += 1 }
    if case .resize(let newSize) = script[next] { size = newSize }
    return script[next]
  }

  /// Answers what a test has set; `false` without it.
  public func isStopRequested() -> Bool { stopRequest() }

  /// Does nothing: scripted keys are never dropped.
  public func flushTypeAhead() {}

  /// Counts the call: there is no shell to return to.
  public func suspend() { suspendCount += 1 }

  /// What ``run(_:)`` does in place of a program; by default it cannot be started.
  package var onRun: ([String]) -> Int32 = { _ in 127 }

  /// Runs nothing, and answers 127, as a shell does for a command that is not found; a test may
  /// set what it does.
  public func run(_ command: [String]) -> Int32 { onRun(command) }

  /// The texts that were copied, oldest first.
  public private(set) var copies: [String] = []

  /// Records the text.
  public func copy(_ text: String) -> Bool {
    copies.append(text)
    return true
  }

  /// Does nothing: scripted events are delivered as they are.
  public func reportMouse(_ isOn: Bool) {}

  /// Counts the call: every canvas is recorded completely.
  public func redraw() { redrawCount += 1 }
}
