import Glibc

/// Rows of values in a temporary file that has no name; the last ones are in memory until there are
/// many.
///
/// They are read fastest in the order in which they were added.
final class SpilledRows {
  private var descriptor: Int32 = -1
  /// How many bytes are in the file.
  private var fileSize = 0
  /// The rows that are not in the file yet.
  private var pending: [UInt8] = []
  /// A part of the file that was read.
  private var window: [UInt8] = []
  private var windowStart = 0
  /// Rows that cannot be packed.
  private var others: [Int: RowValues] = [:]
  private let folder: String

  private static let partSize = 1 << 20
  private static let lengthSize = MemoryLayout<UInt32>.size

  /// - Parameter folder: The folder of the file; nil for that of temporary files.
  init(in folder: String? = nil) {
    self.folder = folder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Adds a row.
  ///
  /// - Returns: Where it is.
  func add(_ values: [Value]) throws(FileError) -> Int {
    let place = fileSize + pending.count
    var packer = RowPacker(count: values.count)
    var isStored = true
    for value in values {
      if value.withStoredField({ packer.append($0) }) == nil {
        isStored = false
        packer.append(.null)
      }
    }
    let row = packer.finish()
    let start = pending.count
    pending.append(contentsOf: [UInt8](repeating: 0, count: Self.lengthSize))
    if isStored, let packed = row.packed {
      packed.append(to: &pending)
    } else {
      others[place] = RowValues(values)
    }
    let length = UInt32(pending.count - start - Self.lengthSize)
    withUnsafeBytes(of: length) {
      pending.replaceSubrange(start..<start + Self.lengthSize, with: $0)
    }
    if pending.count >= Self.partSize { try write() }
    return place
  }

  private func write() throws(FileError) {
    if descriptor < 0 {
      var name = Array((folder + "/cardfile-XXXXXX").utf8CString)
      descriptor = mkstemp(&name)
      guard descriptor >= 0 else { throw FileError(errno, folder) }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      unlink(&name)
    }
    guard pending.withUnsafeBytes({ writeAll($0, to: descriptor) }) else {
      throw FileError(errno, folder)
    }
    fileSize += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  /// The row at an offset.
  func row(at place: Int) throws(FileError) -> RowValues {
    if let row = others[place] { return row }
    if place >= fileSize { return Self.row(pending, place - fileSize) }
    let length = try length(at: place)
    try read(place, Self.lengthSize + length)
    return Self.row(window, place - windowStart)
  }

  private func length(at place: Int) throws(FileError) -> Int {
    try read(place, Self.lengthSize)
    return Self.length(window, place - windowStart)
  }

  /// Sees to it that bytes of the file are in the window.
  private func read(_ start: Int, _ count: Int) throws(FileError) {
    if start >= windowStart, start + count <= windowStart + window.count { return }
    let wanted = min(max(count, Self.partSize / 16), fileSize - start)
    if window.count != wanted { window = [UInt8](repeating: 0, count: wanted) }
    var done = 0
    while done < wanted {
      let result = window.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress?.advanced(by: done), wanted - done, start + done)
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw FileError(result == 0 ? EIO : errno, folder) }
      done += result
    }
    windowStart = start
  }

  private static func length(_ bytes: [UInt8], _ start: Int) -> Int {
    bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: start, as: UInt32.self)) }
  }

  private static func row(_ bytes: [UInt8], _ start: Int) -> RowValues {
    let first = start + lengthSize
    return RowValues(PackedValues(copying: bytes[first..<first + length(bytes, start)]))
  }
}
