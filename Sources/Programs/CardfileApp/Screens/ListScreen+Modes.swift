import FetchedResults
import ListProviders
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  // MARK: Filtering

  func startFilter() {
    filterTyping = FilterTyping(
      .filter, typedReader, filter: filter, cursor: cursor,
      history: session.state.filterHistory[entity.name] ?? [])
  }

  /// What names in a typed text mean.
  var typedReader: FilterTyping.Reader {
    .init(
      entity: entity, model: session.model, wordAttributes: wordKeyPaths,
      knownTexts: session.knownTexts)
  }

  func handleFilterKey(_ key: Key) -> Bool {
    guard let typing = filterTyping else { return false }
    if key == .tab { catchUp() }
    switch typing.handle(key) {
    case .submitted: keep(typing)
    case .cancelled:
      filterTyping = nil
      guard typing.purpose == .filter else { break }
      setFilter(typing.former.filter)
      if let cursor = typing.former.cursor, isWorking || !restore(cursor) {
        cursorToRestore = cursor
      }
    case .changed, .complete, .moved, .ignored: break
    }
    return true
  }

  /// Ends typing: the filter stays, or what was typed is looked for.
  private func keep(_ typing: FilterTyping) {
    do {
      let typed = try typing.read()
      filterTyping = nil
      if typing.purpose == .find {
        session.rememberFound(typing.bar.text)
        if let typed { find(typed) }
        return
      }
      remember(typing.bar.text)
      // What could not be fetched while it was typed is tried again.
      setFilter(typed)
      if provider.foundNone { fetch(.filtering, provider.request) }
    } catch {
      fail(error.message)
    }
  }

  /// Filters by the typed text, once for all keys of a burst; while it is not valid the last list
  /// stays.
  func applyFilterText() {
    guard let typing = filterTyping, typing.isChanged else { return }
    do {
      let typed = try typing.read()
      if typing.purpose == .filter { setFilter(typed) }
    } catch {
      // The bar shows the error.
    }
  }

  /// Changes or removes the filter.
  func setFilter(_ filter: TypedPredicate?) {
    guard filter != self.filter else { return }
    var request = provider.request
    request.filter = filter
    // While it is typed, an unfinished condition does not empty the screen.
    fetch(.filtering, request, showsNone: filterTyping == nil)
  }

  func remember(_ text: String) {
    session.remember { StoreState.add(text, to: &$0.filterHistory[entity.name, default: []]) }
  }
}
