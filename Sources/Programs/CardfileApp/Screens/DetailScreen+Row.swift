import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension DetailScreen {
  /// Shows the object's table row, including columns without a property.
  func showRow() {
    guard let read = session.services.row else {
      return fail("This kind of store has no table rows")
    }
    do {
      guard let row = try read(objectID) else {
        return fail("The object has no row: it is new, or was deleted from the store")
      }
      app?.present(TextOverlay("Row of \(row.table)", lines: lines(of: row)))
    } catch {
      session.report(error)
    }
  }

  private func lines(of row: TableRow) -> [String] {
    let signs = session.look.signs
    let width = row.columns.reduce(0) { max($0, min(displayWidth(of: $1.name), 40)) }
    return row.columns.map { column in
      let value = ValueText.line(column.value, cutLength: column.cutLength) ?? signs.null
      return "\(signs.fit(column.name, to: width))  \(value)"
    }
  }
}
