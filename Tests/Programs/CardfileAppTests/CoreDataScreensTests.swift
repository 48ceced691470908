import Foundation
import ManagedObjects
import ObjectModel
import Synchronization
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// What the screens show of a store of Core Data beside what they show of any.
@MainActor @Suite struct CoreDataScreensTests {
  private func stage(
    _ entity: String?, width: Int = 80, services: StoreServices = StoreServices(),
    notes: [String] = []
  ) throws -> Stage {
    try Stage(entity, width: width, store: Library.store(), services: services) { summary in
      summary.kind = "Core Data store"
      summary.generation = "macOS 14, iOS 17"
      summary.journalMode = "WAL"
      summary.otherTables = [.init(name: "Z_METADATA", purpose: "Core Data")]
      summary.notes = notes
    }
  }

  @Test func `the list of entities matches its golden pictures`() throws {
    let stage = try stage(nil)
    let canvas = stage.draw()
    stage.type("t")
    let withTables = stage.text
    try expectGolden(
      canvas.text + "\n== styles\n" + canvas.styleLayer + "\n== after t\n" + withTables + "\n",
      "entities-inheriting")
  }

  @Test func `the page of an object matches its golden pictures`() throws {
    var services = StoreServices()
    services.description = { _ in ["Cover", "  text: \"red\""] }
    var pictures: [String] = []
    for width in [80, 200] {
      let stage = try stage("Book", width: width, services: services)
      stage.type("G")
      stage.press(.enter)
      stage.type("j")
      pictures.append(stage.text)
    }
    try expectGolden(pictures.joined(separator: "\n") + "\n", "detail-inheriting")
  }

  @Test func `t shows and hides the tables without an entity`() throws {
    let stage = try stage(nil)
    #expect(!stage.text.contains("Z_METADATA"))
    stage.type("t")
    #expect(stage.text.contains("Z_METADATA"))
    stage.type("t")
    #expect(!stage.text.contains("Z_METADATA"))
  }

  @Test func `the notes of a store are shown once, at the start`() throws {
    let stage = try stage(nil, notes: ["The store holds no model."])
    #expect(stage.text.contains("The store holds no model."))
    stage.press(.escape)
    #expect(!stage.text.contains("The store holds no model."))
    stage.press(.enter)
    stage.type("E")
    #expect(!stage.text.contains("The store holds no model."))
  }

  @Test func `r shows the table row of the object`() throws {
    var services = StoreServices()
    services.row = { id in
      .init(
        table: "Z\(id.entityName.uppercased())",
        columns: [
          .init(name: "Z_OPT", value: 7),
          .init(name: "ZCOVER", value: .data(Data([1, 2])), cutLength: 48_213),
        ])
    }
    let stage = try stage("Book", services: services)
    stage.press(.enter)
    stage.type("r")
    #expect(stage.text.contains("Row of ZBOOK"))
    #expect(stage.text.contains("Z_OPT   7"))
    #expect(stage.text.contains("ZCOVER  BLOB 48,213 bytes"))
    let other = try self.stage("Book")
    other.press(.enter)
    other.type("r")
    #expect(other.status.contains("no table rows"))
  }

  @Test func `the page shows the beginning of a description of bytes, and Enter its tree`() throws {
    var services = StoreServices()
    services.description = { data in
      data == Library.coverBytes ? (1...20).map { "line \($0)" } : ["wrong bytes"]
    }
    services.archiveTree = { _ in
      ValueTree("", .members("Cover", count: 1) { [ValueTree("color", .text("red"))] })
    }
    let stage = try stage("Book", services: services)
    stage.press(.enter)
    stage.type("j")
    #expect(stage.text.contains("line 6"))
    #expect(!stage.text.contains("line 7"))
    #expect(stage.text.contains("14 more lines"))
    stage.press(.enter)
    #expect(stage.text.contains("Cover, 1 member"))
    #expect(stage.text.contains("color  \"red\""))
  }

  @Test func `a save warns of other programs and shows the name of the backup`() throws {
    let isSaved = Mutex(false)
    let warnings = ["The store is open in Photos (process 12)."]
    var services = StoreServices()
    services.warningsBeforeSaving = { warnings }
    services.makesBackup = true
    services.backupPath = { isSaved.withLock { $0 } ? "/backups/library.sqlite.1" : nil }
    let stage = try stage("Book", services: services)
    let object = stage.app.session.context.object(
      with: try #require(stage.keys(of: "Novel").first))
    object["title"] = "C novel"
    stage.app.session.context.processPendingChanges()
    stage.type("W")
    #expect(stage.text.contains("! The store is open in Photos (process 12)."))
    #expect(stage.text.contains("The store is copied beside itself first"))
    isSaved.withLock { $0 = true }
    stage.type("y")
    #expect(stage.status.contains("library.sqlite.1"), "\(stage.status)")
  }
}
