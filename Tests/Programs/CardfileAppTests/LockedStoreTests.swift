import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// What is read while another program holds the database's lock.
@MainActor @Suite struct LockedStoreTests {
  private let locked = StoreError(
    .locked, doing: "reading", detail: "another program holds the database's lock",
    remedy: "try again")

  @Test func `a list that could not be read says so, and R reads it`() throws {
    let stage = try Stage(nil)
    stage.gate.failFetches(locked)
    stage.press(.enter)
    #expect(stage.text.contains("could not be read — R tries again"))
    #expect(stage.title.contains("not read"))
    stage.gate.failFetches(nil)
    stage.type("R")
    #expect(!stage.text.contains("could not be read"))
    #expect(stage.title.contains("object"))
  }

  @Test func `a filter that could not be applied while it was typed is applied by Enter`() throws {
    let stage = try Stage()
    stage.gate.failFetches(locked)
    stage.type("/a")
    stage.press(.enter)
    #expect(stage.status.contains("Locked by another program"))
    #expect(!stage.title.contains("filter: a"))
    stage.type("/a")
    stage.gate.failFetches(nil)
    stage.press(.enter)
    #expect(stage.title.contains("filter: a"))
  }

  @Test func `a relationship that cannot be counted does not have 0 objects`() throws {
    let stage = try Stage()
    stage.gate.failNextFetch(locked)
    stage.press(.enter)
    #expect(stage.lines.contains { $0.contains("⇉") && $0.contains("cannot be read") })
    stage.type("R")
    #expect(!stage.text.contains("cannot be read"))
  }
}
