import FetchedResults
import ListProviders
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// The number of objects, the order, and what is not shown.
  var listFacts: [String] {
    var facts = [countText]
    if filterTyping != nil, provider.foundNone { return ["nothing matches", "old rows shown"] }
    if filterTyping?.bar.problem != nil { return facts + ["filter not applied"] }
    if let first = displayedOrder {
      facts.append("by \(first.keyPath) \(first.ascending ? "↑" : "↓")")
    }
    let hiddenCount = isGrid ? 0 : columns.hiddenNames.count
    if hiddenCount > 0 { facts.append("+\(groupedDigits(hiddenCount)) hidden") }
    if session.isReplaced {
      facts.append("file replaced")
    } else if session.store.summary.copied == nil {
      facts.append("live ●")
    }
    return facts
  }

  private var countText: String {
    switch provider.fetchState {
    case .notFetched: return isUnread ? "not read" : "loading …"
    case .partial where isUnread: return "not read"
    case .partial where isWorking: return "counting …"
    case .partial:
      let prefix = provider.part == .last ? "last " : startsAtFirstRow ? "first " : ""
      return prefix + groupedDigits(controller.count)
    case .complete: break
    }
    // The old rows are not the objects that the new filter finds.
    if isWorking, provider.displayedRequest?.filter?.text != filter?.text { return "counting …" }
    let count = groupedDigits(controller.count)
    if filter != nil, let unfilteredCount { return "\(count) of \(groupedDigits(unfilteredCount))" }
    return controller.count == 1 ? "1 object" : "\(count) objects"
  }

  /// What is typed, hidden or selected; else what to try.
  var listStatus: String {
    if let typeAhead {
      return typeAhead.prompt(sectionCount: table.numberOfSections)
    } else if let filter, controller.count == 0, let unfilteredCount, !isWorking,
      !filter.text.isEmpty
    {
      return "\(groupedDigits(unfilteredCount)) objects hidden by the filter"
    } else if selectedCount > 0 {
      return selectionText
    }
    return scope.path.isEmpty ? session.options.tips[entity.name] ?? "" : ""
  }

  /// The numbers of unsaved changes, and where the cursor is.
  var listCounters: String {
    var parts: [String] = []
    let flags = session.flagCounters
    if !flags.isEmpty { parts.append(flags + " ") }
    if let section = table.currentSection, let title = shortTitle(ofSection: section),
      !title.isEmpty
    {
      parts.append(title)
    }
    if !position.isEmpty { parts.append(position) }
    return parts.joined(separator: "  ")
  }

  /// The title of a section, cut short, for the cursor's position.
  private func shortTitle(ofSection section: Int) -> String? {
    guard provider.displayedRequest?.sectionKey != nil, let names = controller.results?.names,
      names.indices.contains(section)
    else { return nil }
    return session.look.signs.cut(sectionTitle(names[section]), to: 12)
  }
}
