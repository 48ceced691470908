import CNcurses
import Foundation
import Glibc
package import TerminalKit

/// The terminal that the program runs in, driven by ncurses.
///
/// ncurses has a single global screen, so create only one at a time. From ``init(_:)`` to
/// ``close()`` the terminal is restored whenever the program ends, also by a signal or a crash.
/// ncurses cannot show strikethrough; the other attributes and colours of such text remain.
package final class NcursesTerminal: Terminal {
  /// The options of the terminal.
  package struct Options: Hashable, Sendable {
    /// Whether to request mouse events; if not, the terminal's own text selection keeps working.
    package var usesMouse = true

    /// Creates the default options.
    package nonisolated init() {}
  }

  /// The capabilities of the terminal.
  package internal(set) var capabilities: TerminalCapabilities
  /// Wakes the event loop from any thread.
  package let waker: Waker

  let screen: UnsafeMutablePointer<WINDOW>
  /// The window that keys are read from; a pad, because reading from a normal window refreshes it.
  let input: UnsafeMutablePointer<WINDOW>
  let signals: SignalGuard
  private(set) var privateModes: PrivateModes
  private var isOpen = true
  /// Whether the program was stopped and then ended: the terminal is the shell's, and whoever sets
  /// its modes would be stopped again.
  private(set) var isLeft = false
  /// The canvas on the screen; nil if the whole screen must be redrawn.
  var shown: Canvas?
  var pairs = ColorPairs()
  var queue: [InputEvent] = []
  /// Input that was read ahead and belongs to the next event.
  var pushedBack: RawInput?
  var mouse = MouseDecoder()
  /// When the terminal was asked for its background; nil once it has answered.
  var backgroundAsked: Int?
  var hasEnded = false

  /// Opens the screen.
  ///
  /// - Throws: ``TerminalError`` if standard input or output is not a terminal, or `TERM` is not
  ///   set, unknown or without cursor addressing. The terminal is unchanged then.
  package init(_ options: Options = Options()) throws(TerminalError) {
    for (file, name) in [(STDIN_FILENO, "Standard input"), (STDOUT_FILENO, "Standard output")] {
      guard isatty(file) == 1 else { throw TerminalError(reason: .notATerminal(name)) }
    }
    let type = Capabilities.environment("TERM") ?? ""
    guard !type.isEmpty else { throw TerminalError(reason: .termNotSet) }
    setlocale(LC_CTYPE, "")
    signals = try SignalGuard()
    guard cn_open() != nil, let screen = cn_screen(), let input = newpad(1, 1) else {
      throw TerminalError(
        reason: cn_knows_type() == 0 ? .unknownType(type) : .system(call: "newterm", code: ENOMEM))
    }
    guard cn_capability("cup") != nil else {
      endwin()
      throw TerminalError(reason: .noCursorAddressing(type))
    }
    (self.screen, self.input) = (screen, input)
    let found = Capabilities()
    capabilities = TerminalCapabilities(
      colorSupport: found.colorSupport, isUnicode: found.isUnicode)
    privateModes = PrivateModes(
      areSupported: found.isLikeXterm, reportsMouse: options.usesMouse)
    let wakeEnd = signals.writeEnd
    waker = Waker {
      var byte: UInt8 = 0
      _ = write(wakeEnd, &byte, 1)
    }
    setUp()
    signals.arm(restoring: restoreBytes)
    send(privateModes.on)
    // The console of Linux has a mouse too, but no colours to tell.
    if found.isLikeXterm, found.colorSupport > .none, type != "linux" { askForBackground() }
  }

  private func setUp() {
    raw()
    noecho()
    nonl()
    set_escdelay(25)
    keypad(input, true)
    nodelay(input, true)
    intrflush(input, false)
    // Finish sending a frame even if keys are waiting.
    typeahead(-1)
    define_key("\u{1B}[200~", RawInput.pasteBegin)
    define_key("\u{1B}[201~", RawInput.pasteEnd)
    // The mouse is decoded in MouseReport, whichever form terminfo names.
    define_key(nil, KEY_MOUSE)
  }

  /// The escape sequences that restore the terminal where ncurses must not be called, such as in a
  /// signal handler.
  private var restoreBytes: [UInt8] {
    privateModes.off + ["sgr0", "rmkx", "cnorm", "rmcup"].flatMap { Capabilities.bytes($0) }
      + Array("\r".utf8)
  }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      // If the terminal is gone, SIGHUP arrives separately.
      guard count > 0 || errno == EINTR || errno == EAGAIN else { return }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Turns the reports of the mouse on or off; without them the terminal selects text as usual.
  package func reportMouse(_ isOn: Bool) { send(privateModes.reportMouse(isOn)) }

  /// Restores the terminal; further calls do nothing.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    if !isLeft {
      awaitBackground()
      send(privateModes.off)
      endwin()
    }
    signals.disarm(hasTerminal: !isLeft)
  }

  /// Returns the terminal to the shell and stops the process, as Ctrl-Z does, until it is resumed.
  package func suspend() {
    awaitBackground()
    send(privateModes.off)
    endwin()
    guard let ending = signals.stop() else { return resume() }
    isLeft = true
    queue.append(ending == SIGHUP ? .hangup : .terminate)
  }

  /// Gives the terminal to another program and waits until it ends.
  ///
  /// - Parameter command: The program's path or name, and its arguments.
  /// - Returns: Its exit status; 128 plus the number of the signal that ended it, 127 if it cannot
  ///   be started.
  package func run(_ command: [String]) -> Int32 {
    awaitBackground()
    send(privateModes.off)
    endwin()
    defer { resume() }
    return signals.run(command)
  }

  /// Takes over the terminal again after the process was stopped.
  func resume() {
    guard !isLeft else { return }
    resetModes()
    send(privateModes.on)
    shown = nil
    queue.removeAll { $0 == .resumed }
    queue.append(.resumed)
    if let event = updateSize() { queue.append(event) }
  }

  private func resetModes() {
    reset_prog_mode()
    clearok(screen, true)
    wrefresh(screen)
  }

  /// Puts text on the clipboard with the escape sequence OSC 52.
  ///
  /// - Parameter text: At most `longestTerminalCopy` bytes.
  /// - Returns: Whether it was sent.
  package func copy(_ text: String) -> Bool {
    guard privateModes.areSupported, text.utf8.count <= longestTerminalCopy else { return false }
    send(Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}".utf8))
    return true
  }

  /// Makes the next ``show(_:cursor:)`` redraw the whole screen.
  package func redraw() {
    shown = nil
  }

  /// The current size of the screen.
  package var size: Size {
    Size(width: Int(getmaxx(screen)), height: Int(getmaxy(screen)))
  }

  /// Resizes the screen to the terminal's current size and returns the event; nil if unchanged.
  func updateSize() -> InputEvent? {
    var (lines, columns): (Int32, Int32) = (0, 0)
    guard cn_window_size(STDOUT_FILENO, &lines, &columns) == 0 else { return nil }
    let before = size
    guard Int(lines) != before.height || Int(columns) != before.width else { return nil }
    resizeterm(lines, columns)
    shown = nil
    return .resize(size)
  }
}
