import ManagedObjects
package import ObjectModel

/// Lists that hold only the rows around what is looked at.
extension ResultsController {
  /// Whether only the rows around what is looked at are held, and not all.
  package var isWindowed: Bool { window != nil && part != nil }

  /// At which ends there may be rows that are not held.
  var open: OpenEnds {
    window?.open ?? part?.open ?? []
  }

  /// How many rows there are before the first one that is held; nil if that is not known.
  package var heldOffset: Int? {
    open.contains(.start) ? window?.offset : 0
  }

  /// How many rows the list has, and whether that is exact; nil if nothing is known.
  package var listCount: (count: Int, isExact: Bool)? {
    guard let window, part != nil else { return part == nil ? (count, true) : nil }
    guard let stored = window.storedCount, let query else { return nil }
    let added = try? managedObjectContext.addedCount(in: query.plan)
    return (max(stored + (added ?? 0), count), window.isCounted && added != nil)
  }

  /// Whether rows of a windowed list are being read.
  package var isReadingWindow: Bool { windowRead != nil }
  /// Whether a part of a windowed list is being read.
  package func isReading(_ part: ListPart) -> Bool { windowRead?.part == part }
  /// Whether rows of a windowed list are being counted.
  package var isCountingWindow: Bool { windowCount != nil }

  /// Whether rows that are not held may come before the first one, or after the last one.
  package var isOpenAtStart: Bool { open.contains(.start) }
  package var isOpenAtEnd: Bool { open.contains(.end) }

  /// The index of the object that the part that is shown was read for; nil for none.
  package var targetRow: Int? { target.flatMap { results?.ids.index(of: $0) } }

  /// Looks the sections of a windowed list up, on any thread; nil for a whole list.
  ///
  /// - Parameter limit: The greatest number of sections.
  /// - Returns: What looks them up; it returns nil if there are more.
  package func sectionReading(limit: Int)
    -> (@Sendable (FetchControl) throws -> [LookedUpSection]?)?
  {
    guard isWindowed, let reader = window?.reader else { return nil }
    return { try reader.sections(limit: limit, $0) }
  }

  /// Reads all rows of a windowed list in order, some at a time and without unsaved changes, on any
  /// thread; nil for a whole list.
  package func rowReading() -> ListRowReading? {
    guard isWindowed, var plan = window?.reader.plan, let store = window?.reader.store else {
      return nil
    }
    plan.sectionKey = nil
    let reader = WindowReader(store: store, plan: plan)
    return { try reader.forEachPart(of: $0, $1, $2) }
  }

  /// The window for a request; nil if all rows are to be held.
  ///
  /// A list with a limit is never long, and the limit counts from its first row.
  func window(for query: LiveQuery) -> ListWindow? {
    guard query.request.extent != .whole, query.plan.limit == nil, query.plan.offset == 0,
      let store = managedObjectContext.persistentStoreCoordinator.store.placeFetching
    else { return nil }
    // What the store cannot answer it will not be able to fetch either.
    guard let survey = try? store.survey(query.plan) else { return nil }
    var window = ListWindow(
      reader: WindowReader(store: store, plan: query.plan), readCount: ListWindow.readCount)
    window.storedCount = survey.estimatedCount
    switch query.request.extent {
    case .whole: return nil
    case .automatic: return survey.isForWindows ? window : nil
    case .window(let readCount):
      window = ListWindow(reader: window.reader, readCount: readCount)
      window.storedCount = survey.estimatedCount
      return window
    }
  }
}
