import Dispatch
import ManagedObjects
import ObjectModel
import RowOutput
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// Work that a person has begun, in the background.
@MainActor @Suite struct BackgroundJobTests {
  /// Starts a job that goes on once it is let, or cancelled; waits until it is at work.
  private func start(
    on stage: Stage, until hold: DispatchSemaphore, for owner: AnyObject? = nil,
    done: @escaping (Int) -> Void
  ) {
    let begun = DispatchSemaphore(value: 0)
    stage.app.session.jobs.start("Counting", for: owner) { control in
      control.report(completed: 3, total: 12)
      begun.signal()
      hold.wait()
      if control.isCancelled { throw StoreError(.cancelled, doing: "counting") }
      return 12
    } done: {
      done($0)
    }
    begun.wait()
  }

  private func finish(_ stage: Stage) {
    stage.wait {
      stage.settle()
      return !stage.app.session.jobs.isRunning
    }
  }

  @Test func `its progress is shown, and its result handled once`() throws {
    let stage = try Stage()
    let hold = DispatchSemaphore(value: 0)
    var results: [Int] = []
    start(on: stage, until: hold) { results.append($0) }
    #expect(stage.status.contains("Counting … 25 %  3/12   Esc cancel"), "\(stage.status)")
    #expect(stage.app.redrawDelay == BusyLine.frameDuration)
    hold.signal()
    finish(stage)
    #expect(results == [12])
    #expect(!stage.status.contains("Counting"))
  }

  @Test func `Esc cancels the last one, and leaves the list as it is`() throws {
    let stage = try Stage()
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    var results: [String] = []
    start(on: stage, until: first) { _ in results.append("first") }
    start(on: stage, until: second) { _ in results.append("second") }
    stage.press(.escape)
    for hold in [second, first] { hold.signal() }
    finish(stage)
    #expect(results == ["first"])
    #expect(stage.status.contains("Cancelled"))
  }

  @Test func `what fails is said`() throws {
    let stage = try Stage()
    stage.app.session.jobs.start("Counting") { _ -> Int in
      throw StoreError(.locked, doing: "counting")
    } done: { _ in
      Issue.record("There is no result.")
    }
    finish(stage)
    #expect(stage.status.contains("Locked by another program"), "\(stage.status)")
  }

  @Test func `a job of a list ends with the list, one of nobody goes on`() throws {
    let stage = try Stage("Tag")
    let list = try #require(stage.app.screen as? ListScreen)
    let holds = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    var results: [String] = []
    start(on: stage, until: holds[0], for: list) { _ in results.append("list") }
    start(on: stage, until: holds[1]) { _ in results.append("nobody") }
    stage.type("E")
    list.didClose()
    for hold in holds { hold.signal() }
    finish(stage)
    #expect(results == ["nobody"])
  }

  @Test func `the values of a column are those of the rows shown, unsaved changes included`() throws
  {
    let stage = try Stage(options: AppOptions(columns: ["city", "employer"]))
    stage.type("/jensen")
    stage.press(.enter)
    let list = try #require(stage.app.screen as? ListScreen)
    let id = try #require(stage.person("Jensen, Viktor"))
    func values(_ column: Int) throws -> Set<OutputField> {
      var found: Set<OutputField>?
      let rows = try #require(list.shownRows([list.columns.shown[column]]))
      stage.app.session.jobs.start("Counting", for: list) {
        try rows.reduce(into: Set<OutputField>(), $0) { $0.insert($1.fields[0]) }
      } done: {
        found = $0
      }
      finish(stage)
      return try #require(found)
    }
    #expect(try values(0) == [.value("Kraków"), .value("Tromsø")])
    stage.app.session.context.object(with: id)["city"] = "Tromsø"
    #expect(try values(0) == [.value("Tromsø")])
    #expect(try values(1) == [.value(.null)])
  }
}
