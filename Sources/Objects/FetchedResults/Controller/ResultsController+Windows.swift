import ManagedObjects
package import ObjectModel

/// Lists that hold only the rows around what is looked at.
extension ResultsController {
  /// A part that is being read.
  struct WindowRead {
    let part: ListPart
    /// How many rows were asked for.
    let count: Int
    let read: BackgroundRead<WindowReader.Found?>
    /// ``ResultsController/changeNumber`` when it began.
    let changeNumber: Int
    let origin: ChangeOrigin
  }

  /// A count that is under way.
  struct WindowCount {
    let read: BackgroundRead<(all: Int, before: Int?)>
    /// The first held row; nil if those before it are not counted.
    let first: ObjectID?
    let changeNumber: Int
  }

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

  // MARK: Reading

  /// Says which rows are shown: those that are near are read, and held.
  package func look(at rows: Range<Int>) {
    focus = rows
    slideAndCount()
  }

  /// Reads the next rows if those that are shown come near an end of the held ones.
  func slide() {
    guard let window, part != nil, windowRead == nil, wake != nil, !isSuspended,
      background == nil, !focus.isEmpty
    else { return }
    if window.open.contains(.end), focus.upperBound + window.margin > count {
      startReading(.next, window.readCount)
    } else if window.open.contains(.start), focus.lowerBound < window.margin {
      startReading(.previous, window.readCount)
    }
  }

  /// Reads a part of a windowed list.
  ///
  /// - Returns: Whether it is being read.
  /// - Throws: `FetchPredicateError` if the part's condition does not fit the entity.
  func showWindow(_ part: ListPart, count: Int) throws -> Bool {
    guard let window, self.part != nil, !isSuspended, !isNotifying else { return false }
    guard try startReadingPart(part, max(count, window.readCount), .fetch) else { return false }
    windowRead?.read.wait(milliseconds: Self.partPatience)
    takeWindow()
    return true
  }

  /// Reads the held rows again at once, and reports the difference.
  func readWindowNow(for changed: ChangedObjects, origin: ChangeOrigin) {
    guard let window else { return }
    do {
      windowRead?.read.control.cancel()
      windowRead = nil
      keep(changed, origin)
      var found: WindowReader.Found?
      if let (rows, count) = try rows(of: .again, 0, window) {
        found = try window.reader.read(rows, count: count, nil)
      }
      try found = found ?? window.reader.read(.first, count: window.readCount, nil)
      if let found { try show(found, for: .again, origin: origin) }
    } catch {
      report(error)
    }
  }

  /// Reads the held rows again, after other processes have committed.
  func readWindowAgain() { startReading(.again, 0, origin: .store) }

  /// Reads a part without a condition of a person.
  private func startReading(_ part: ListPart, _ count: Int, origin: ChangeOrigin = .fetch) {
    do { _ = try startReadingPart(part, count, origin) } catch { report(error) }
  }

  private func startReadingPart(_ part: ListPart, _ asked: Int, _ origin: ChangeOrigin) throws
    -> Bool
  {
    guard let window, let (rows, count) = try rows(of: part, asked, window) else { return false }
    windowRead?.read.control.cancel()
    missingPart = nil
    let reader = window.reader
    windowRead = WindowRead(
      part: part, count: asked,
      read: BackgroundRead(wake: wake ?? {}) { try reader.read(rows, count: count, $0) },
      changeNumber: changeNumber, origin: origin)
    return true
  }

  /// What is read of the store for a part, and how many rows.
  private func rows(of part: ListPart, _ count: Int, _ window: ListWindow) throws
    -> (WindowReader.Rows, Int)?
  {
    switch part {
    case .first: return (.first, count)
    case .last: return (.last, count)
    case .next: return (.after(unchangedIDs(fromEnd: true)), count)
    case .previous: return (.before(unchangedIDs(fromEnd: false)), count)
    case .objects(let ids): return (.objects(ids.filter { !$0.isTemporary }), count)
    case .share(let share): return (.share(share), count)
    case .section(let id, let distance): return (.section(of: id, by: distance), count)
    case .matching(let condition):
      return try (.matching(validated(condition, window)), count)
    case .match(let condition, let id, let distance):
      return try (.match(validated(condition, window), beside: id, by: distance), count)
    case .again:
      guard let list = results, list.count > 0 else { return (.first, window.readCount) }
      // What is looked at stays, and as much on both sides of it as there was.
      let middle = min(focus.lowerBound, list.count - 1)
      let near =
        list.ids[middle..<min(middle + 64, list.count)]
        + list.ids[max(middle - 64, 0)..<middle].reversed()
      let ids = Array(near).filter { !$0.isTemporary }
      return (
        .around(ids, before: middle + window.margin), list.count - middle + window.margin
      )
    }
  }

