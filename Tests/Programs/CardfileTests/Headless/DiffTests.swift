import Foundation
import TestSupport
import Testing

/// `cardfile diff` with two models.
struct DiffTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (version, attributes) in [
      ("People", #"<attribute name="age" optional="YES" attributeType="Integer 16"/>"#),
      (
        "People 2",
        #"<attribute name="years" optional="YES" attributeType="Integer 32" elementID="age"/>"#
      ), ("People 3", #"<attribute name="mail" attributeType="String"/>"#),
    ] {
      let path = folder.url("People.xcdatamodeld/\(version).xcdatamodel")
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      let text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Person">\(attributes)</entity>
        </model>
        """
      try Data(text.utf8).write(to: path.appending(path: "contents"))
    }
  }

  private func diff(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["diff", folder.path("People.xcdatamodeld")] + arguments)
  }

  @Test func `versions of a model, and whether a migration can be inferred`() throws {
    let renamed = try diff("--version", "People", "--to-version", "People 2")
    #expect(renamed.status == 1 && renamed.errors.isEmpty)
    #expect(
      renamed.lines == [
        "~ Person", "  ~ years (was age)  type: integer16 → integer32",
        "A migration can be inferred.",
      ])
    let required = try diff("--version", "People 2", "--to-version", "People 3")
    #expect(required.status == 1)
    #expect(
      required.lines.suffix(2) == [
        "No migration can be inferred, because:", "  Person.mail is required and has no default",
      ])
    let same = try diff("--version", "People", "--to-version", "People")
    #expect(same.status == 0 && same.output.isEmpty)
  }

  @Test func `a store is compared with a model, in both ways`() throws {
    let (store, model) = (folder.path("a.sqlite"), folder.path("People.xcdatamodeld"))
    #expect(
      try Program.run(
        "create", store, "--model", model, "--version", "People", "--layout", "coredata"
      ).status == 0)
    let there = try Program.run("diff", store, model, "--to-version", "People")
    #expect(there.status == 0 && there.output.isEmpty, "\(there)")
    let back = try Program.run("diff", model, store, "--version", "People 2")
    #expect(back.status == 1)
    #expect(
      back.lines == [
        "~ Person", "  ~ age (was years)  type: integer32 → integer16",
        "No migration can be inferred, because:",
        "  Person.age cannot become integer16 without losing values of integer32",
      ])
  }

  @Test func `what is missing is said`() throws {
    let alone = try diff()
    #expect(alone.status == 2 && alone.errors.contains("name another one"), "\(alone)")
    let version = try diff("--version", "People 7")
    #expect(version.status == 2 || version.status == 3, "\(version)")
    #expect(version.errors.contains("People 7"), "\(version.errors)")
    let none = try diff(folder.path("none.momd"), "--version", "People")
    #expect(none.status == 3 && none.errors.contains("none.momd"), "\(none)")
  }
}
