import Foundation
import ManagedObjects
import ModelFiles
import ObjectModel
import Testing

/// The classes in `Generated` are the generator's output for `Library.xcdatamodel`.
///
/// After a change to the generator, run the tests with `CARDFILE_REGENERATE=1` in the environment
/// to overwrite them.
struct SubclassGeneratorTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let generated = folder.appendingPathComponent("Generated")

  private static func model() throws -> ManagedObjectModel {
    try ModelFile.read(path: folder.appendingPathComponent("Library.xcdatamodel").path).model
  }

  @Test func `the generated files are up to date`() throws {
    let files = try SubclassGenerator(model: Self.model()).files()
    for file in files {
      let path = Self.generated.appendingPathComponent(file.name)
      if ProcessInfo.processInfo.environment["CARDFILE_REGENERATE"] != nil,
        !file.isWrittenOnce || !FileManager.default.fileExists(atPath: path.path)
      {
        try Data(file.contents.utf8).write(to: path)
      }
      let found = try String(contentsOf: path, encoding: .utf8)
      #expect(file.isWrittenOnce || found == file.contents, "\(file.name)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.generated.path)
    #expect(names.sorted() == files.map(\.name).sorted())
    #expect(
      files.filter(\.isWrittenOnce).map(\.name) == [
        "MOBook+Own.swift", "MOItem+Own.swift", "MOPage+Own.swift", "MOLabel+Own.swift",
      ])
  }

  @Test func `the classes in a module of the main actor are up to date`() throws {
    let tests = Self.folder.deletingLastPathComponent().appending(path: "CoreDataNamesTests")
    let model = try ModelFile.read(path: tests.appending(path: "DVDs.xcdatamodeld").path).model
    let files = try SubclassGenerator(model: model).files().filter { !$0.isWrittenOnce }
    #expect(files.count == 3)
    for file in files {
      let path = tests.appending(path: "DVDApplication/Generated/\(file.name)")
      #expect(try String(contentsOf: path, encoding: .utf8) == file.contents, "\(file.name)")
    }
  }

  @Test func `one file has all classes, with each module imported once`() throws {
    let generator = SubclassGenerator(model: try Self.model())
    let file = try generator.file(named: "Library.swift")
    #expect(file.name == "Library.swift")
    for other in try generator.files() where !other.isWrittenOnce {
      let parts = other.contents.components(separatedBy: "\n\n").drop { !$0.hasPrefix("///") }
      #expect(!parts.isEmpty && file.contents.contains(parts.joined(separator: "\n\n")))
    }
    #expect(
      file.contents.split(separator: "\n").filter { $0.hasPrefix("import") } == [
        "import Foundation", "import ManagedObjects", "import ObjectModel",
      ])
  }

  @Test(arguments: [
    (["a b", "aB"], "two properties of Thing, “a b” and “aB”, would both be named aB in Swift"),
    (
      ["x", "x y", "xY"], "two properties of Thing, “x y” and “xY”, would both be named xY in Swift"
    ),
  ])
  func `two names that become the same Swift name are reported`(
    names: [String], detail: String
  ) throws {
    let thing = EntityDescription(
      name: "Thing", attributes: names.map { AttributeDescription($0, .string) })
    let generator = SubclassGenerator(model: ManagedObjectModel(entities: [thing]))
    let error = #expect(throws: ModelFileError.self) { try generator.files() }
    #expect(error?.detail == detail)
  }

  @Test(arguments: [
    ("MO", "Person", "MOPerson"), ("", "my entity", "MyEntity"), ("", "Data", "Data_"),
    ("", "Type", "Type_"), ("", "9 lives", "_9Lives"), ("X", "héllo-ж", "XHélloЖ"),
    ("M", "!?", "M"), ("", "", "_"), ("App", "_Private", "App_Private"),
  ])
  func `class names are valid Swift identifiers`(prefix: String, entity: String, name: String)
    throws
  {
    let model = ManagedObjectModel(entities: [EntityDescription(name: entity, attributes: [])])
    let files = try SubclassGenerator(model: model, prefix: prefix).files()
    #expect(files.first?.name == name + ".swift")
    #expect(
      files.first?.contents.contains("\nnonisolated class \(name): ManagedObject, EntityClass {")
        == true)
  }

  @Test(arguments: [
    ("Reader", "Reader"), ("Shop.Reader", "Reader"), (".Reader", "Reader"),
    ("NSManagedObject", "MOPerson"), ("Data", "Data_"),
  ])
  func `the class name of the model is kept, without its module`(given: String, name: String) throws
  {
    let person = EntityDescription(
      name: "Person", attributes: [AttributeDescription("id", .string)],
      relationships: [RelationshipDescription("friend", to: "Person")],
      details: EntityDetails(className: given))
    let files = try SubclassGenerator(model: ManagedObjectModel(entities: [person])).files()
    #expect(files.map(\.name) == ["\(name).swift", "\(name)+Own.swift", "MOEntityClasses.swift"])
    #expect(files[0].contents.contains("AttributeKey<\(name), String?>(\"id\")"))
    #expect(files[0].contents.contains("RelationshipKey<\(name), \(name)?>(\"friend\")"))
    #expect(files[2].contents.contains("    \(name).self,"))
  }

  @Test func `public classes have public members`() throws {
    let files = try SubclassGenerator(model: Self.model(), access: .public).files()
    let declaration = #/^  (?:(?:public|override|static|class) )*(?:var|let|func) /#
    var count = 0
    for file in files where !file.isWrittenOnce {
      for line in file.contents.split(separator: "\n")
      where line.firstMatch(of: declaration) != nil {
        count += 1
        #expect(line.hasPrefix("  public "), "\(file.name): \(line)")
      }
      #expect(file.contents.contains("public import ManagedObjects\n"))
    }
    // An import that nothing public needs is a warning.
    #expect(files.first { $0.name == "MOPage.swift" }?.contents.contains("Foundation") == false)
    #expect(count > 40)
    #expect(files[0].contents.contains("\nnonisolated open class MOBook: MOItem {"))
  }

  @Test(arguments: ["1", "a b", "M-O", "`"])
  func `a prefix that no Swift identifier can begin with is refused`(prefix: String) throws {
    let generator = SubclassGenerator(model: try Self.model(), prefix: prefix)
    #expect(throws: ModelFileError.self) { try generator.files() }
  }

  @Test func `names of the model cannot inject code into comments and string literals`() throws {
    let name = "a\"\\(exit(1))\n}\u{2028}"
    let thing = EntityDescription(
      name: name, attributes: [AttributeDescription(name, .string)],
      relationships: [.init("r" + name, to: name, isToMany: true)])
    let files = try SubclassGenerator(model: ManagedObjectModel(entities: [thing])).files()
    let code = files.map(\.contents).joined()
    #expect(code.contains(#"String?>("a\"\\(exit(1))\u{a}}\u{2028}")"#))
    for line in code.split(whereSeparator: \.isNewline) where line.contains("exit") {
      #expect(line.contains("//") || line.contains(#"\\(exit(1))\u{a}"#), "\(line)")
    }
  }
}
