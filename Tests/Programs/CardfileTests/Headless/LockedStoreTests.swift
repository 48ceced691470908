import Foundation
import TestSupport
import Testing

/// Stores that another program keeps locked.
struct LockedStoreTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  @Test func `a command says who holds the lock and how to read a copy, and reads one`() throws {
    let expected = try Program.run("count", store, "person").output
    let locks = try #require(FileLocks(.exclusive, of: store))
    let outcome = try Program.run("count", store, "person")
    #expect(outcome.status == 3 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("another program holds the database's lock"))
    #expect(outcome.errors.contains("try: --copy reads it as it was"))
    #expect(!outcome.errors.contains("SELECT") && !outcome.errors.contains("PRAGMA"))
    let copied = try Program.run("count", store, "person", "--copy")
    #expect(copied.status == 0 && copied.output == expected && locks.areHeld)
    for command in [["entities"], ["describe"], ["fetch", "person"], ["check"]] {
      let words = [command[0], store] + command.dropFirst() + ["--copy"]
      #expect(try Program.run(words).status == 0)
    }
  }

  @Test func `a deletion in a locked store names no copy`() throws {
    let locks = try #require(FileLocks(.exclusive, of: store))
    let outcome = try Program.run("delete", store, "person", "--where", "TRUEPREDICATE", "--yes")
    #expect(outcome.status != 0 && !outcome.errors.contains("--copy") && locks.areHeld)
    #expect(outcome.errors.contains("close the other program"))
  }
}
