import ManagedObjects
import ObjectModel

/// Reading rows of a windowed list.
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
  func startReading(_ part: ListPart, _ count: Int, origin: ChangeOrigin = .fetch) {
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
    case .text(let text): return (.text(text), count)
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
  func unchangedIDs(fromEnd: Bool) -> [ObjectID] {
    guard let ids = results?.ids else { return [] }
    let changed = query.flatMap { try? managedObjectContext.changedIDs(in: $0.plan) } ?? []
    func isUnchanged(_ id: ObjectID) -> Bool { !id.isTemporary && !changed.contains(id) }
    return fromEnd
      ? Array(ids.reversed().lazy.filter(isUnchanged).prefix(64))
      : Array(ids.lazy.filter(isUnchanged).prefix(64))
  }

  /// Reads and counts what is not known.
  func slideAndCount() {
    slide()
    startCounting()
  }
}
