import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

@MainActor @Suite struct OutsideChangeTests {
  /// Inserts, renames and deletes a person each, as another process would.
  private func changeThree(_ stage: Stage) throws {
    let (hansen, sian) = try (
      #require(stage.person("Hansen, Ingrid")), #require(stage.person("Larsen, Siân"))
    )
    try stage.changeOutside { context in
      try context.insert(entityName: "Person")["name"] = "Aaa, New"
      context.object(with: sian)["name"] = "Kaa, Siân"
      try context.delete([hansen])
    }
  }

  @Test func `each object that another process changed is counted once`() throws {
    let stage = try Stage()
    try changeThree(stage)
    #expect(stage.status.contains("1 new, 1 changed, 1 removed outside"))
  }

  @Test func `objects are counted up to a number, so that memory stays constant`() {
    var outside = OutsideChange()
    let most = Int64(OutsideChange.mostObjects)
    let ids = (1...most + 5).map {
      ObjectID(storeIdentifier: "S", entityName: "E", key: .integer($0))
    }
    outside.add(ContextChange(refreshed: Set(ids.prefix(10_000))))
    #expect(outside.message == .done("10,000 changed outside"))
    outside.add(ContextChange(deleted: Set(ids.prefix(10))))
    #expect(outside.message == .done("9,990 changed, 10 removed outside"))
    outside.add(ContextChange(refreshed: Set(ids.suffix(5))))
    #expect(outside.message == .done("9,990 changed, 10 removed and others outside"))
  }

  @Test func `a list below another screen adds only what the refresh did not count`() throws {
    let stage = try Stage()
    stage.type("'k")
    stage.press(.enter)
    try changeThree(stage)
    #expect(stage.status.contains("1 changed, 1 removed outside"))
    stage.type("q")
    #expect(stage.title.contains("20 objects"))
    #expect(stage.status.contains("1 new, 1 changed, 1 removed outside"))
  }

  @Test func `a commit of another process reads each cached row once`() throws {
    let stage = try Stage()
    stage.gate.resetCounts()
    stage.app.refreshFromStore()
    stage.settle()
    let cached = stage.gate.counts.rows
    #expect(cached >= 20)
    let sian = try #require(stage.person("Larsen, Siân"))
    stage.gate.resetCounts()
    try stage.changeOutside { $0.object(with: sian)["name"] = "Kaa, Siân" }
    #expect(stage.gate.counts.snapshots == 1)
    #expect(stage.gate.counts.rows == cached)
    #expect(stage.status.contains("1 changed outside"))
  }
}
