import FetchedResults
import ListProviders
import ObjectModel
import TerminalKit

extension ListScreen {
  // MARK: Filtering

  func startFilter() {
    stateBeforeFilter = (filter, cursor)
    openBar(
      FilterBar(
        filter, entity: entity, model: session.model,
        wordAttributes: wordKeyPaths, history: session.state.filterHistory[entity.name] ?? []))
  }

  /// Shows a bar, whose texts are completed from the store.
  func openBar(_ bar: FilterBar) {
    bar.knownTexts = session.knownTexts
    filterBar = bar
  }

  func handleFilterKey(_ key: Key) -> Bool {
    guard let bar = filterBar else { return false }
    // What is completed depends on what is wrong with the text.
    if key == .tab { catchUp() }
    switch bar.handle(key) {
    case .none: break
    case .changed: hasNewFilterText = true
    case .kept: keep(bar)
    case .cancelled where bar.purpose == .find: filterBar = nil
    case .cancelled:
      filterBar = nil
      let before = stateBeforeFilter
      stateBeforeFilter = nil
      setFilter(before?.filter)
      if let cursor = before?.cursor, isWorking || !restore(cursor) { cursorToRestore = cursor }
    }
    return true
  }

  /// Ends typing: the filter stays, or what was typed is looked for.
  private func keep(_ bar: FilterBar) {
    do {
      let typed = try bar.typed()
      filterBar = nil
      if bar.purpose == .find {
        session.rememberFound(bar.text)
        if let typed { find(typed) }
        return
      }
      remember(bar.text)
      // What could not be fetched while it was typed is tried again.
      setFilter(typed)
      if provider.foundNone { fetch(.filtering, provider.request) }
    } catch {
      session.message = .failed(error.message)
    }
  }

  /// Filters by the typed text, once for all keys of a burst; while it is not valid the last list
  /// stays.
  func catchUp() {
    guard hasNewFilterText else { return }
    hasNewFilterText = false
    guard let filterBar else { return }
    do {
      let typed = try filterBar.typed()
      if filterBar.purpose == .filter { setFilter(typed) }
    } catch {
      // The filter bar shows the error.
    }
  }

  /// Changes or removes the filter.
  func setFilter(_ filter: TypedPredicate?) {
    guard filter != self.filter else { return }
    var request = provider.request
    request.filter = filter
    // While it is typed, an unfinished condition does not empty the screen.
    fetch(.filtering, request, showsNone: filterBar == nil)
  }

  func remember(_ text: String) {
    session.remember { StoreState.add(text, to: &$0.filterHistory[entity.name, default: []]) }
  }
}
