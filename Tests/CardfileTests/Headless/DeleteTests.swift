import Testing

struct DeleteTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  private func names(_ table: String) throws -> [String] {
    try Database.strings(store, "SELECT name FROM \(table) ORDER BY id")
  }

  @Test func `a dry run prints what would be deleted and writes nothing`() throws {
    let outcome = try Program.run("delete", store, "person", "--where", "id = 2", "--dry-run")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Björn"))
    #expect(outcome.output.contains("cascade"))
    #expect(try names("person") == ["Ana", "Björn", "zoe", "Émile"])
    #expect(try names("pet") == ["Rex", "Tom", "Ada"])
  }

  @Test func `with --yes objects are deleted with their cascades, and references set to NULL`()
    throws
  {
    let outcome = try Program.run("delete", store, "person", "--where", "id = 2", "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try names("person") == ["Ana", "zoe", "Émile"])
    #expect(try names("pet") == ["Ada"])
    #expect(
      try Database.strings(store, "SELECT count(*) || '' FROM person WHERE manager_id = 2") == ["0"]
    )
    #expect(try Database.rows(store, "PRAGMA foreign_key_check").isEmpty)
  }

  @Test func `a denied deletion deletes nothing`() throws {
    let outcome = try Program.run("delete", store, "person", "--where", "id IN {2, 4}", "--yes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("cardfile: nothing was deleted"))
    #expect(outcome.output.hasPrefix("! ") && !outcome.output.contains(" deleted"))
    #expect(try names("person") == ["Ana", "Björn", "zoe", "Émile"])
  }

  @Test func `delete refuses without a terminal and without --yes`() throws {
    let outcome = try Program.run("delete", store, "pet", "--where", "id = 1")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("--yes"))
    #expect(try names("pet") == ["Rex", "Tom", "Ada"])
  }

  @Test func `nothing to delete exits with status 1`() throws {
    let outcome = try Program.run("delete", store, "pet", "--where", "id = 99", "--yes")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "cardfile: no pet matches the predicate; try: cardfile count, with other conditions\n")
  }

  @Test func `objects of a view cannot be deleted`() throws {
    try Database.write(store, "CREATE VIEW tall AS SELECT * FROM person WHERE height > 1.6")
    let outcome = try Program.run("delete", store, "tall", "--where", "TRUEPREDICATE", "--yes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("cardfile: objects of tall cannot be deleted"))
  }
}
