import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// Summarizes a column of the rows that are shown, in the background.
  ///
  /// - Parameter number: The number of the column on the screen, from 1; nil for the marked one.
  func summarize(column number: Int?) {
    // While rows of an earlier request are still shown, those that will be.
    let shown = controller.showsEarlierRequest ? controller.request : controller.displayedRequest
    guard let column = column(number), let request = shown else { return }
    columns.markedName = column.name
    guard let path = path(to: column),
      let summarized = SummaryPlan.Column(path, of: entity, in: session.model)
    else { return fail("\(column.name) has no values to summarize") }
    do {
      let plan = SummaryPlan(try request.plan(in: session.model), columns: [summarized])
      let store = session.store
      session.jobs.start("Summarizing \(column.name)", for: self) { control in
        try store.summarize(plan, control: control)
      } done: { [weak self] summaries in
        if let summary = summaries.first { self?.show(summary, of: column, path: path) }
      }
    } catch {
      fail(error.description)
    }
  }

  private func show(_ summary: ColumnSummary, of column: ListColumn, path: [String]) {
    let lines = SummaryLine.lines(of: summary, path: path) { value in
      ValueText.line(value, format: column.format) ?? session.look.signs.null
    }
    let isSaved = !session.context.hasChanges
    app?.present(
      SummaryOverlay(
        title: KeyPathText.text(path) + (isSaved ? "" : ", as saved"), lines: lines
      ) { [weak self] in self?.narrow(to: $0) })
  }

  /// The names of the relationships and of the attribute that a column shows; nil if it shows none.
  private func path(to column: ListColumn) -> [String]? {
    switch column.source {
    case .attribute(let attribute): [attribute.name]
    case .toOne(let relationship):
      session.model.entity(named: relationship.destinationEntityName)?
        .displayCandidates.first.map { [relationship.name, $0] }
    case .object: entity.displayCandidates.first.map { [$0] }
    case .toMany: nil
    }
  }
}
