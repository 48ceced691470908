import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// Changes the chosen objects; if some of them are not shown, or not held, asks first whether
  /// they are meant.
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
    guard !provider.selectsAll else {
      askToReadAll(verb) { [weak self] in _ = self?.changeChosen(count, verb, change) }
      return false
    }
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

  /// Asks whether all rows of a windowed list are to be read, for what can only be done with each
  /// of them.
  ///
  /// - Parameters:
  ///   - verb: What is done.
  ///   - reason: Why the rows are needed; nil for none but that.
  ///   - body: What to do once they are read, and selected one by one.
  func askToReadAll(_ verb: String, _ reason: String? = nil, _ body: @escaping () -> Void) {
    let lines = [
      reason, "The list holds only the rows near the cursor; this needs all of them: \(verb).",
    ]
    ask(
      "\(listCountText ?? "All") are selected by their condition", lines.compactMap(\.self),
      answers: [("r", "read all of them", { [weak self] in self?.whenComplete(body) })])
  }
}