  private func validated(_ condition: FetchPredicate, _ window: ListWindow) throws
    -> ValidatedPredicate
  {
    let all = [window.reader.plan.predicate?.predicate, condition].compactMap(\.self)
    return try FetchPredicate.all(all).validated(
      forEntity: window.reader.plan.entityName, in: managedObjectContext.model)
  }

  /// Held objects near an end, the nearest first, that are where the store has them.
  private func unchangedIDs(fromEnd: Bool) -> [ObjectID] {
    guard let ids = results?.ids else { return [] }
    let changed = query.flatMap { try? managedObjectContext.changedIDs(in: $0.plan) } ?? []
    func isUnchanged(_ id: ObjectID) -> Bool { !id.isTemporary && !changed.contains(id) }
    return fromEnd
      ? Array(ids.reversed().lazy.filter(isUnchanged).prefix(64))
      : Array(ids.lazy.filter(isUnchanged).prefix(64))
  }

  // MARK: Taking

  /// Shows rows that have been read, with the changes of the context laid over them.
  ///
  /// - Returns: Whether anything is new.
  @discardableResult
  func takeWindow() -> Bool {
    let isCounted = takeCount()
    guard let windowRead, let result = windowRead.read.take() else { return isCounted }
    self.windowRead = nil
    guard window != nil else { return isCounted }
    guard windowRead.changeNumber == changeNumber else {
      // What was saved meanwhile may or may not be in it.
      startReading(windowRead.part, windowRead.count, origin: windowRead.origin)
      return isCounted
    }
    do {
      if let found = try result.get() {
        try show(found, for: windowRead.part, origin: windowRead.origin)
      } else if windowRead.origin == .store || [.next, .previous].contains(windowRead.part) {
        // None of the rows exists any more.
        startReading(.first, window?.readCount ?? 1, origin: windowRead.origin)
      } else {
        missingPart = windowRead.part
      }
    } catch is SplitSection {
      startReading(.again, 0, origin: windowRead.origin)
    } catch {
      missingPart = windowRead.part
      if error.storeError?.reason != .cancelled { report(error) }
    }
    return true
  }

  private func show(
    _ found: WindowReader.Found, for part: ListPart, origin: ChangeOrigin
  ) throws {
    guard var window, let query, let old = results else { return }
    var (rows, open) = (found.rows, found.open)
    if let neighbour = found.neighbour {
      guard let joined = try joined(rows, to: neighbour, isAfter: part == .next, old) else {
        return
      }
      rows = joined
      open.formUnion(window.open.intersection(part == .next ? .start : .end))
    }
    var new = try checked(
      managedObjectContext.overlay(rows, for: query.plan, open: open), query)
    var offset = open.contains(.start) ? nil : 0
    if found.neighbour != nil, let known = window.offset, let first = old.ids.first,
      let index = new.ids.index(of: first)
    {
      offset = open.contains(.start) ? max(known - index, 0) : 0
    }
    // Rows are let go at the end that they were not added to.
    let excess = new.count - window.mostHeld
    if excess > 0, found.neighbour != nil {
      let shown = focus.clamped(to: old.ids.indices)
      if part == .next {
        let first = shown.isEmpty ? 0 : new.ids.index(of: old.ids[shown.lowerBound]) ?? 0
        let dropped = min(excess, max(first - window.margin, 0))
        if dropped > 0 {
          new = new.part(dropped..<new.count)
          offset = offset.map { $0 + dropped }
          open.insert(.start)
        }
      } else {
        let last =
          shown.isEmpty
          ? new.count : new.ids.index(of: old.ids[shown.upperBound - 1]) ?? new.count
        let end = max(new.count - excess, min(last + window.margin, new.count))
        if end < new.count {
          new = new.part(0..<end)
          open.insert(.end)
        }
      }
    }
    if part == .again {
      // Rows that were not held before are not new.
      let start = window.open.contains(.start) ? new.firstCommon(with: old) : 0
      let end = window.open.contains(.end) ? new.endOfCommon(with: old) : new.count
      if open.contains(.start) || start > 0 {
        open.insert(.start)
        offset = nil
      }
      if end < new.count { open.insert(.end) }
      new = new.part(start..<end)
    }
    (window.open, window.offset) = (open, offset)
    self.window = window
    (target, isTargetWrapped) = (part == .again ? nil : found.target, found.isWrapped)
    missingPart = nil
    let shown = focus.clamped(to: old.ids.indices)
    let first = shown.isEmpty ? nil : new.ids.index(of: old.ids[shown.lowerBound])
    focus = first.map { $0..<min($0 + shown.count, new.count) } ?? 0..<0
    isShowingTarget = target != nil
    show(new, of: query, part: open.isEmpty ? nil : part, origin: origin)
    isShowingTarget = false
    // Where others are looked at, they are drawn first.
    if first != nil { slide() }
    startCounting()
  }

