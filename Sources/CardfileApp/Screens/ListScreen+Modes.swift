import FetchedResults
import ListProviders
import ObjectModel
import TerminalKit

extension ListScreen {
  // MARK: Going to a section

  func startJump() {
    guard provider.displayedRequest?.sectionKey != nil, table.numberOfSections > 1 || isPartial
    else {
      session.message = .failed("This list has no sections — s sorts by something else")
      return
    }
    jump = JumpMode()
  }

  /// Takes a key while letters are waited for.
  func handleJumpKey(_ key: Key) -> Bool {
    guard var mode = jump else { return false }
    let outcome = mode.handle(key) { table.sections(matching: $0) }
    jump = mode
    switch outcome {
    case .waiting: break
    case .left: jump = nil
    case .found(let section):
      jump = nil
      jump(to: section)
    case .goBack:
      jump = nil
      guard let place = returnPlace else {
        session.message = .done("No jump to go back from")
        break
      }
      returnPlace = table.position
      table.position = place
    case .refused(let letter):
      guard isPartial else {
        session.message = .failed("No section begins with \(mode.letters)\(letter)")
        break
      }
      // The section may still be on its way.
      let wanted = mode.letters + String(letter)
      jump = nil
      waitingMotion = { [weak self] in
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
    wantedCursor = nil
    returnPlace = table.position
    table.move(.section(section))
  }

  // MARK: Filtering

  func startFilter() {
    beforeFilter = (filter, place)
    filterBar = FilterBar(
      filter, entity: entity, model: session.model,
      wordAttributes: wordAttributes, history: session.filterHistory[entity.name] ?? [])
  }

  /// The shown text attributes: what words are looked for in.
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
      let before = beforeFilter
      beforeFilter = nil
      setFilter(before?.filter)
      if let place = before?.place, isWorking || !goBack(to: place) { wantedCursor = place }
    }
    return true
  }

  /// Filters by what is typed now; while it is wrong the last good list stays.
  func filterTextChanged() {
    guard let filterBar else { return }
    do {
      setFilter(try filterBar.typed())
    } catch {
      // The filter bar shows it.
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
    guard !text.isEmpty else { return }
    var history = session.filterHistory[entity.name] ?? []
    history.removeAll { $0 == text }
    history.append(text)
    session.filterHistory[entity.name] = history.suffix(100)
  }
}
