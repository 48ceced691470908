import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ModelFiles

/// The versions of public models, whose apps migrate from each to the next.
@Suite(.needsRealStores)
struct RealModelVersionsTests {
  private static func difference(_ path: String, _ first: String, _ second: String) throws
    -> ModelDifference
  {
    let path = try RealStores.file("migration/" + path).path
    return ModelDifference(
      from: try ModelFile.read(path: path, version: first).model,
      to: try ModelFile.read(path: path, version: second).model)
  }

  private static let bookmarks =
    ["BookmarksModel"] + (2...6).map { "BookmarksModel \($0)" }
  private static let metadata = ["SyncMetadata"] + (2...4).map { "SyncMetadata \($0)" }

  @Test(arguments: [
    ("duckduckgo/BookmarksModel.xcdatamodeld", bookmarks),
    ("duckduckgo/SyncMetadata.xcdatamodeld", metadata),
    ("coredataplus/Fixtures/SampleModel.momd", ["SampleModel", "SampleModel2", "SampleModel3"]),
    (
      "coredataplus/Fixtures/SampleModel3.momd",
      ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"]
    ),
  ])
  func `each version leads to each later one, as the app's own migration does`(
    path: String, versions: [String]
  ) throws {
    for (index, first) in versions.enumerated() {
      #expect(try Self.difference(path, first, first).isEmpty)
      for second in versions[(index + 1)...] {
        let difference = try Self.difference(path, first, second)
        #expect(!difference.isEmpty && difference.refusals == [], "\(first) → \(second)")
      }
    }
  }

  @Test func `renamed entities and properties are found`() throws {
    let folders = try Self.difference(
      "duckduckgo/BookmarksModel.xcdatamodeld", "BookmarksModel 3", "BookmarksModel 4")
    #expect(
      folders.lines == [
        "~ BookmarkEntity",
        "  ~ favoriteFolders (was favoriteFolder)  count: to-one → to-many",
      ])
    let cars = try Self.difference(
      "coredataplus/Fixtures/SampleModel.momd", "SampleModel", "SampleModel2")
    #expect(cars.losses == ["Car.color", "Person.id"])
    #expect(
      cars.lines.contains(
        "~ LuxuryCar (was ExpensiveSportCar)  class: ExpensiveSportCar → LuxuryCar"))
  }

  @Test func `what an app migrates with a mapping model cannot be inferred`() throws {
    let posts = try Self.difference(
      "wibosco/CoreDataMigration_Example.xcdatamodeld", "CoreDataMigration_Example 2",
      "CoreDataMigration_Example 3")
    #expect(posts.refusals == ["Post.sections is required, and no object has one"])
    #expect(posts.losses == ["Post.content"])
  }
}
