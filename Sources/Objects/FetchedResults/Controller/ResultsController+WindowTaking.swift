import ManagedObjects
import ObjectModel

/// Showing the rows of a windowed list that have been read.
extension ResultsController {
  /// Shows rows that have been read, with the changes of the context laid over them.
  ///
  /// - Returns: Whether anything is new.
  @discardableResult
  func takeWindow() -> Bool {
    let (hasSections, isCounted) = (takeSections(), takeCount())
    let isNew = hasSections || isCounted
    guard let windowRead, let result = windowRead.read.take() else { return isNew }
    self.windowRead = nil
    guard window != nil else { return isNew }
    guard windowRead.changeNumber == changeNumber else {
      // What was saved meanwhile may or may not be in it.
      startReading(windowRead.part, windowRead.count, origin: windowRead.origin)
      return isNew
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

  func show(
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
