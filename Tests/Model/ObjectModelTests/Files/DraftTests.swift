import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import ObjectModel

/// Files that are created under a name of their own.
struct DraftTests {
  private let files: TemporaryFolder
  private let folder: OpenFolder

  init() throws {
    files = try TemporaryFolder()
    folder = try OpenFolder(path: files.url.path)
  }

  private var names: [String] { folder.names().sorted() }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: files.path(name), encoding: .utf8)
  }

  private func mode(_ name: String) -> UInt32? {
    folder.status(of: name).map { $0.st_mode & 0o777 }
  }

  @Test func `a draft is this user's alone, and has its name only when it is complete`() throws {
    let draft = try Draft(fileIn: folder)
    try draft.write(Array("whole".utf8))
    let name = try #require(names.first)
    #expect(names.count == 1 && name.hasPrefix(".cardfile-") && name.hasSuffix(".part"))
    #expect(mode(name) == 0o600)
    try draft.commit(as: "file", replacing: false)
    #expect(names == ["file"] && text("file") == "whole")
  }

  private final class Flag: Sendable {
    let isDone = Atomic(false)
  }

  @Test func `a new draft stays while others remove abandoned ones`() async throws {
    let path = files.url.path
    let flag = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !flag.isDone.load(ordering: .relaxed) {
          try OpenFolder(path: path).removeAbandonedDrafts()
        }
      }
      defer { flag.isDone.store(true, ordering: .relaxed) }
      for _ in 0..<100 {
        let drafts = try (0..<20).map { _ in try Draft(folderIn: folder) }
        for draft in drafts {
          #expect(folder.has(draft.descriptor, named: draft.path.lastPathPart))
        }
      }
    }
  }

  @Test func `a draft that is not committed is removed`() throws {
    do {
      let draft = try Draft(fileIn: folder)
      let inner = try Draft(folderIn: folder)
      _ = try inner.contents.makeFolder(named: "a", access: nil)
      try draft.write([1, 2] as [UInt8])
      #expect(names.count == 2)
    }
    #expect(names == [])
  }

  @Test func `what has the name stays, unless it is to be replaced`() throws {
    try Data("old".utf8).write(to: files.url("file"))
    let draft = try Draft(fileIn: folder)
    #expect { try draft.commit(as: "file", replacing: false) } throws: {
      ($0 as? FileError)?.code == EEXIST
    }
    #expect(text("file") == "old")
    try draft.commit(as: "file", replacing: true)
    #expect(text("file") == "" && names == ["file"])
  }

  @Test func `a draft whose name leads elsewhere meanwhile gets no other name`() throws {
    try Data("theirs".utf8).write(to: files.url("target"))
    let draft = try Draft(fileIn: folder)
    let name = try #require(names.first { $0 != "target" })
    try draft.write(Array("ours".utf8))
    unlink(files.path(name))
    symlink(files.path("target"), files.path(name))
    try draft.setAccess(FileAccess(try #require(folder.status(of: "target"))))
    #expect { try draft.commit(as: "file", replacing: true) } throws: {
      ($0 as? FileError)?.code == ESTALE
    }
    draft.removeName()
    #expect(names == [name, "target"].sorted() && text("target") == "theirs")
  }

  @Test func `drafts of processes that are gone are removed, all else stays`() throws {
    let living = try Draft(fileIn: folder)
    try Data().write(to: files.url(".cardfile-1.part"))
    try FileManager.default.createDirectory(
      at: files.url(".cardfile-2.part/inner"), withIntermediateDirectories: true)
    try Data("kept".utf8).write(to: files.url("kept"))
    symlink(files.path("kept"), files.path(".cardfile-2.part/inner/link"))
    symlink(files.url.path, files.path(".cardfile-2.part/inner/up"))
    symlink(files.path("kept"), files.path(".cardfile-3.part"))
    mkfifo(files.path(".cardfile-4.part"), 0o600)
    try Data().write(to: files.url(".cardfile-5"))
    let other = try OpenFolder(path: files.url.path)
    other.removeAbandonedDrafts()
    #expect(
      Set(names)
        == [
          living.path.lastPathPart, "kept", ".cardfile-3.part", ".cardfile-4.part", ".cardfile-5",
        ])
    #expect(text("kept") == "kept")
  }

  @Test(arguments: [0o000, 0o022, 0o077] as [mode_t])
  func `an access never goes beyond that of the file it is taken from`(umask mask: mode_t)
    async throws
  {
    try Data().write(to: files.url("store"))
    chmod(files.path("store"), 0o640)
    // A process has one umask: another process has this one.
    await #expect(processExitsWith: .success) {
      [path = files.url.path as String, mask = mask as mode_t] in
      umask(mask)
      let folder = try OpenFolder(path: path)
      let access = FileAccess(try #require(folder.status(of: "store")))
      let draft = try Draft(fileIn: folder)
      try draft.setAccess(access)
      try draft.commit(as: "copy", replacing: false)
      _ = try folder.makeFolder(named: "folder", access: access.ofFolder)
    }
    #expect(mode("copy") == 0o640 && mode("folder") == 0o750)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func
    `a link of another user is followed only to what is that user's`() throws
  {
    chmod(files.url.path, 0o755)
    for (name, owner) in [("theirs", 65534), ("ours", 0)] as [(String, uid_t)] {
      mkdir(files.path(name), 0o755)
      chown(files.path(name), owner, owner)
      symlink(files.path(name), files.path("link to \(name)"))
      lchown(files.path("link to \(name)"), 65534, 65534)
    }
    // In a folder that only this user can change, links are this user's doing.
    #expect(try folder.folder(named: "link to ours") != nil)
    chown(files.url.path, 65534, 65534)
    #expect(throws: FileError.self) { try folder.folder(named: "link to ours") }
    #expect(try folder.folder(named: "link to theirs") != nil)
    #expect(throws: FileError.self) {
      try folder.folder(named: "link to theirs", followingLink: false)
    }
    #expect(try folder.folder(named: "nothing") == nil)
  }

  @Test(arguments: [("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("/a/b/", "/a", "b")])
  func `a path has a folder and a name`(path: String, parent: String, name: String) {
    #expect(path.parentPath == parent && path.lastPathPart == name)
  }
}

/// Where a person wants a file.
struct FileTargetTests {
  private let files: TemporaryFolder

  init() throws { files = try TemporaryFolder() }

  private func write(_ text: String, to name: String) throws {
    let target = try FileTarget(path: files.path(name))
    let draft = try target.makeDraft()
    try draft.write(Array(text.utf8))
    try target.put(draft)
  }

  private func status(_ name: String) -> stat {
    var status = stat()
    lstat(files.path(name), &status)
    return status
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: files.path(name), encoding: .utf8)
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o400, 0o666] as [mode_t])
  func `an existing file keeps its mode`(mode: mode_t) throws {
    try Data("old".utf8).write(to: files.url("file"))
    chmod(files.path("file"), mode | 0o200)
    try write("new", to: "file")
    #expect(text("file") == "new" && status("file").st_mode & 0o777 == mode | 0o200)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func `an existing file keeps its owner`() throws {
    try Data("old".utf8).write(to: files.url("file"))
    chmod(files.path("file"), 0o600)
    chown(files.path("file"), 65534, 65533)
    try write("new", to: "file")
    let status = status("file")
    #expect(text("file") == "new" && status.st_mode & 0o777 == 0o600)
    #expect(status.st_uid == 65534 && status.st_gid == 65533)
  }

  @Test func `a link, also one of several and one to nothing, leads to the file that is written`()
    throws
  {
    symlink("there", files.path("link"))
    symlink(files.path("link"), files.path("other"))
    try write("first", to: "other")
    #expect(text("there") == "first")
    try write("second", to: "link")
    #expect(text("there") == "second")
    for name in ["link", "other"] { #expect(status(name).st_mode & S_IFMT == S_IFLNK) }
    symlink("loop", files.path("loop"))
    #expect { try write("", to: "loop") } throws: { ($0 as? FileError)?.code == ELOOP }
  }

  @Test func `a file with two names has the same contents under both`() throws {
    try Data("old text".utf8).write(to: files.url("file"))
    link(files.path("file"), files.path("name"))
    try write("new", to: "file")
    #expect(text("name") == "new" && status("name").st_nlink == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.url.path).count == 2)
  }

  @Test func `pipes, devices and folders are no places for files`() throws {
    mkfifo(files.path("pipe"), 0o600)
    symlink("/dev/null", files.path("null"))
    mkdir(files.path("folder"), 0o700)
    let occupants = try ["pipe", "null", "folder", "folder/", "nothing"].map {
      try FileTarget(path: files.url.path + "/" + $0).occupant
    }
    #expect(occupants == [.other("a pipe"), .other("a device"), .folder, .folder, .nothing])
  }

  @Test func `a file that has come there meanwhile stays`() throws {
    let target = try FileTarget(path: files.path("file"))
    let draft = try target.makeDraft()
    try Data("theirs".utf8).write(to: files.url("file"))
    #expect { try target.put(draft) } throws: { ($0 as? FileError)?.code == EEXIST }
    #expect(text("file") == "theirs")
  }
}
