import ObjectModel
import Synchronization
import TerminalKit
import Testing

@testable import CardfileApp

/// `:import`: a file is shown as what it would be, and imported if a person agrees.
@MainActor @Suite struct ImportTests {
  /// What was imported: the entity, and the name of the file of rejected records.
  private nonisolated final class Imports: Sendable {
    let made = Mutex<[String]>([])
  }

  private func stage(_ imports: Imports, width: Int = 80, height: Int = 24) throws -> Stage {
    var services = StoreServices()
    services.importing = .init { path, entity in
      ["name → name (string) of \(entity.name)", "", "name Xaver"]
    } run: { path, entity, rejects, _ in
      imports.made.withLock {
        $0.append("\(entity.name) \(rejects?.split(separator: "/").last ?? "–")")
      }
      return "1 inserted"
    }
    return try Stage(width: width, height: height, services: services)
  }

  private func ask(_ stage: Stage) {
    stage.app.importFile("/nowhere/new.csv")
    stage.wait {
      stage.settle()
      return stage.text.contains("Import new.csv")
    }
  }

  @Test func `what a file would be is shown, and nothing imported on Esc`() throws {
    let imports = Imports()
    let stage = try stage(imports)
    ask(stage)
    #expect(stage.text.contains("Import new.csv as Person?"))
    #expect(stage.text.contains("name → name (string) of Person"))
    stage.press(.escape)
    stage.settle()
    #expect(imports.made.withLock { $0 }.isEmpty)
  }

  @Test(arguments: [("i", "Person –"), ("o", "Person new.csv.rejects.csv")])
  func `the answer says what becomes of records that do not fit`(
    _ key: String, _ expected: String
  ) throws {
    let imports = Imports()
    let stage = try stage(imports)
    ask(stage)
    stage.type(key)
    stage.wait(for: "Imported: 1 inserted")
    #expect(imports.made.withLock { $0 } == [expected])
  }

  @Test func `the question fits a small terminal`() throws {
    let stage = try stage(Imports(), width: 20, height: 5)
    ask(stage)
    #expect(stage.text.contains("i"), "\(stage.text)")
    stage.press(.escape)
    stage.settle()
    #expect(!stage.text.contains("Import new"))
  }

  @Test func `a file that cannot be imported leaves the list as it was`() throws {
    struct Unreadable: Error {}
    var services = StoreServices()
    services.importing = .init(preview: { _, _ in throw Unreadable() }, run: { _, _, _, _ in "" })
    let stage = try Stage(services: services)
    stage.app.importFile("new.csv")
    stage.wait(for: "Unreadable")
  }

  @Test func `without a way to import that is said`() throws {
    let stage = try Stage()
    stage.app.importFile("new.csv")
    #expect(stage.status.contains("Nothing can be imported into a store of this kind"))
  }
}
