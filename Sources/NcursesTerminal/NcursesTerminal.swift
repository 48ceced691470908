import CNcurses
import Glibc
public import TerminalKit

/// The terminal that the program runs in, by way of ncurses.
///
/// ncurses is one global screen, so there is one at a time. From ``init(_:)`` to ``close()`` every
/// way out of the program, signals and crashes too, leaves the terminal usable. ncurses knows no
/// strikethrough; such text is shown by its other attributes.
public final class NcursesTerminal: Terminal {
  /// What a person may choose.
  public struct Options: Hashable, Sendable {
    /// Whether clicks and the wheel are asked for; without it the terminal's own selection works.
    public var usesMouse = true
    /// Whether `NO_COLOR` is heeded.
    public var respectsNoColor = true

    /// Creates the usual choice.
    public nonisolated init() {}
  }

  /// What the terminal can do.
  public let capabilities: TerminalCapabilities
  /// Wakes the loop from any thread.
  public let waker: Waker

  let screen: UnsafeMutablePointer<WINDOW>
  /// Reads keys; a pad, because reading from a window would draw it.
  let input: UnsafeMutablePointer<WINDOW>
  let guardian: SignalGuard
  /// Asks for mouse and paste, and the reverse.
  private let privateModes: (on: [UInt8], off: [UInt8])
  private var isOpen = true
  /// What is on the screen; nil when it must be drawn anew.
  var shown: Canvas?
  var pairs = ColorPairs()
  var queue: [InputEvent] = []
  /// A reading taken too much while a grapheme was put together.
  var ahead: RawInput?
  var lastPress: (position: Point, time: Int)?
  var isButtonDown = false
  var hasEnded = false

  /// Opens the screen.
  ///
  /// - Parameter options: What the person chose.
  /// - Throws: When standard input or output is no terminal, or TERM is of no use. The terminal is
  ///   as it was then.
  public init(_ options: Options = Options()) throws(TerminalError) {
    for (file, name) in [(STDIN_FILENO, "Standard input"), (STDOUT_FILENO, "Standard output")] {
      guard isatty(file) == 1 else { throw TerminalError(reason: .notATerminal(name)) }
    }
    let kind = Capabilities.environment("TERM") ?? ""
    guard !kind.isEmpty else { throw TerminalError(reason: .noKind) }
    setlocale(LC_CTYPE, "")
    guardian = try SignalGuard()
    guard cn_open() != nil, let screen = cn_screen(), let input = newpad(1, 1) else {
      throw TerminalError(reason: .unknownKind(kind))
    }
    guard cn_capability("cup") != nil else {
      endwin()
      throw TerminalError(reason: .immobileCursor(kind))
    }
    (self.screen, self.input) = (screen, input)
    let found = Capabilities(respectsNoColor: options.respectsNoColor)
    let usesMouse = options.usesMouse && found.isLikeXterm
    capabilities = TerminalCapabilities(
      colorSupport: found.colorSupport, isUnicode: found.isUnicode, hasMouse: usesMouse)
    privateModes = Self.privateModes(isLikeXterm: found.isLikeXterm, usesMouse: usesMouse)
    let wakeEnd = guardian.writeEnd
    waker = Waker {
      var byte: UInt8 = 0
      _ = write(wakeEnd, &byte, 1)
    }
    setUp(usesMouse: usesMouse)
    guardian.arm(rescue: rescueBytes)
    send(privateModes.on)
  }

  private func setUp(usesMouse: Bool) {
    raw()
    noecho()
    nonl()
    set_escdelay(25)
    keypad(input, true)
    nodelay(input, true)
    intrflush(input, false)
    // A picture is sent whole, even when keys are waiting.
    typeahead(-1)
    define_key("\u{1B}[200~", RawInput.pasteBegin)
    define_key("\u{1B}[201~", RawInput.pasteEnd)
    if usesMouse {
      mousemask(CN_PRESSED | CN_RELEASED | CN_WHEEL_UP | CN_WHEEL_DOWN | CN_MOVED, nil)
      mouseinterval(0)
    }
  }

  private static func privateModes(
    isLikeXterm: Bool, usesMouse: Bool
  ) -> (on: [UInt8], off: [UInt8]) {
    guard isLikeXterm else { return ([], []) }
    let mouse =
      usesMouse
      ? ("\u{1B}[?1002h\u{1B}[?1006h", "\u{1B}[?1002l\u{1B}[?1006l\u{1B}[?1000l") : ("", "")
    return (
      Array(("\u{1B}[?2004h" + mouse.0).utf8), Array((mouse.1 + "\u{1B}[?2004l").utf8)
    )
  }

  /// What leaves the terminal usable when there is no time for ncurses.
  private var rescueBytes: [UInt8] {
    privateModes.off + ["sgr0", "rmkx", "cnorm", "rmcup"].flatMap { Capabilities.bytes($0) }
      + Array("\r".utf8)
  }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      // A terminal that takes nothing is gone; its hangup arrives by itself.
      guard count > 0 || errno == EINTR || errno == EAGAIN else { return }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Gives the terminal back; further calls do nothing.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    send(privateModes.off)
    endwin()
    guardian.disarm()
  }

  /// Gives the terminal back to the shell until the person returns.
  public func suspend() {
    send(privateModes.off)
    endwin()
    guardian.stop()
    comeBack()
  }

  /// Takes the terminal again after others had it.
  func comeBack() {
    resetModes()
    send(privateModes.on)
    shown = nil
    queue.removeAll { $0 == .resumed }
    queue.append(.resumed)
    if let event = noticeSize() { queue.append(event) }
  }

  private func resetModes() {
    reset_prog_mode()
    clearok(screen, true)
    wrefresh(screen)
  }

  /// Sends everything anew with the next picture.
  public func redraw() {
    shown = nil
  }

  /// The present size.
  public var size: Size {
    Size(width: Int(getmaxx(screen)), height: Int(getmaxy(screen)))
  }

  /// Takes the size that the terminal has now; nil when it is the same as before.
  func noticeSize() -> InputEvent? {
    var (lines, columns): (Int32, Int32) = (0, 0)
    guard cn_window_size(STDOUT_FILENO, &lines, &columns) == 0 else { return nil }
    let before = size
    guard Int(lines) != before.height || Int(columns) != before.width else { return nil }
    resizeterm(lines, columns)
    shown = nil
    return .resize(size)
  }
}
