import Foundation
import TestSupport
import Testing

/// `cardfile export`, `import` of its folder, and `diff` of two stores.
struct WholeStoreCommandTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  private func emptyCopy() throws -> String {
    try FileManager.default.copyItem(atPath: store, toPath: folder.path("new.sqlite"))
    try Database.write(
      folder.path("new.sqlite"), "DELETE FROM invoice; DELETE FROM pet; DELETE FROM person")
    return folder.path("new.sqlite")
  }

  @Test func `what was exported is imported, and is no different`() throws {
    let exported = try Program.run("export", store, folder.path("all"))
    #expect(exported.status == 0 && exported.errors.isEmpty, "\(exported)")
    #expect(exported.lines == ["9 objects of 3 entities"])
    let new = try emptyCopy()
    let before = try Program.run("diff", store, new)
    #expect(before.status == 1 && before.lines.last == "9 removed", "\(before)")
    let imported = try Program.run("import", new, folder.path("all"))
    #expect(imported.status == 0 && imported.lines == ["9 inserted"], "\(imported)")
    let after = try Program.run("diff", store, new)
    #expect(after.status == 0 && after.output.isEmpty, "\(after)")
    let again = try Program.run("export", store, folder.path("all"))
    #expect(again.status == 1 && again.errors.contains("it exists"), "\(again)")
    let some = try Program.run("export", store, "pet", folder.path("pets"))
    #expect(some.lines == ["3 objects of 1 entity"], "\(some)")
  }

  @Test func `a difference names objects and properties, as lines and as JSON`() throws {
    try FileManager.default.copyItem(atPath: store, toPath: folder.path("old.sqlite"))
    try Database.write(
      store,
      """
      UPDATE person SET name = 'Anna', born = NULL WHERE id = 1;
      DELETE FROM pet WHERE id = 2; INSERT INTO pet VALUES (9, 'Max', 1);
      """)
    let lines = try Program.run("diff", folder.path("old.sqlite"), store)
    #expect(lines.status == 1 && lines.errors.isEmpty, "\(lines)")
    #expect(
      lines.lines == [
        "~ person 1", "    name: “Ana” → “Anna”", "    born: 1980-05-01 → NULL", "- pet 2  Tom",
        "+ pet 9  Max", "1 added, 1 removed, 1 changed",
      ])
    let json = try Program.run(
      "diff", folder.path("old.sqlite"), store, "--format", "json", "--entity", "person")
    #expect(json.lines.count == 1)
    #expect(
      json.output.hasSuffix(
        #"/person/p1","properties":{"name":["Ana","Anna"],"born":["1980-05-01T00:00:00.000Z",null]}}"#
          + "\n"), "\(json.output)")
    let byName = try Program.run(
      "diff", folder.path("old.sqlite"), store, "--key", "person.born", "--entity", "person")
    #expect(byName.lines.last == "1 added, 1 removed", "\(byName)")
    let models = try Program.run("diff", folder.path("old.sqlite"), store, "--models")
    #expect(models.status == 0 && models.output.isEmpty, "\(models)")
    let unknown = try Program.run("diff", folder.path("old.sqlite"), store, "--entity", "persn")
    #expect(unknown.status == 2 && unknown.errors.contains("person"), "\(unknown)")
  }

  @Test func `what names no folder, or no export, is said`() throws {
    let entity = try Program.run("export", store, "person")
    #expect(entity.status == 2 && entity.errors.contains("the folder is missing"), "\(entity)")
    let file = try Program.run("import", store, "person")
    #expect(file.status == 2 && file.errors.contains("the file is missing"), "\(file)")
    let none = try Program.run("import", store, folder.path("none"))
    #expect(none.status == 3 && none.errors.contains("none"), "\(none)")
    let other = try Program.run("import", store, folder.url.path)
    #expect(other.status == 3, "\(other)")
  }
}
