import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ModelFiles

/// Reading models from files and folders, written to a temporary folder.
struct ModelFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ data: Data, _ name: String) throws -> String {
    let file = folder.url(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file.path
  }

  private var root: String { folder.path("App.momd") }

  /// A compiled model with one entity.
  private func compiled(_ entity: String) -> Data {
    var maker = ArchiveMaker()
    let item = maker.entity(entity, properties: [("n", maker.attribute("n", 100))])
    let model = maker.model([(entity, item)])
    return maker.data(root: model)
  }

  private func entities(_ version: String?) throws -> [String] {
    try ModelFile.read(path: root, version: version).model.entities.map(\.name)
  }

  private func error(_ path: String, version: String? = nil) -> ModelFileError? {
    do throws(ModelFileError) {
      _ = try ModelFile.read(path: path, version: version)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a model folder is read in its current version, or in a given one`() throws {
    for number in [1, 2, 10] {
      _ = try write(compiled("Item\(number)"), "App.momd/App \(number).mom")
    }
    let hash = PropertyListValue.data(Data(repeating: 7, count: 32))
    let info: PropertyListValue = [
      "NSManagedObjectModel_CurrentVersionName": "App 2",
      "NSManagedObjectModel_VersionHashes": [
        "App 2": ["Item2": hash], "App 10": ["Item10": hash, "Item2": hash],
      ],
    ]
    _ = try write(info.binaryPropertyList(), "App.momd/VersionInfo.plist")
    let versions = try ModelFile.versions(path: root)
    #expect(versions.current == "App 2")
    #expect(versions.names == ["App 1", "App 2", "App 10"])
    let bytes = Data(repeating: 7, count: 32)
    #expect(versions.version(matching: ["Item2": bytes]) == "App 2")
    #expect(versions.version(matching: ["Item10": bytes]) == "App 10")
    #expect(versions.version(matching: ["Item10": Data()]) == nil)
    #expect(versions.version(matching: [:]) == nil)
    #expect(try entities(nil) == ["Item2"])
    #expect(try entities("App 10") == ["Item10"])
    #expect(
      error(root, version: "App 3")
        == ModelFileError(
          .unknownVersion("App 3", suggestions: ["App 1", "App 2", "App 10"]), subject: root))
  }

  @Test func `without VersionInfo.plist a single version is current, and of several none is`()
    throws
  {
    _ = try write(compiled("One"), "App.momd/One.mom")
    #expect(try entities(nil) == ["One"])
    _ = try write(compiled("Two"), "App.momd/Two.mom")
    #expect(try ModelFile.versions(path: root).current == nil)
    #expect(try entities("Two") == ["Two"])
    #expect(error(root)?.remedy == "give the name of a version")
  }

  @Test func `the format of a file is recognized by its content, not its name`() throws {
    let path = try write(compiled("Item"), "model.data")
    let model = try ModelFile.read(path: path).model
    #expect(model.entities.map(\.name) == ["Item"])
    #expect(try ModelFile.versions(path: path).names == ["model"])
    let compressed = try write(Deflate.compressed(compiled("Item")), "cache.bin")
    #expect(try ModelFile.read(path: compressed).model == model)
    let simple = ManagedObjectModel { Entity("Card") { Attribute("title", .string) } }
    let json = try write(simple.json(), "model.json")
    #expect(try ModelFile.read(path: json).model == simple)
  }

  @Test func `an error contains the path and the cause`() throws {
    let missing = folder.path("none.mom")
    #expect(error(missing)?.description == "\(missing) cannot be read: the file does not exist")
    let empty = try write(Data(), "empty.mom")
    #expect(error(empty)?.description == "\(empty) is not a valid model: it is empty")
    let text = try write(Data("Dear diary".utf8), "text.mom")
    #expect(error(text)?.reason == .malformed)
    let other = try write(Data(), "notes/text.txt")
    #expect(
      error(URL(fileURLWithPath: other).deletingLastPathComponent().path)?.reason == .malformed)
    let json = try write(Data("{\"version\": 99}".utf8), "new.json")
    #expect(error(json)?.subject == json)
    let damaged = try write(compiled("Item").dropLast(5), "App.momd/App.mom")
    #expect(error(root)?.subject == damaged)
    _ = try write(Data(), "old.xcdatamodel/elements")
    #expect(error(folder.path("old.xcdatamodel"))?.reason == .unsupported)
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(error(pipe)?.detail == "it is not a regular file")
  }
}
