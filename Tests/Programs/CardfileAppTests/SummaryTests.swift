import FetchedResults
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// The summary of the marked column.
@MainActor @Suite struct `The summary of a column` {
  private func showSummary(_ stage: Stage, _ keys: String = "=") {
    stage.type(keys)
    stage.wait {
      stage.settle()
      return stage.app.overlays.last is SummaryOverlay
    }
  }

  @Test func `counts the rows that are shown, and Enter keeps those with a value`() throws {
    let stage = try Stage()
    let list = try #require(stage.app.screen as? ListScreen)
    let column = try #require(list.displayedColumns.first.map { list.columns.shown[$0] })
    showSummary(stage)
    #expect(stage.text.contains("distinct") && stage.text.contains(column.name))
    stage.type("/without")
    stage.press(.escape, .escape)
    #expect(stage.app.overlays.isEmpty)
    showSummary(stage, "4=")
    stage.type("G")
    stage.press(.enter)
    stage.settle()
    #expect(stage.title.contains("filter: ") && list.controller.count < 20, "\(stage.text)")
    #expect(list.controller.count > 0)
  }

  @Test func `is about the filtered rows`() throws {
    let stage = try Stage()
    stage.type("/kim")
    stage.press(.enter)
    stage.settle()
    let count = try #require(stage.app.screen as? ListScreen).controller.count
    showSummary(stage)
    #expect(
      stage.lines.contains { $0.contains("rows") && $0.contains(" \(count) ") }, "\(stage.text)")
  }

  @Test func `is about the rows that a filter is still looking for`() throws {
    let stage = try Stage()
    stage.gate.isOpen = false
    stage.type("/kim")
    stage.press(.enter)
    #expect(stage.title.contains("counting …"))
    stage.type("=")
    stage.gate.isOpen = true
    showSummary(stage, "")
    #expect(stage.lines.contains { $0.contains("rows") && $0.contains(" 1 ") }, "\(stage.text)")
  }

  @Test(arguments: [(80, 24), (20, 5), (5, 2)])
  func `fits any screen`(width: Int, height: Int) throws {
    let stage = try Stage()
    stage.resize(width: width, height: height)
    showSummary(stage)
    stage.type("jjjG")
    #expect(!stage.text.isEmpty)
  }
}
