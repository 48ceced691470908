import Foundation

/// The program on a terminal of its own, as a person would have it.
///
/// The child is spawned into a session of its own and opens the terminal itself, so it is its
/// controlling terminal: resizes and hangups reach it as they would from a real one.
final class PseudoTerminal {
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// How the program ended.
  enum Ending: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  private(set) var screen: ScreenReader
  let processIdentifier: pid_t
  private var master: Int32 = -1
  private var slave: Int32 = -1
  private var ending: Ending?

  /// How long a screen may take to come, on a machine that is busy with other things.
  private static let patience: TimeInterval = 20

  /// Runs the program with arguments.
  convenience init(
    _ arguments: String..., columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws {
    try self.init(
      arguments: arguments, columns: columns, rows: rows, environment: environment)
  }

  /// Runs the program with a list of arguments.
  convenience init(
    arguments: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws {
    try self.init(
      [Program.url.path] + arguments, columns: columns, rows: rows, environment: environment)
  }

  /// Runs an example program, which lies beside the program.
  convenience init(
    example: String, _ arguments: String..., columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:]
  ) throws {
    let url = Program.url.deletingLastPathComponent().appendingPathComponent(example)
    try self.init(
      [url.path] + arguments, columns: columns, rows: rows, environment: environment)
  }

  /// Runs a line of a shell with job control, in which `$CARDFILE` is the program.
  convenience init(shell script: String, columns: Int = 80) throws {
    try self.init(
      ["/bin/bash", "-mc", script], columns: columns, rows: 24,
      environment: ["CARDFILE": Program.url.path])
  }

  private init(_ command: [String], columns: Int, rows: Int, environment: [String: String]) throws {
    screen = ScreenReader(columns: columns, rows: rows)
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    // Tests run at the same time, and `ttyname` has one buffer for all.
    var name = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard openpty(&master, &slave, nil, nil, &size) == 0, ttyname_r(slave, &name, name.count) == 0
    else {
      throw Problem(description: "No pseudo terminal: \(String(cString: strerror(errno))).")
    }
    var variables = Program.environment
    variables["TERM"] = "vt100"
    variables["ESCDELAY"] = "25"
    variables.merge(environment) { $1 }
    processIdentifier = try Self.spawn(
      command, terminal: name,
      environment: variables.map { "\($0)=\($1)" })
  }

  deinit {
    if ending == nil {
      kill(processIdentifier, SIGKILL)
      var status: Int32 = 0
      waitpid(processIdentifier, &status, 0)
    }
    hangUp()
    if slave >= 0 { close(slave) }
  }

  private static func spawn(
    _ command: [String], terminal: [CChar], environment: [String]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    // Also the files that other tests have open at this moment: the program says of a store that
    // whoever has inherited it has it open.
    for descriptor in 3..<1024 { posix_spawn_file_actions_addclose(&actions, Int32(descriptor)) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The test runs on a thread that holds signals back, and a child would inherit that.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // POSIX_SPAWN_SETSID is not in Glibc's module.
    posix_spawnattr_setflags(&attributes, Int16(0x80 | POSIX_SPAWN_SETSIGMASK))

    func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
      texts.map { strdup($0) } + [nil]
    }
    let (argv, envp) = (pointers(command), pointers(environment))
    defer { for text in argv + envp { free(text) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, command[0], &actions, &attributes, argv, envp)
    guard code == 0 else {
      throw Problem(description: "Not started: \(String(cString: strerror(code))).")
    }
    return child
  }

  /// Types keys.
  func type(_ keys: String) { type(bytes: Array(keys.utf8)) }

  /// Sends bytes that need not be text.
  func type(bytes: [UInt8]) {
    var bytes = bytes
    while !bytes.isEmpty {
      let count = write(master, bytes, bytes.count)
      guard count > 0 else { return }
      bytes.removeFirst(count)
    }
  }

  /// Reads what the program writes until the screen is as wanted.
  ///
  /// - Returns: Whether it came so far; if not, the program ended or took too long.
  func waitFor(_ isWanted: (ScreenReader) -> Bool) -> Bool {
    let deadline = Date().addingTimeInterval(Self.patience)
    while !isWanted(screen) {
      guard Date() < deadline, readMore() || !hasEnded() || readMore() else {
        return isWanted(screen)
      }
    }
    return true
  }

  func waitFor(_ text: String) -> Bool { waitFor { $0.text.contains(text) } }

  /// Types a key again and again until the screen is as wanted: what is typed too early is dropped
  /// by design.
  func type(_ key: String, until isWanted: (ScreenReader) -> Bool) -> Bool {
    let deadline = Date().addingTimeInterval(Self.patience)
    while !isWanted(screen), Date() < deadline {
      type(key)
      let pause = Date().addingTimeInterval(0.5)
      while !isWanted(screen), Date() < pause { _ = readMore() }
    }
    return isWanted(screen)
  }

  /// Waits until the program has ended.
  ///
  /// - Returns: How it ended; nil when it took too long.
  func waitForEnd() -> Ending? {
    let deadline = Date().addingTimeInterval(Self.patience)
    while !hasEnded(), Date() < deadline { _ = readMore() }
    while readMore() {}
    return ending
  }

  func resize(columns: Int, rows: Int) {
    screen.resize(columns: columns, rows: rows)
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func send(_ signal: Int32) { kill(processIdentifier, signal) }

  /// Takes the terminal away, as closing its window does.
  func hangUp() {
    if master >= 0 { close(master) }
    master = -1
  }

  /// Whether lines are edited and echoed by the terminal, as a shell expects to find it.
  var isInLineMode: Bool {
    var modes = termios()
    guard tcgetattr(slave, &modes) == 0 else { return false }
    let wanted = tcflag_t(ICANON | ECHO | ISIG)
    return modes.c_lflag & wanted == wanted
  }

  /// Reads what is there, or waits a little for it.
  private func readMore() -> Bool {
    guard master >= 0 else { return false }
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 50) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    screen.read(buffer[..<count])
    return true
  }

  private func hasEnded() -> Bool {
    if ending != nil { return true }
    var status: Int32 = 0
    guard waitpid(processIdentifier, &status, WNOHANG) == processIdentifier else { return false }
    ending = status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
    return true
  }
}
