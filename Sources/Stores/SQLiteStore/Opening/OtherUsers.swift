import CSQLite
import Foundation
import ObjectModel

/// The other processes that have a database open.
struct OtherUsers: Hashable {
  /// A process that has the database or one of its journals open.
  struct Process: Hashable {
    /// The process ID.
    let number: Int32
    /// The name of the program; empty if unknown.
    let name: String
  }

  /// The processes that can be identified, ordered by process ID.
  let processes: [Process]
  /// Whether the database is locked but none of the processes can be identified, because they
  /// belong to another user, container or machine.
  let hasUnknown: Bool

  /// Finds the processes by their open files and their locks.
  ///
  /// - Parameter path: The canonical path of the database.
  /// - Complexity: Reads all open file descriptors of the user's processes in `/proc`.
  init(of path: String) {
    let files = ["", "-wal", "-shm", "-journal"].compactMap { FileIdentity(path: path + $0) }
    let lockers = ["", "-shm"].flatMap { Self.lockers(of: path + $0) }
    var numbers = Set(lockers.filter { $0 > 0 })
    for number in Self.numbers(in: "/proc") where number != getpid() {
      let isUser = Self.numbers(in: "/proc/\(number)/fd").contains { descriptor in
        FileIdentity(path: "/proc/\(number)/fd/\(descriptor)").map(files.contains) ?? false
      }
      if isUser { numbers.insert(number) }
    }
    processes = numbers.sorted().map { Process(number: $0, name: Self.name(of: $0)) }
    hasUnknown = lockers.contains { $0 <= 0 } && processes.isEmpty
  }

  /// The processes that can be identified, as “firefox (process 812)”.
  var names: [String] {
    processes.map { process in
      let name = process.name.isEmpty ? "another program" : process.name
      return "\(name) (process \(process.number))"
    }
  }

  /// Returns the IDs of the processes that hold locks on a file; 0 or less for unknown processes.
  private static func lockers(of path: String) -> [Int32] {
    guard let identity = FileIdentity(path: path) else { return [] }
    // Closing any descriptor of a file releases all POSIX locks of this process on it, so use a
    // descriptor that is already open if there is one.
    let existing = numbers(in: "/proc/self/fd").first { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
    }
    let descriptor = existing ?? open(path.fileSystemBytes, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { if existing == nil { close(descriptor) } }
    var lockers: [Int32] = []
    var offset = 0 as off_t
    // F_GETLK reports one lock at a time: continue after it.
    for _ in 0..<1_000 {
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = offset
      guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { break }
      lockers.append(lock.l_pid)
      guard lock.l_len > 0, lock.l_start + lock.l_len > offset else { break }
      offset = lock.l_start + lock.l_len
    }
    return lockers
  }

  private static func numbers(in folder: String) -> [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int32($0) }
  }

  private static func name(of process: Int32) -> String {
    let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    return name?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
  }
}

extension SQLiteStore {
  /// Returns a warning for each other process that has the store open.
  ///
  /// Show them before the first save: an app that has the store open keeps old values in memory
  /// until it refetches them.
  ///
  /// - Returns: One sentence per process; empty if there are none. Processes of other users are
  ///   detected only by their locks.
  /// - Complexity: Reads the open file descriptors of all the user's processes: some milliseconds.
  package func warningsBeforeWriting() -> [String] {
    let users = OtherUsers(of: guardian.path)
    var warnings = users.names.map { "The store is open in \($0)." }
    if users.hasUnknown { warnings.append("The store is open in another program.") }
    return warnings
  }
}
