import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// The most rows that are copied; more is for a file.
  private static let mostCopied = 10_000

  /// Shows what `y` offers for the chosen rows.
  func copyChosen() {
    guard !provider.selectsAll || selectedCount <= Self.mostCopied else {
      return refuseToCopy(listCountText ?? "All")
    }
    changeChosen(nil, "copy") { self.copy($0) }
  }

  private func refuseToCopy(_ count: String) {
    fail("\(count) rows are too many to copy — :export writes them to a file")
  }

  /// Shows what `y` offers for rows.
  private func copy(_ ids: [ObjectID]) {
    guard !ids.isEmpty else { return fail("There is no row to copy") }
    guard ids.count <= Self.mostCopied else {
      return refuseToCopy(groupedDigits(ids.count))
    }
    let text = ObjectText(session: session)
    let objects = { [session] in
      try session.context.prefetch(ids)
      return ids.map { session.context.object(with: $0) }
    }
    let rows = ids.count == 1 ? "row" : "\(groupedDigits(ids.count)) rows"
    let (columns, hiddenCount) = self.columns.written
    let what = "\(rows), \(ListColumns.phrase(columns.count, hidden: hiddenCount))"
    let cell = markedColumn
    app?.present(
      CopyOverlay(
        [
          .init(key: "y", label: rows) {
            let lines = try objects().map { object in
              try columns.map { try text.text($0, of: object) }.joined(separator: "\t")
            }
            return (what, lines.joined(separator: "\n"))
          },
          .init(key: "c", label: cell?.name ?? "cell") {
            let cells = try objects().map { object in
              try cell.map { try text.text($0, of: object) } ?? ""
            }
            return (cell?.name ?? "cell", cells.joined(separator: "\n"))
          },
          .init(key: "j", label: "JSON") {
            (
              "\(rows) as JSON",
              try objects().map { try text.json(of: $0) }.joined(separator: "\n")
            )
          },
          .init(key: "i", label: "objectID") {
            (
              ids.count == 1 ? "the objectID" : "\(groupedDigits(ids.count)) objectIDs",
              ids.map(\.uriRepresentation).joined(separator: "\n")
            )
          },
          .init(key: "p", label: "predicate") { [weak self] in
            ("the list's predicate", self?.predicateText ?? "")
          },
        ], session: session))
  }

  /// The condition of the displayed rows as `--where` takes it.
  var predicateText: String {
    let scope = scope.predicate?.predicate
    let filter = filter?.predicate.predicate
    switch (scope, filter) {
    case (let scope?, let filter?): return "(\(scope)) AND (\(filter))"
    case (let one?, nil), (nil, let one?): return "\(one)"
    case (nil, nil): return "TRUEPREDICATE"
    }
  }
}
