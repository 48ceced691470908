import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// Changes the chosen objects; if some of them are not shown, asks first whether they are meant.
  ///
  /// - Parameters:
  ///   - count: How many objects from the cursor on, without a selection.
  ///   - verb: What is done, for the question.
  ///   - change: The change of objects.
  /// - Returns: False if it asks.
  @discardableResult
  func changeChosen(
    _ count: Int?, _ verb: String, _ change: @escaping ([ObjectID]) -> Void
  ) -> Bool {
    rangeSelection = nil
    let shown = chosenIDs(count: count)
    let context = session.context
    try? context.prefetch(provider.hiddenSelection)
    let hidden = provider.hiddenSelection.filter { context.object(with: $0).isAccessible }
    let all = shown + hidden.sorted { $0.description < $1.description }
    // While a list is loading, rows are missing only for a moment.
    guard !hidden.isEmpty, !fetching.isPartial else {
      change(all)
      return true
    }
    var answers: [(key: Character, label: String, action: () -> Void)] = [
      ("a", "all \(groupedDigits(all.count))", { change(all) })
    ]
    if !shown.isEmpty {
      answers.append(("s", "only the \(groupedDigits(shown.count)) shown", { change(shown) }))
    }
    let counts = "\(groupedDigits(hidden.count)) of the \(groupedDigits(all.count)) selected"
    let (are, them) = hidden.count == 1 ? ("is", "it") : ("are", "them")
    ask(
      "\(counts) \(are) not shown", ["The list does not show \(them). Which: \(verb)?"],
      answers: answers)
    return false
  }
}
