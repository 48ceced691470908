import CNcurses
import Glibc
package import TerminalKit

extension NcursesTerminal {
  /// Waits for the next event: a key, the mouse, a signal, or a call to ``waker``.
  ///
  /// - Parameter timeoutMilliseconds: The longest time to wait; 0 does not wait, nil waits forever.
  /// - Returns: Nil if the time is up.
  package func nextEvent(timeoutMilliseconds: Int?) -> InputEvent? {
    let deadline = timeoutMilliseconds.map { milliseconds() + max($0, 0) }
    while true {
      if !queue.isEmpty { return queue.removeFirst() }
      if hasEnded { return .endOfInput }
      // ncurses may have buffered keys that poll cannot see.
      if let event = readEvent() { return event }
      if !queue.isEmpty { continue }
      var files = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.readEnd, events: Int16(POLLIN), revents: 0),
      ]
      let left = deadline.map { min(max($0 - milliseconds(), 0), Int(Int32.max)) }
      let ready = poll(&files, nfds_t(files.count), Int32(left ?? -1))
      if ready > 0 {
        if files[1].revents != 0 { handleSignals() }
        if files[0].revents != 0, cn_waiting_bytes(STDIN_FILENO) <= 0 { hasEnded = true }
      } else if let deadline, milliseconds() >= deadline {
        return nil
      }
    }
  }

  /// Discards the keys, mouse events and pastes received so far; signals and wakes are kept.
  package func flushTypeAhead() {
    pushedBack = nil
    flushinp()
    queue.removeAll { event in
      switch event {
      case .key, .mouse, .paste: true
      default: false
      }
    }
  }

  /// Reads what has arrived, and returns whether any of it stops long work.
  package func isStopRequested() -> Bool {
    var file = pollfd(fd: signals.readEnd, events: Int16(POLLIN), revents: 0)
    if poll(&file, 1, 0) > 0 { handleSignals() }
    while !hasEnded, let event = readEvent() { queue.append(event) }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    if poll(&input, 1, 0) > 0, cn_waiting_bytes(STDIN_FILENO) <= 0 { hasEnded = true }
    return hasEnded || queue.contains(where: \.stopsWork)
  }

  private func handleSignals() {
    for number in Set(signals.read()).sorted() {
      switch number {
      case 0: if waker.acknowledge() { queue.append(.wake) }
      case SIGTERM: queue.append(.terminate)
      case SIGINT: queue.append(.interrupt)
      case SIGHUP: queue.append(.hangup)
      case SIGWINCH: if let event = updateSize() { queue.append(event) }
      case SIGTSTP: suspend()
      case SIGCONT: resume()
      default: break
      }
    }
  }

  func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  // MARK: Reading

  func readRaw() -> RawInput? {
    if let pushedBack {
      self.pushedBack = nil
      return pushedBack
    }
    var value: wint_t = 0
    switch wget_wch(input, &value) {
    case OK: return Unicode.Scalar(UInt32(value)).map { .scalar($0) } ?? .scalar("\u{FFFD}")
    case KEY_CODE_YES: return .code(Int32(truncatingIfNeeded: value))
    default: return nil
    }
  }

  /// Returns the next event from input that has already arrived; nil if there is none.
  func readEvent() -> InputEvent? {
    while let raw = readRaw() {
      switch raw {
      case .scalar(let scalar): if let event = event(of: scalar) { return event }
      case .code(RawInput.pasteBegin): return .paste(readPaste())
      case .code(KEY_RESIZE): if let event = updateSize() { return event }
      case .code(let code): if let key = RawInput.key(ofCode: code) { return .key(key) }
      }
    }
    return nil
  }

  private func event(of scalar: Unicode.Scalar) -> InputEvent? {
    if scalar == "\u{1B}" { return eventAfterEscape() }
    return .key(RawInput.key(ofControl: scalar) ?? .character(grapheme(from: scalar)))
  }

  /// Returns the event for input that starts with ESC: Escape, Meta with a character that arrived
  /// right after it, or a sequence; nil for an unknown sequence.
  private func eventAfterEscape() -> InputEvent? {
    switch readRaw() {
    case nil: return .key(.escape)
    case .scalar(let scalar) where scalar == "[" || scalar == "O": return readSequence(scalar)
    case .scalar("]"): return readReport()
    case .scalar("\u{1B}"):
      pushedBack = .scalar("\u{1B}")
      return .key(.escape)
    case .scalar(let scalar):
      if scalar.value == 0x7F { return .key(.meta("\u{7F}")) }
      return .key(RawInput.key(ofControl: scalar) ?? .meta(grapheme(from: scalar)))
    case .code(let code):
      pushedBack = .code(code)
      return .key(.escape)
    }
  }

  /// Reads the combining marks that arrived together with a character.
  private func grapheme(from first: Unicode.Scalar) -> Character {
    var text = String(first)
    while text.unicodeScalars.count < 32, case .scalar(let next)? = peek() {
      var longer = text
      longer.unicodeScalars.append(next)
      guard next.value >= 0x300, longer.count == 1 else { break }
      text = longer
      pushedBack = nil
    }
    return text.first ?? " "
  }

  private func peek() -> RawInput? {
    if pushedBack == nil { pushedBack = readRaw() }
    return pushedBack
  }

  /// Reads the text of a bracketed paste, truncated to 1 MiB.
  private func readPaste() -> String {
    let most = 1 << 20
    var text = ""
    while true {
      switch readRaw() {
      case .scalar(let scalar):
        // Read the rest of a longer paste too, so that it is not taken for key presses.
        if text.utf8.count < most { text.unicodeScalars.append(scalar) }
      case .code(RawInput.pasteEnd): return RawInput.pastedText(text)
      case .code: continue
      case nil:
        var file = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // If nothing arrives for a second, the end of the paste was lost.
        guard poll(&file, 1, 1000) > 0, cn_waiting_bytes(STDIN_FILENO) > 0 else {
          return RawInput.pastedText(text)
        }
      }
    }
  }
}
