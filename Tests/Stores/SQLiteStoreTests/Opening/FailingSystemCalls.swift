// Both have SQLite's structures, and the compiler may find their members in either.
import CSQLite
import Foundation
import GRDBSQLite
import Synchronization

/// System calls of SQLite that fail for a file whose name says so: `fails-open-13-…` cannot be
/// opened (`EACCES`), `fails-pread-5-…` not be read (`EIO`).
enum FailingSystemCalls {
  private typealias Open =
    @Sendable @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32
  private typealias Read =
    @Sendable @convention(c) (Int32, UnsafeMutableRawPointer?, Int, Int64) -> Int

  private static let opening = original("open").map { unsafeBitCast($0, to: Open.self) }
  private static let reading = (original("pread64") ?? original("pread"))
    .map { unsafeBitCast($0, to: Read.self) }
  /// The errors of descriptors that cannot be read.
  private static let unreadable = Mutex<[Int32: Int32]>([:])

  /// Lets the calls fail from now on, in the whole process.
  static let areInstalled: Bool = {
    guard let vfs = sqlite3_vfs_find(nil), opening != nil, reading != nil else { return false }
    let failingOpen: Open = { path, flags, mode in
      let name = path.map { String(cString: $0) } ?? ""
      if let code = FailingSystemCalls.code(in: name, of: "open") {
        errno = code
        return -1
      }
      let descriptor = FailingSystemCalls.opening?(path, flags, mode) ?? -1
      FailingSystemCalls.unreadable.withLock {
        $0[descriptor] = FailingSystemCalls.code(in: name, of: "pread")
      }
      return descriptor
    }
    let failingRead: Read = { descriptor, bytes, count, offset in
      if let code = FailingSystemCalls.unreadable.withLock({ $0[descriptor] }) {
        errno = code
        return -1
      }
      return FailingSystemCalls.reading?(descriptor, bytes, count, offset) ?? -1
    }
    func set(_ name: String, _ call: sqlite3_syscall_ptr) -> Bool {
      vfs.pointee.xSetSystemCall(vfs, name, call) == SQLITE_OK
    }
    let isOpenSet = set("open", unsafeBitCast(failingOpen, to: sqlite3_syscall_ptr.self))
    let isReadSet = ["pread", "pread64"].filter { original($0) != nil }
      .allSatisfy { set($0, unsafeBitCast(failingRead, to: sqlite3_syscall_ptr.self)) }
    return isOpenSet && isReadSet
  }()

  private static func original(_ name: String) -> sqlite3_syscall_ptr? {
    guard let vfs = sqlite3_vfs_find(nil) else { return nil }
    return vfs.pointee.xGetSystemCall(vfs, name)
  }

  /// The error that a write-ahead log's name asks for.
  private static func code(in path: String, of call: String) -> Int32? {
    guard path.hasSuffix("-wal"), let start = path.firstRange(of: "fails-\(call)-") else {
      return nil
    }
    return Int32(path[start.upperBound...].prefix(while: \.isNumber))
  }
}
