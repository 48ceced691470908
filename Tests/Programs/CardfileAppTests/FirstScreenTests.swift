import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// The first screens of real stores say what the objects are.
@MainActor @Suite(.needsRealStores) struct FirstScreenTests {
  private nonisolated static let stores = [
    "coredata/photos.sqlite", "coredata/notes-empty-modelcache.storedata",
    "coredata/cart-swiftdata.sqlite", "plain/chinook.sqlite", "coredata/library-history.sqlite",
    "coredata/knowledge.db", "coredata/moody-v1.moody",
  ]

  @Test(arguments: stores)
  func `the largest entities show no bytes, no constants and whole dates`(path: String) throws {
    let folder = try TemporaryFolder()
    let original = try RealStores.file(path)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original.path + suffix)
    {
      try FileManager.default.copyItem(
        atPath: original.path + suffix,
        toPath: folder.path(original.lastPathComponent + suffix))
    }
    let store = try SQLiteStore.open(path: folder.path(original.lastPathComponent))
    let largest = try store.model.entities
      .map { (name: $0.name, count: try store.count(FetchPlan(entityName: $0.name), control: nil)) }
      .sorted { $0.count > $1.count }.prefix(3).filter { $0.count > 1 }
    for (name, _) in largest { try check(name, of: store) }
  }

  private func check(_ entityName: String, of store: SQLiteStore) throws {
    let stage = try Stage(entityName, opened: store)
    let list = try #require(stage.app.screens.last as? ListScreen)
    let place = Comment(rawValue: "\(entityName)\n\(stage.text)")
    let ids = Array(try #require(list.controller.results).ids.prefix(100))
    let objects = ids.map { stage.app.session.context.object(with: $0) }
    #expect(!stage.text.contains("BLOB"), place)
    for index in list.tableView.displayedColumns {
      let column = list.columns.shown[index]
      let texts = objects.map { list.field(of: $0, in: column).text }
      #expect(texts.contains { $0 != "∅" }, "\(column.name) has no values: \(place)")
      if case .attribute(let attribute) = column.source {
        // The columns of the title and of the order are shown whatever they hold.
        if index > 0, list.displayedOrder?.keyPath != attribute.name,
          (8..<200).contains(list.defaults.sample.count)
        {
          #expect(Set(texts).count > 1, "\(column.name) is constant: \(place)")
        }
        #expect(![.binaryData, .transformable].contains(attribute.type), place)
        if attribute.type == .date {
          #expect(texts.allSatisfy { !stage.text.contains($0.dropLast() + "…") }, place)
        }
      }
    }
    // The name of an object is a text of its own if it has any.
    for object in objects {
      let context = stage.app.session.context
      guard context.displayName(of: object.objectID) == object.objectID.description else {
        continue
      }
      let texts = object.entity.displayCandidates.filter {
        if case .string(let text) = object[$0] { !text.isEmpty && !text.isUUID } else { false }
      }
      #expect(texts.isEmpty, place)
    }
  }
}
