import FetchedResults
import ListProviders
import ManagedObjects
public import ObjectModel
import TerminalKit

extension ListScreen {
  var searchCommands: [KeyCommand] {
    [
      KeyCommand("/", section: .find, help: "search", hint: "search") { [weak self] in
        self?.askForFilter()
      },
      KeyCommand(.escape, section: .find, help: "show all") { [weak self] in
        self?.provider.selectNone()
        self?.filter(by: nil)
      },
      KeyCommand("f", section: .find, label: "f n N", help: "find, next, previous") { [weak self] in
        self?.askForText()
      },
      KeyCommand("n", section: .find, help: "") { [weak self] in self?.goToMatch(1) },
      KeyCommand("N", section: .find, help: "") { [weak self] in self?.goToMatch(-1) },
    ]
  }

  /// Reads a text as words to search for, or as a predicate; nil for an empty text.
  private func typed(_ text: String) throws -> TypedPredicate? {
    let model = provider.managedObjectContext.model
    guard text.contains(where: { !$0.isWhitespace }),
      let entity = model.entity(named: provider.entityName)
    else { return nil }
    return try TypedPredicate(
      text, as: TypedPredicate.form(of: text, for: entity), for: entity, in: model,
      wordAttributes: searchAttributes)
  }

  // MARK: Searching

  private func askForFilter() {
    let (former, position) = (provider.request.filter, tableView.position)
    prompt(
      "Search", label: "/", text: former?.text ?? "",
      changed: { [weak self] text in
        // A predicate that is not complete yet leaves the rows.
        if let filter = try? self?.typed(text) {
          self?.filter(by: filter)
        } else if text.isEmpty {
          self?.filter(by: nil)
        }
      },
      cancelled: { [weak self] in
        self?.filter(by: former)
        self?.tableView.position = position
      },
      entered: { [weak self] text in self?.filter(by: try self?.typed(text)) })
  }

  /// Shows the objects that match only; nil for all.
  public func filter(by filter: TypedPredicate?) {
    guard provider.request.filter != filter else { return }
    provider.request.filter = filter
    showProviderError()
  }

  // MARK: Finding

  private func askForText() {
    prompt("Find", label: "f ", text: found?.text ?? "") { [weak self] text in
      self?.found = try self?.typed(text)
      self?.goToMatch(0)
    }
  }

  /// Moves to a match without hiding rows: `step` 1 for the next, -1 for the previous, 0 for the
  /// first from the cursor on.
  private func goToMatch(_ step: Int) {
    guard let found, let cursor = tableView.cursorRow else {
      return show("Nothing to find yet — f finds a text")
    }
    completeList()
    showingErrors {
      let rows = try self.rows(matching: found)
      let next =
        step < 0
        ? rows.lastIndex { $0 < cursor } ?? rows.indices.last
        : rows.firstIndex { $0 >= cursor + step } ?? rows.indices.first
      guard let next, let path = tableView.path(ofRow: rows[next]) else {
        return show("“\(found.text)” was not found")
      }
      tableView.moveCursor(to: path)
      show("“\(found.text)”: \(groupedDigits(next + 1)) of \(groupedDigits(rows.count))")
    }
  }

  /// The numbers of the rows whose objects match, in order.
  private func rows(matching found: TypedPredicate) throws -> [Int] {
    let context = provider.managedObjectContext
    var request = provider.request
    let conditions = [
      request.fetchRequest.predicate, request.filter?.predicate.predicate,
    ].compactMap(\.self)
    request.fetchRequest.predicate = conditions.isEmpty ? nil : .all(conditions)
    request.filter = found
    let plan = try request.plan(in: context.model)
    let ids = try context.overlay(context.fetchIDs(plan), for: plan).ids
    return ids.compactMap { provider.tablePath(for: $0) }.compactMap { tableView.row(at: $0) }
      .sorted()
  }
}
