import FetchedResults
import ListProviders
import ManagedObjects
package import ObjectModel
import TerminalKit

extension ListScreen {
  var searchCommands: [KeyCommand] {
    [
      KeyCommand("/", section: .find, help: "search", hint: "search") { [weak self] in
        self?.startFilter()
      },
      KeyCommand(.escape, section: .find, help: "show all") { [weak self] in self?.escape() },
      KeyCommand("f", section: .find, label: "f n N", help: "find, next, previous") { [weak self] in
        self?.startFind()
      },
      KeyCommand(["n"], section: .find, help: "") { [weak self] in self?.goToMatch($0 ?? 1) },
      KeyCommand(["N"], section: .find, help: "") { [weak self] in self?.goToMatch(-($0 ?? 1)) },
    ]
  }

  /// What names in a typed text mean, and what was typed before; nil without an entity.
  var reader: FilterTyping.Reader? {
    if let makeReader { return makeReader() }
    guard let entity else { return nil }
    let texts = entity.attributes.filter { [.string, .uri, .undefined].contains($0.type) }
    return FilterTyping.Reader(
      entity: entity, model: context.model,
      wordAttributes: searchAttributes
        ?? (texts.isEmpty ? entity.attributes : texts).map(\.name),
      history: typedFilters)
  }

  /// The entity whose objects are listed.
  var entity: EntityDescription? { context.model.entity(named: provider.entityName) }

  // MARK: Typing

  /// Starts typing a filter; the list follows.
  package func startFilter() {
    guard let reader else { return }
    filterTyping = FilterTyping(
      .filter, reader, filter: filter, cursor: cursor, history: reader.history)
  }

  func handleFilterKey(_ key: Key) -> Bool {
    guard let typing = filterTyping else { return false }
    if key == .tab { catchUp() }
    switch typing.handle(key) {
    case .submitted: keep(typing)
    case .cancelled:
      filterTyping = nil
      guard typing.purpose == .filter else { break }
      filter(by: typing.former.filter)
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
        application?.rememberFound(typing.bar.text)
        if let typed { find(typed) }
        return
      }
      rememberFilter(typing.bar.text)
      // What could not be fetched while it was typed is tried again.
      filter(by: typed)
      if controller.foundNone { fetch(.filtering, provider.request) }
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
      if typing.purpose == .filter { filter(by: typed) }
    } catch {
      // The bar shows the error.
    }
  }

  /// Shows the objects that match only, once they are fetched; nil for all.
  package func filter(by filter: TypedPredicate?) {
    guard filter != self.filter else { return }
    var request = provider.request
    request.filter = filter
    guard isFetched else { return provider.request = request }
    // While it is typed, an unfinished condition does not empty the screen.
    fetch(.filtering, request, showsNone: filterTyping == nil)
  }
}
