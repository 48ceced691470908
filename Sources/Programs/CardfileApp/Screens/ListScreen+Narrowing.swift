import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// Shows only the objects that have, or have not, the value of the cursor's object in a column.
  ///
  /// - Parameters:
  ///   - isEqual: Whether the objects with the value are shown.
  ///   - number: The number of the column on the screen, from 1; nil for the marked one.
  func narrow(isEqual: Bool, column number: Int?) {
    let shown = displayedColumns
    if let number, !shown.indices.contains(number - 1) {
      return fail("There are \(shown.count) columns on the screen")
    }
    guard let column = number.map({ columns.shown[shown[$0 - 1]] }) ?? markedColumn,
      let id = cursorID
    else { return }
    columns.markedName = column.name
    let object = session.context.object(with: id)
    guard let condition = ValueCondition(column, of: object, isEqual: isEqual, in: session) else {
      return fail("Values of \(column.name) cannot be compared")
    }
    do {
      let text = combined(with: condition.text)
      filter(by: try TypedPredicate(text, as: .predicate, for: entity, in: session.model))
      rememberFilter(text)
    } catch {
      fail(error.message)
    }
  }

  /// The filter as a predicate, and a condition.
  private func combined(with condition: String) -> String {
    guard let filter else { return condition }
    guard filter.form == .predicate else {
      return "(\(filter.predicate.predicate)) AND \(condition)"
    }
    let isPlain = !filter.text.lowercased().contains(" or ") && !filter.text.contains("||")
    return (isPlain ? filter.text : "(\(filter.text))") + " AND \(condition)"
  }
}
