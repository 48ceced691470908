import CSQLite
import Foundation

/// The other processes that have a database open.
struct OtherUsers: Hashable {
  /// A process that has the database or one of its journals open.
  struct Process: Hashable {
    let number: Int32
    /// Its name; empty when the system does not tell.
    let name: String
  }

  /// Those that can be told, by number.
  let processes: [Process]
  /// Whether somebody holds a lock who is not among them: a process of another user, container or machine.
  let hasUnknown: Bool

  /// Looks who has a database open.
  ///
  /// - Parameter path: Its canonical path.
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

  /// The processes whose locks on a file keep others from locking it; 0 or less for one that cannot be told.
  private static func lockers(of path: String) -> [Int32] {
    guard let identity = FileIdentity(path: path) else { return [] }
    // Closing any descriptor of a file gives up all locks of the process on it: one that is open is used.
    let existing = numbers(in: "/proc/self/fd").first { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0 && FileIdentity(status) == identity
    }
    let descriptor = existing ?? open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { if existing == nil { close(descriptor) } }
    var lockers: [Int32] = []
    var place = 0 as off_t
    // One lock is told at a time: the search goes on behind it.
    for _ in 0..<1_000 {
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = place
      guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { break }
      lockers.append(lock.l_pid)
      guard lock.l_len > 0, lock.l_start + lock.l_len > place else { break }
      place = lock.l_start + lock.l_len
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
