import FetchedResults
import ListProviders
import ObjectModel
import TerminalKit

extension ListScreen {
  // MARK: Jumping to a section

  func startJump() {
    guard provider.displayedRequest?.sectionKey != nil else {
      session.message = .failed("This list has no sections — s sorts by something else")
      return
    }
    jump = JumpMode()
  }

  /// Handles a key in jump mode.
  func handleJumpKey(_ key: Key) -> Bool {
    guard var mode = jump else { return false }
    let outcome = mode.handle(key) { table.sections(matching: $0) }
    jump = mode
    switch outcome {
    case .waiting: break
    case .cancelled: jump = nil
    case .found(let section):
      jump = nil
      jump(to: section)
    case .back:
      jump = nil
      guard let position = positionBeforeJump else {
        session.message = .done("There was no jump before")
        break
      }
      positionBeforeJump = table.position
      table.position = position
    case .unmatched(let letter):
      guard isPartial else {
        session.message = .failed("No section begins with \(mode.letters)\(letter)")
        break
      }
      // The section may not be fetched yet.
      let wanted = mode.letters + String(letter)
      jump = nil
      deferredMotion = { [weak self] in
        guard let self else { return }
        if let section = table.sections(matching: wanted).first {
          jump(to: section)
        } else {
          session.message = .failed("No section begins with \(wanted)")
        }
      }
    }
    return true
  }

  private func jump(to section: Int) {
    cursorToRestore = nil
    hasMovedCursor = true
    positionBeforeJump = table.position
    table.move(.section(section))
  }

  // MARK: Filtering

  func startFilter() {
    stateBeforeFilter = (filter, cursor)
    filterBar = FilterBar(
      filter, entity: entity, model: session.model,
      wordAttributes: wordAttributes, history: session.state.filterHistory[entity.name] ?? [])
  }

  /// The text attributes of the columns, which words are searched in.
  private var wordAttributes: [String] {
    let texts = columns.compactMap { column -> String? in
      guard case .attribute(let attribute) = column.source else { return nil }
      return attribute.type == .string || attribute.type == .undefined ? attribute.name : nil
    }
    return texts.isEmpty ? entity.attributes.map(\.name) : texts
  }

  func handleFilterKey(_ key: Key) -> Bool {
    guard let bar = filterBar else { return false }
    switch bar.handle(key) {
    case .none: break
    case .changed: filterTextChanged()
    case .kept:
      guard bar.error == nil else {
        session.message = .failed(bar.error?.message ?? "")
        break
      }
      filterBar = nil
      remember(bar.text)
    case .cancelled:
      filterBar = nil
      let before = stateBeforeFilter
      stateBeforeFilter = nil
      setFilter(before?.filter)
      if let cursor = before?.cursor, isWorking || !restore(cursor) { cursorToRestore = cursor }
    }
    return true
  }

  /// Filters by the typed text; while it is not valid the last list stays.
  func filterTextChanged() {
    guard let filterBar else { return }
    do {
      setFilter(try filterBar.typed())
    } catch {
      // The filter bar shows the error.
    }
  }

  /// Changes or removes the filter.
  func setFilter(_ filter: TypedPredicate?) {
    guard filter != self.filter else { return }
    var request = provider.request
    request.filter = filter
    fetch(.filtering, request)
  }

  private func remember(_ text: String) {
    session.remember { StoreState.add(text, to: &$0.filterHistory[entity.name, default: []]) }
  }
}
