import Foundation
import ModelFiles
import ObjectModel
import TestSupport
import Testing

/// The models of real stores, compared with the output of an independent reader.
@Suite(.needsRealStores)
struct RealModelTests {
  @Test(arguments: RealStores.withModels)
  func `a model cache decodes to the model that an independent reader found`(store: String) throws {
    let shared = try #require(RealStores.folder)
    let decoded = try ModelCache.model(from: try RealStores.cache(of: store))
    let json = try Data(
      contentsOf: shared.appendingPathComponent("expected/\(store).model.json"))
    let expected = try ExpectedModel(json: json).lines
    let ours = ExpectedModel(decoded.model).lines
    #expect(expected.count > 5)
    #expect(ours.subtracting(expected).sorted() == [])
    #expect(expected.subtracting(ours).sorted() == [])
    #expect(decoded.notes == [])
    try decoded.model.validate()
  }

  @Test(arguments: [
    ("SampleModel", "sample-v1.sqlite"), ("SampleModel2", "sample-v2.sqlite"),
  ])
  func `a compiled model that lists only own properties equals the model in its store`(
    version: String, store: String
  ) throws {
    let shared = try #require(RealStores.folder)
    let path = shared.appendingPathComponent("models/Sample.momd").path
    let decoded = try ModelFile.read(path: path, version: version)
    let json = try Data(
      contentsOf: shared.appendingPathComponent("expected/\(store).model.json"))
    // The second store was written by a program whose model has no class names.
    let withoutClass = { (line: String) in line.replacing(/class=[^|]* \|/, with: "") }
    let expected = try Set(ExpectedModel(json: json).lines.map(withoutClass))
    let ours = Set(ExpectedModel(decoded.model).lines.map(withoutClass))
    #expect(ours.subtracting(expected).sorted() == [])
    #expect(expected.subtracting(ours).sorted() == [])
    #expect(decoded.notes == [])
  }

  @Test(arguments: [("SampleModel", 4), ("SampleModel2", 4), ("SampleModel3", 5)])
  func `every version of a compiled model is valid`(version: String, count: Int) throws {
    let path = try #require(RealStores.folder).appendingPathComponent("models/Sample.momd").path
    let decoded = try ModelFile.read(path: path, version: version)
    #expect(decoded.model.entities.count == count)
    #expect(decoded.notes == [])
    try decoded.model.validate()
  }

  @Test func `the version hashes in a store's metadata identify its model version`() throws {
    let shared = try #require(RealStores.folder)
    let path = shared.appendingPathComponent("models/Sample.momd").path
    let versions = try ModelFile.versions(path: path)
    #expect(versions.current == "SampleModel")
    #expect(versions.names == ["SampleModel", "SampleModel2", "SampleModel3"])
    for (store, version) in [
      ("sample-v1.sqlite", "SampleModel"), ("sample-v2.sqlite", "SampleModel2"),
      ("posts-v1.sqlite", nil),
    ] {
      let bytes = try RealStores.value("SELECT Z_PLIST FROM Z_METADATA", of: store)
      let list = try PropertyListValue.read(bytes)
      let hashes = try #require(list["NSStoreModelVersionHashes"]?.dictionary)
      #expect(versions.version(matching: hashes.compactMapValues(\.data)) == version)
    }
    #expect(try ModelFile.read(path: path) == ModelFile.read(path: path, version: "SampleModel"))
  }

  @Test func `an empty model cache is reported as empty`() throws {
    #expect(throws: ModelFileError(.incomplete, subject: "The model cache", detail: "it is empty"))
    {
      try ModelCache.model(from: Data())
    }
  }
}
