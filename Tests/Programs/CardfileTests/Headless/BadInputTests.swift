import Foundation
import TestSupport
import Testing

struct BadInputTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  /// Every way of opening a store must report the same error.
  static let commands = [
    ["entities"], ["describe"], ["count", "person"], ["fetch", "person"], ["browse"],
  ]

  private func expectUnreadable(_ path: String, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    for command in Self.commands {
      let words = [command[0], "'\(path)'"] + command.dropFirst()
      let outcome = try Program.shell("$CARDFILE \(words.joined(separator: " "))")
      #expect(outcome.status == 3, "\(command): \(outcome.errors)", sourceLocation: sourceLocation)
      #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
      #expect(outcome.lines(ofErrors: 1), "\(outcome.errors)", sourceLocation: sourceLocation)
      #expect(outcome.errors.hasPrefix("cardfile: "), sourceLocation: sourceLocation)
      #expect(outcome.errors.contains("try: "), "\(outcome.errors)", sourceLocation: sourceLocation)
    }
  }

  @Test func `a store in place of a model, and an option that does not exist`() throws {
    let model = try Program.run("create", folder.path("new.sqlite"), "--model", store)
    #expect(model.status == 2 && model.errors.contains("is a store, not a model"), "\(model)")
    #expect(model.errors.contains("describe"), "\(model.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("new.sqlite")))
    let far = try Program.run("count", store, "person", "--foo")
    #expect(far.status == 2 && far.errors.contains("--foo"), "\(far)")
    #expect(!far.errors.contains("Did you mean"), "\(far.errors)")
    let near = try Program.run("count", store, "person", "--wher", "id = 1")
    #expect(near.status == 2 && near.errors.contains("--where"), "\(near)")
  }

  @Test func `no file`() throws { try expectUnreadable(folder.path("missing.sqlite")) }

  @Test func `a directory`() throws { try expectUnreadable(folder.url.path) }

  @Test func `an empty file`() throws {
    try Data().write(to: folder.url("empty.sqlite"))
    try expectUnreadable(folder.path("empty.sqlite"))
  }

  @Test func `a text file`() throws {
    try Data(String(repeating: "Dear diary, ", count: 500).utf8).write(to: folder.url("diary.txt"))
    try expectUnreadable(folder.path("diary.txt"))
  }

  @Test func `a truncated database`() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: store))
    try whole.prefix(whole.count / 2 + 100).write(to: folder.url("cut.sqlite"))
    let outcome = try Program.run("fetch", folder.path("cut.sqlite"), "invoice")
    #expect(outcome.status == 3, "\(outcome.errors)")
    #expect(outcome.lines(ofErrors: 1))
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"))
  func `no permission`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: store)
    try expectUnreadable(store)
  }

  @Test func `an unknown entity suggests the most similar`() throws {
    let outcome = try Program.run("fetch", store, "persn")
    #expect(outcome.status == 2)
    #expect(outcome.errors == "cardfile: no entity “persn” in \(store); try: person\n")
  }

  @Test(arguments: [
    ["--sort", "nmae desc"], ["--columns", "id,nmae"], ["--where", "nmae = 'x'"],
  ])
  func `an unknown attribute suggests the most similar`(arguments: [String]) throws {
    let outcome = try Program.run("fetch", store, "person", arguments[0], arguments[1])
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("cardfile: \(arguments[0]): "), "\(outcome.errors)")
    #expect(outcome.errors.contains("nmae"))
    #expect(outcome.errors.contains("name"))
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: [
    ["--section", "nmae:initial"], ["--sort", "nmae"], ["--columns", "nmae"],
    ["--where", "nmae = 1"],
  ])
  func `names are validated before the terminal is opened`(arguments: [String]) throws {
    let outcome = try Program.run(store, "person", arguments[0], arguments[1])
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("cardfile: \(arguments[0]): "), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `carets mark the error in an invalid predicate`() throws {
    let outcome = try Program.run("count", store, "person", "--where", "name = = 'x'")
    #expect(outcome.status == 2)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1] == "  name = = 'x'")
    #expect(lines[2].contains("^"))
  }

  @Test(arguments: [
    ["--bogus"], ["fetch"], ["fetch", "x"], ["fetch", "x", "y", "--limit", "many"],
    ["fetch", "x", "y", "--limit", "-1"], ["fetch", "x", "y", "--format", "xml"],
    ["x", "--sort", "name"], ["delete", "x", "y"], ["x", "y", "z"],
  ])
  func `invalid arguments print one line and exit with status 2`(arguments: [String]) throws {
    let outcome = try Program.shell("$CARDFILE \(arguments.joined(separator: " "))")
    #expect(outcome.status == 2)
    #expect(outcome.lines(ofErrors: 1), "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("cardfile: "))
    let isCommand = ["fetch", "delete"].contains(arguments[0])
    let help = isCommand ? "try: cardfile \(arguments[0]) --help" : "try: cardfile --help"
    #expect(outcome.errors.contains(help), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `browsing without a terminal fails with a message`() throws {
    let outcome = try Program.run(store, "person")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("terminal"))
    #expect(outcome.output.isEmpty)
  }
}

extension Program.Outcome {
  fileprivate func lines(ofErrors count: Int) -> Bool {
    errors.split(separator: "\n").count == count
  }
}
