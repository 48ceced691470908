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
    guard let column = column(number), let id = cursorID else { return }
    columns.markedName = column.name
    let object = session.context.object(with: id)
    guard let condition = ValueCondition(column, of: object, isEqual: isEqual, in: session) else {
      return fail("Values of \(column.name) cannot be compared")
    }
    narrow(to: condition.text)
  }

  /// Shows only the shown objects that meet a condition too.
  func narrow(to condition: String) {
    do {
      let text = combined(with: condition)
      filter(by: try TypedPredicate(text, as: .predicate, for: entity, in: session.model))
      rememberFilter(text)
    } catch {
      fail(error.message)
    }
  }

  /// A column by its number on the screen, counted from 1; the marked one for nil.
  func column(_ number: Int?) -> ListColumn? {
    guard let number else { return markedColumn }
    let shown = displayedColumns
    guard shown.indices.contains(number - 1) else {
      fail("The screen has \(counted(shown.count, "column"))")
      return nil
    }
    return columns.shown[shown[number - 1]]
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
