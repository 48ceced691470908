/// A terminal without a screen: it plays a script of events and keeps what is shown.
///
/// It is what tests drive a program with.
@MainActor
public final class RecordingTerminal: Terminal {
  /// The present size; a ``InputEvent/resize(_:)`` of the script changes it.
  public private(set) var size: Size
  /// What the terminal claims to be able to do.
  public let capabilities: TerminalCapabilities
  /// The pictures that were shown, the oldest first.
  public private(set) var frames: [Canvas] = []
  /// Where the hardware cursor stands; nil when it is hidden.
  public private(set) var cursor: Point?
  /// Wakes the program; the event comes before what is left of the script.
  public let waker = Waker {}
  private var script: [InputEvent]
  private var next = 0

  /// Creates a terminal that plays a script.
  ///
  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - capabilities: What it claims to be able to do.
  ///   - script: The events; after them comes ``InputEvent/endOfInput``.
  public init(
    size: Size, capabilities: TerminalCapabilities = TerminalCapabilities(colorSupport: .palette),
    script: [InputEvent] = []
  ) {
    self.size = size
    self.capabilities = capabilities
    self.script = script
  }

  /// The picture that is shown now; nil before the first.
  public var screen: Canvas? { frames.last }

  /// Adds keys to the end of the script: each character of a text is one.
  public func type(_ text: String) {
    script += text.map { .key(.character($0)) }
  }

  /// Keeps the picture.
  public func show(_ canvas: Canvas, cursor: Point?) {
    frames.append(canvas)
    self.cursor = cursor
  }

  /// Gives the next event of the script, at once.
  public func nextEvent(timeoutMilliseconds: Int?) -> InputEvent? {
    if waker.acknowledge() { return .wake }
    guard next < script.count else { return timeoutMilliseconds == nil ? .endOfInput : nil }
    defer { next += 1 }
    if case .resize(let newSize) = script[next] { size = newSize }
    return script[next]
  }

  /// Does nothing: a script is not typed ahead.
  public func flushTypeAhead() {}

  /// Does nothing: there is no shell to return to.
  public func suspend() {}

  /// Does nothing: every picture is kept whole.
  public func redraw() {}
}
