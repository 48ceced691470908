import AtomicStores
import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import Transfers

/// Imports into stores that are read whole and written whole.
struct AtomicImportTests {
  enum Kind: CaseIterable { case xml, json }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let model = ManagedObjectModel {
    Entity("Album") {
      Attribute("title", .string, isOptional: false)
      ToMany("tracks", "Track", inverse: "album")
    }
    Entity("Track") {
      Attribute("name", .string, isOptional: false)
      Attribute("seconds", .integer32)
      ToOne("album", "Album", inverse: "tracks")
    }
  }

  private func create(_ kind: Kind, _ name: String = "store") throws -> any BulkStore {
    switch kind {
    case .xml: try XMLStore.create(path: folder.path(name), model: Self.model)
    case .json: try JSONStore.create(path: folder.path(name), model: Self.model)
    }
  }

  private func run(
    _ text: String, as entity: String, into store: any BulkStore, acceptsRejects: Bool = true,
    keys: [String] = []
  ) throws -> String {
    try Data(text.utf8).write(to: folder.url("file.csv"))
    var options = ImportOptions()
    options.keys = keys
    let importer = try Importer(
      folder.path("file.csv"), as: #require(store.model.entity(named: entity)), into: store,
      options: options)
    return try importer.run(acceptsRejects: acceptsRejects) { _ in }.phrase
  }

  private func tracks(_ store: any BulkStore) throws -> [String] {
    let ids = try store.fetch(FetchPlan(entityName: "Track"), control: nil).ids
    return try store.rows(of: Array(ids)).compactMap(\.self).map {
      "\($0.values[0]) \($0.values[1]) \($0.toOne[0]?.description ?? "–")"
    }.sorted()
  }

  @Test(arguments: Kind.allCases)
  func `objects are inserted, updated and linked as in a database`(_ kind: Kind) throws {
    let store = try create(kind)
    #expect(try run("title\nRed\nBlue\n", as: "Album", into: store) == "2 inserted")
    #expect(
      try run("name,seconds,album.title\na,1,Red\nb,2,Blue\nc,3,None\n", as: "Track", into: store)
        == "2 inserted, 1 rejected")
    #expect(
      try run("name,seconds\nb,7\nnew,8\na,1\n", as: "Track", into: store, keys: ["name"])
        == "1 inserted, 1 updated, 1 unchanged")
    let found = try tracks(store)
    #expect(found.count == 3)
    #expect(found[0].hasPrefix("a 1 Album") && found[1].hasPrefix("b 7 Album"), "\(found)")
    #expect(found[2] == "new 8 –")
    #expect(try StoreContract(store).violations() == [])
  }

  @Test(arguments: Kind.allCases)
  func `what is refused leaves the file as it was`(_ kind: Kind) throws {
    let store = try create(kind)
    let before = try Data(contentsOf: folder.url("store"))
    #expect(throws: TransferError.self) {
      _ = try run("title\nRed\n\"\"\n\nBlue,\n", as: "Album", into: store, acceptsRejects: false)
    }
    #expect(try Data(contentsOf: folder.url("store")) == before)
    #expect(try tracks(store).isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `an export of a store is imported into an empty one, and they are equal`(
    _ kind: Kind
  ) throws {
    let store = try create(kind)
    _ = try run("title\nRed\nBlue\n", as: "Album", into: store)
    _ = try run("name,seconds,album.title\na,1,Red\nb,2,Blue\n", as: "Track", into: store)
    _ = try Exporter(store).write(to: folder.path("export"))
    let copy = try create(kind, "copy")
    #expect(try FolderImporter(folder.path("export"), into: copy).run().phrase == "4 inserted")
    #expect(try tracks(copy) == tracks(store))
  }
}