  /// The held rows up to a neighbour and the rows beside it.
  private func joined(
    _ rows: FetchedIDs, to neighbour: ObjectID, isAfter: Bool, _ list: ResultsSections
  ) throws -> FetchedIDs? {
    guard let index = list.ids.index(of: neighbour) else { return nil }
    let held = list.part(isAfter ? 0..<index + 1 : index..<list.count)
    // A row that has moved since is where it was read last.
    let moved = held.ids.indexes(of: Set(rows.ids)).map(\.index).sorted()
    let kept = try held.applying(ListEdits(removals: moved, insertions: [])).fetched
    return isAfter ? kept.joined(rows) : rows.joined(kept)
  }

  /// Reads and counts what is not known.
  func slideAndCount() {
    slide()
    startCounting()
  }

  // MARK: Counting

  func startCounting() {
    guard let window, part != nil, windowCount == nil, wake != nil, !isSuspended,
      !window.countsNothing, !window.isCounted || window.offset == nil
    else { return }
    let first = window.offset == nil ? unchangedIDs(fromEnd: false).first : nil
    // Before an unsaved object there are rows that are not counted.
    let id = first == results?.ids.first && !managedObjectContext.hasChanges ? first : nil
    if window.isCounted, id == nil { return }
    let reader = window.reader
    windowCount = WindowCount(
      read: BackgroundRead(
        FetchControl(timeLimit: ListWindow.countLimit), isUrgent: false, wake: wake ?? {}
      ) { try reader.counts(before: id, $0) }, first: id, changeNumber: changeNumber)
  }

  private func takeCount() -> Bool {
    guard let windowCount, let result = windowCount.read.take() else { return false }
    self.windowCount = nil
    guard window != nil, windowCount.changeNumber == changeNumber else {
      startCounting()
      return false
    }
    guard case .success(let counts) = result else {
      // It takes too long: the estimate stays.
      window?.countsNothing = true
      return false
    }
    window?.storedCount = counts.all
    window?.isCounted = true
    if let before = counts.before, windowCount.first == results?.ids.first,
      window?.open.contains(.start) == true
    {
      window?.offset = before
    } else {
      startCounting()
    }
    return true
  }

  /// Notes that what was read and counted may be wrong.
  func windowIsOutdated(_ event: ContextEvent) {
    switch event {
    case .willSave: return
    case .changed: break
    case .didSave, .refreshed, .reset: window?.isCounted = false
    }
    changeNumber += 1
    if open.contains(.start) { window?.offset = nil }
  }
}

extension ResultsSections {
  /// The index of the first row that is also in another list; 0 if the lists share none.
  fileprivate func firstCommon(with other: ResultsSections) -> Int {
    ids.indexes(of: Set(other.ids)).map(\.index).min() ?? 0
  }

  /// The index after the last row that is also in another list; the end if the lists share none.
  fileprivate func endOfCommon(with other: ResultsSections) -> Int {
    ids.indexes(of: Set(other.ids)).map(\.index).max().map { $0 + 1 } ?? count
  }

  /// The rows as they were fetched.
  var fetched: FetchedIDs {
    FetchedIDs(
      ids: ids,
      sections: isSectioned
        ? zip(names, counts.counts).map { SectionRun(name: $0, count: $1) } : [])
  }

  /// Some neighbouring rows.
  func part(_ range: Range<Int>) -> ResultsSections {
    var part = FetchedIDs(ids: ids)
    part.ids.removeSubrange(range.upperBound...)
    part.ids.removeSubrange(..<range.lowerBound)
    if isSectioned {
      part.sections = names.indices.compactMap { section in
        let rows = self.range(ofSection: section).clamped(to: range)
        return rows.isEmpty ? nil : SectionRun(name: names[section], count: rows.count)
      }
    }
    return ResultsSections(part, isSectioned: isSectioned)
  }
}
