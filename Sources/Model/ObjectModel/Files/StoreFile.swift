package import Foundation

/// The file of a store that is read whole and written whole.
package struct StoreFile: Sendable {
  /// Its path.
  package let path: String

  package init(path: String) { self.path = path }

  /// What is another one after the file was written or replaced.
  package var stamp: FileStamp { FileStamp(path) }

  /// Why the file cannot be written, in words; nil if it can, or if there is none.
  package var readOnlyReason: String? {
    access(path.fileSystemBytes, W_OK) == 0 || errno == ENOENT
      ? nil : "the file cannot be written: \(String(cString: strerror(errno)))"
  }

  /// Reads how it begins; empty if it cannot be read.
  package func firstBytes(_ count: Int) -> Data {
    // A pipe would wait for somebody who writes to it.
    let file = open(path.fileSystemBytes, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return Data() }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let found = Glibc.read(file, &bytes, count)
    return Data(bytes.prefix(max(found, 0)))
  }

  /// Reads it.
  ///
  /// - Parameter limit: The most bytes that it may have.
  /// - Returns: Its contents.
  /// - Throws: ``StoreError`` if it cannot be read.
  package func read(atMost limit: Int = 2 << 30) throws(StoreError) -> Data {
    do throws(FileError) { return try contents(ofFile: path, atMost: limit) } catch {
      var failure = StoreError(error, doing: "opening")
      if [EISDIR, ENODEV].contains(error.code) {
        (failure.reason, failure.detail) = (.notAFile, "it is not a regular file")
      }
      // It is the limit of this program, not that of the system.
      if error.code == EFBIG { failure.remedy = "" }
      throw failure
    }
  }

  /// Creates it, with its contents; no file may be there.
  ///
  /// - Throws: ``StoreError`` if there is one, or it cannot be created.
  package func create(_ bytes: some Collection<UInt8>) throws(StoreError) {
    do throws(FileError) {
      let draft = try Draft(fileIn: OpenFolder(path: path.parentPath), mode: 0o666)
      try draft.write(bytes)
      try draft.commit(as: path.lastPathPart, replacing: false)
    } catch {
      throw StoreError(error, doing: "creating")
    }
  }

  /// Copies what was read of it to a file beside it, with the same owner and mode.
  ///
  /// - Parameter bytes: The contents.
  /// - Returns: The path of the copy: ``BackupName``.
  /// - Throws: ``StoreError`` if it cannot be made.
  package func backUp(_ bytes: some Collection<UInt8>) throws(StoreError) -> String {
    do throws(FileError) {
      let folder = try OpenFolder(path: path.parentPath)
      let draft = try Draft(fileIn: folder)
      try draft.write(bytes)
      if let status = folder.status(of: path.lastPathPart) {
        try draft.setAccess(FileAccess(status))
      }
      for name in BackupName.names(of: path.lastPathPart, Date())
      where folder.status(of: name) == nil {
        try draft.commit(as: name, replacing: false)
        return folder.path(of: name)
      }
      throw FileError(EEXIST, path)
    } catch {
      var failure = StoreError(error, doing: "backing up before saving")
      failure.remedy = "free space for a copy, make its directory writable, or use --no-backup"
      throw failure
    }
  }

  /// Replaces its contents: after a crash the old ones or the new ones are there.
  ///
  /// A link leads to the file that is replaced; owner and mode stay: ``FileTarget``.
  ///
  /// - Throws: ``StoreError``; the old contents are there then.
  package func write(_ bytes: some Collection<UInt8>) throws(StoreError) {
    do throws(FileError) {
      let target = try FileTarget(path: path)
      let draft = try target.makeDraft()
      try draft.write(bytes)
      try target.put(draft)
    } catch {
      var failure = StoreError(error, doing: "saving")
      if error.code == ESTALE { failure.reason = .replaced }
      throw failure
    }
  }

  /// Runs a closure while no other program that locks the file so (`flock`) writes it.
  ///
  /// - Parameters:
  ///   - timeout: How many seconds to wait for others.
  ///   - body: Reads and writes the file.
  /// - Returns: What the closure returns.
  /// - Throws: ``StoreError``: that of the closure, or the reason is `locked`.
  package func locked<Result>(
    timeout: Double = 5, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let end = ContinuousClock.now + .seconds(timeout)
    while true {
      let file = open(path.fileSystemBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else { throw StoreError(FileError(errno, path), doing: "saving") }
      // The lock is released with it.
      defer { close(file) }
      if flock(file, LOCK_EX | LOCK_NB) == 0 {
        var (held, found) = (Glibc.stat(), Glibc.stat())
        guard fstat(file, &held) == 0, stat(path.fileSystemBytes, &found) == 0 else {
          throw StoreError(FileError(errno, path), doing: "saving")
        }
        // Who had the lock may have put another file there.
        if held.st_ino == found.st_ino, held.st_dev == found.st_dev { return try body() }
      } else if errno != EWOULDBLOCK, errno != EINTR {
        // A file system without locks: the stamp tells who else has written.
        return try body()
      }
      guard .now < end else {
        throw StoreError(
          .locked, doing: "saving", subject: path,
          remedy: "close the other program, or try again when it has finished")
      }
      usleep(10_000)
    }
  }
}

/// The name of a copy of a store, beside it.
package enum BackupName {
  /// `Photos.backup-20240131-181500.sqlite`, and names for others of the same second.
  package static func names(of store: String, _ date: Date) -> some Sequence<String> {
    let url = URL(fileURLWithPath: store)
    let stem = url.deletingPathExtension().lastPathComponent + ".backup-" + stamp(date)
    let ending = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
    return (1...99).lazy.map { stem + ($0 == 1 ? "" : "-\($0)") + ending }
  }

  private static func stamp(_ date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    localtime_r(&seconds, &parts)
    var characters = [CChar](repeating: 0, count: 32)
    let count = strftime(&characters, characters.count, "%Y%m%d-%H%M%S", &parts)
    return String(decoding: characters.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
