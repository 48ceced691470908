import Foundation
import ManagedObjects
import ModelFiles
import ObjectModel
import PersistentContainers
import TestSupport
import Testing

struct ModelLibraryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a source model of entities with a name.
  private func write(_ entities: [String], _ name: String) throws {
    let url = folder.url("\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let elements = entities.map {
      """
      <entity name="\($0)"><attribute name="name" optional="YES" attributeType="String"/></entity>
      """
    }
    try Data("<model>\(elements.joined())</model>".utf8).write(
      to: url.appending(path: "contents"))
  }

  private var library: ModelLibrary { ModelLibrary(folders: [folder.url.path]) }

  private static let places = ManagedObjectModel { Entity("Place") { Attribute("name", .string) } }

  @Test func `models are found by name and merged`() throws {
    #expect(try library.mergedModel() == nil)
    try write(["Person", "Disc"], "Discs")
    try write(["Place"], "Places")
    #expect(try library.model(named: "Places").entities.map(\.name) == ["Place"])
    let merged = try #require(try library.mergedModel())
    #expect(Set(merged.entities.map(\.name)) == ["Person", "Disc", "Place"])
    let error = #expect(throws: ManagedObjectError.self) { try library.model(named: "Place") }
    #expect(error?.remedy == "use one of Discs, Places")
  }

  @Test func `an entity that two models have alike is merged, otherwise it is an error`() throws {
    let same = try ManagedObjectModel(merging: [Self.places, Self.places, discModel])
    #expect(same.entities.count == 3)
    let other = ManagedObjectModel { Entity("Place") { Attribute("name", .date) } }
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(merging: [Self.places, other])
    }
    #expect(error?.description.contains("Place.name is") == true)
  }
}
