import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ModelFiles

/// Malicious and damaged XML: refused, or read as a valid model, in bounded time and memory.
struct HostileXCDataModelTests {
  private func error(_ xml: String) -> ModelFileError? {
    #expect(throws: ModelFileError.self) { try XCDataModel.model(from: Data(xml.utf8)) }
  }

  @Test(arguments: [
    ("", ModelFileError.Reason.malformed), ("<model><entity/></model>", .incomplete),
    ("<html/>", .malformed),
    ("<model>", .malformed), ("<model><entity name=\"E\"></model>", .malformed),
    ("<model><entity name=\"E\"/></mode>", .malformed),
    ("<model><entity name=E/></model>", .malformed),
    ("<model><entity name=\"E/></model>", .malformed), ("<model a=\"&b;\"/>", .malformed),
    ("<model a=\"&#xD800;\"/>", .malformed), ("<model a=\"<\"", .malformed),
    ("<model =\"a\"/>", .malformed), ("<model a b/>", .malformed), ("<", .malformed),
    ("<model a=\"&lt<;\"/>", .malformed),
  ])
  func `XML that is not a model is refused`(xml: String, reason: ModelFileError.Reason) {
    #expect(error(xml)?.reason == reason)
  }

  @Test func `internal and external XML entities are refused`() {
    let bomb = """
      <?xml version="1.0"?>
      <!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
      <model><entity name="&b;"/></model>
      """
    #expect(error(bomb)?.detail.contains("document type") == true)
    let external = """
      <!DOCTYPE model [<!ENTITY x SYSTEM "file:///etc/passwd">]><model><entity name="&x;"/></model>
      """
    #expect(error(external)?.detail.contains("document type") == true)
    #expect(error("<model><entity name=\"&x;\"/></model>")?.detail.contains("“x”") == true)
  }

  @Test func `a model of Xcode 3 is reported as unsupported, not as damaged`() throws {
    var writer = KeyedArchiveWriter()
    let root = writer.add(ArchivedClass(name: "XDPMModel"), [:])
    let data = writer.archive(root: root).binaryPropertyList()
    let error = #expect(throws: ModelFileError.self) { try ModelFile.model(of: data) }
    #expect(error?.reason == .unsupported)
    #expect(error?.detail == "it was saved by Xcode 3")
  }

  /// The archive in the file `elements` or `layout` of a source model of Xcode 3.
  private func xcode3(_ className: String, key: String) -> Data {
    var maker = ArchiveMaker()
    let entity = maker.object("XDPMEntity", ["name": maker.add("Person")])
    let root = maker.object(className, ["entities": maker.array([entity])])
    guard case .dictionary(var list) = maker.list(root: root) else { return Data() }
    list["$top"] = .dictionary([key: root])
    return PropertyListValue.dictionary(list).binaryPropertyList()
  }

  @Test(arguments: ["XDPMModel", "XDPMDiagram", "NSDictionary"], ["root", "model"])
  func `a file of a model of Xcode 3 is reported as such, whatever its root is`(
    className: String, key: String
  ) {
    let data = xcode3(className, key: key)
    let error = #expect(throws: ModelFileError.self) { try ModelFile.model(of: data) }
    #expect(error?.detail == "it was saved by Xcode 3")
  }

  @Test func `a version that Xcode 3 saved is reported as such, and the others are read`() throws {
    let temporaryFolder = try TemporaryFolder()
    let folder = temporaryFolder.url("App.xcdatamodeld")
    for (version, file, data) in [
      ("Old", "elements", xcode3("XDPMModel", key: "root")), ("Old", "layout", Data([0, 1])),
      ("New", "contents", Data("<model><entity name=\"Person\"/></model>".utf8)),
    ] {
      let path = folder.appendingPathComponent("\(version).xcdatamodel")
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      try data.write(to: path.appendingPathComponent(file))
    }
    let old = folder.appendingPathComponent("Old.xcdatamodel")
    for (path, version) in [
      (folder, "Old"), (old, nil), (old.appendingPathComponent("elements"), nil),
    ] {
      let error = #expect(throws: ModelFileError.self) {
        try ModelFile.read(path: path.path, version: version)
      }
      #expect(error?.reason == .unsupported && error?.detail == "it was saved by Xcode 3")
      #expect(error?.subject.hasPrefix(old.path) == true, "\(error?.subject ?? "")")
      #expect(error?.remedy.contains(".mom") == true)
    }
    let model = try ModelFile.read(path: folder.path, version: "New").model
    #expect(model.entities.map(\.name) == ["Person"])
  }

  @Test func `nesting depth and number of elements are bounded`() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(error("<model>" + deep)?.reason == .tooLarge)
    let many = String(repeating: "<a/>", count: 200_001)
    #expect(error("<model>" + many)?.reason == .tooLarge)
  }

  @Test func `exponentially nested and cyclic composites are refused or bounded`() throws {
    let levels = (0..<9).map { level in
      "<composite name=\"C\(level)\">"
        + (0..<40).map {
          "<attribute name=\"a\($0)\" attributeType=\"Composite\" composite=\"C\(level + 1)\"/>"
        }.joined() + "</composite>"
    }
    let entity =
      "<entity name=\"E\"><attribute name=\"c\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
    #expect(error("<model>\(entity)\(levels.joined())</model>")?.reason == .tooLarge)
    let circle = """
      <model>\(entity)<composite name="C0"><attribute name="c" attributeType="Composite" composite="C0"/></composite></model>
      """
    let decoded = try XCDataModel.model(from: Data(circle.utf8))
    #expect(decoded.notes.contains { $0.hasSuffix("is nested too deeply.") })
    try decoded.model.validate()
  }

  @Test func `damaged XML is refused or read as a valid model`() throws {
    var inputs: [Data] = []
    for seed in 0..<4 as Range<UInt64> {
      var maker = ModelMaker(seed: seed)
      inputs.append(Data(XCDataModelWriter.xml(of: try maker.model(namesComposites: true)).utf8))
    }
    let count =
      ProcessInfo.processInfo.environment["CARDFILE_FUZZ"].flatMap { Int($0) } ?? 300
    var read = 0
    for seed in 0..<UInt64(count) {
      var mutator = Mutator(seed: seed)
      let data = mutator.damaged(inputs)
      guard let decoded = try? XCDataModel.model(from: data) else { continue }
      try decoded.model.validate()
      read += 1
      // A model that was read can be written, read again, described and generated from.
      let again = try XCDataModel.model(from: Data(XCDataModelWriter.xml(of: decoded.model).utf8))
      #expect(again.model.entities.map(\.name) == decoded.model.entities.map(\.name))
      _ = try? ModelCacheWriter.data(of: decoded.model)
      for entity in decoded.model.entities { _ = ModelText(decoded.model).tables(of: entity) }
      _ = try? SubclassGenerator(model: decoded.model).files()
    }
    #expect(read > count / 20)
  }
}
