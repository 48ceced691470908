import ManagedObjects
package import ObjectModel

/// Reads neighbouring rows of a list from its store by looking them up, whatever the length of the
/// list.
struct WindowReader: Sendable {
  /// Which rows are read.
  enum Rows: Sendable {
    /// The first ones, or the last ones.
    case first, last
    /// Those after, or before, the first of some objects that exists.
    case after([ObjectID])
    case before([ObjectID])
    /// Those before, and from, the first of some objects that exists.
    case around([ObjectID], before: Int)
    /// Those around the first of some objects that the list has.
    case objects([ObjectID])
    /// Those around the first row that meets a condition.
    case matching(ValidatedPredicate)
    /// Those around the first row that begins with a text.
    case text(String)
    /// Those around the first row after an object, or the last one before it, that meets a condition;
    /// of all rows after the last one, or before the first.
    case match(ValidatedPredicate, beside: ObjectID, by: Int)
    /// Those around the row before which about a part of the list is.
    case share(Double)
    /// Those around the start of a section, by its distance from that of an object.
    case section(of: ObjectID, by: Int)
  }

  /// Rows that were read, without a gap between them.
  struct Found: Sendable {
    var rows: FetchedIDs
    /// At which ends the list may have further rows.
    var open: OpenEnds
    /// The object that was looked for.
    var target: ObjectID?
    /// Whether it was found past the end of the list.
    var isWrapped = false
    /// The object that the rows follow, or precede; nil for rows that stand alone.
    var neighbour: ObjectID?
  }

  let store: any PlaceFetching
  /// The list, without limit.
  let plan: FetchPlan

  /// Reads rows in one state of the store.
  ///
  /// - Parameters:
  ///   - rows: Which rows.
  ///   - count: How many, on each side of what is looked for.
  ///   - control: Cancels, from another thread.
  /// - Returns: The rows; nil if what is looked for does not exist.
  /// - Throws: ``StoreError``.
  func read(_ rows: Rows, count: Int, _ control: FetchControl?) throws -> Found? {
    try store.inReadTransaction {
      switch rows {
      case .first:
        return side(try fetch(from: .start, count, control), count, .end)
      case .last:
        return side(try fetch(before: .end, count, control), count, .start)
      case .after(let ids):
        return try beside(ids, isAfter: true) {
          side(try fetch(from: $0, count, control), count, .end)
        }
      case .before(let ids):
        return try beside(ids, isAfter: false) {
          side(try fetch(before: $0, count, control), count, .start)
        }
      case .around(let ids, let before):
        return try around(ids, before: before, count, control)
      case .objects(let ids):
        return try around(firstListed(of: ids, control), count, control)
      case .matching(let condition):
        return try around(
          first(meeting: condition, from: .start, control), count, control)
      case .text(let text):
        return try around(first(beginningWith: text, control), count, control)
      case .match(let condition, let id, let distance):
        guard let match = try match(condition, beside: id, by: distance, control) else {
          return nil
        }
        var found = try around(match.id, count, control)
        found?.isWrapped = match.isWrapped
        return found
      case .share(let part):
        return try around(store.objectID(at: part, of: plan), count, control)
      case .section(let id, let distance):
        return try around(section(of: id, by: distance, control), count, control)
      }
    }
  }

  /// Counts all rows, and those before an object: nil if it does not exist.
  func counts(before id: ObjectID?, _ control: FetchControl) throws(StoreError) -> (
    all: Int, before: Int?
  ) {
    let all = try store.count(plan, control: control)
    guard let id, let place = try place(of: id, isAfter: false) else { return (all, nil) }
    var plan = plan
    (plan.place, plan.isFromEnd) = (place, true)
    return (all, try store.count(plan, control: control))
  }

  /// Reads all rows in order; within a read transaction of the caller in one state of the store.
  ///
  /// - Parameters:
  ///   - count: How many at a time.
  ///   - control: Cancels, from another thread.
  ///   - body: Called with each part.
  /// - Throws: ``StoreError``, and what the closure throws.
  func forEachPart(
    of count: Int, _ control: FetchControl, _ body: (ObjectIDList) throws -> Void
  ) throws {
    var next = Rows.first
    while let found = try read(next, count: count, control), let last = found.rows.ids.last {
      try body(found.rows.ids)
      guard found.open.contains(.end) else { return }
      next = .after([last])
    }
  }

  // MARK: Looking up

  private func place(of id: ObjectID, isAfter: Bool, isOfSection: Bool = false)
    throws(StoreError) -> FetchPlace?
  {
    try store.place(of: id, in: plan, isAfter: isAfter, isOfSection: isOfSection)
  }

  private func fetch(from place: FetchPlace, _ count: Int, _ control: FetchControl?)
    throws(StoreError) -> FetchedIDs
  {
    var plan = plan
    (plan.place, plan.limit) = (place, count)
    return try store.fetch(plan, control: control)
  }

  private func fetch(before place: FetchPlace, _ count: Int, _ control: FetchControl?)
    throws(StoreError) -> FetchedIDs
  {
    var plan = plan
    (plan.place, plan.limit, plan.isFromEnd) = (place, count, true)
    return try store.fetch(plan, control: control)
  }

  private func side(_ rows: FetchedIDs, _ count: Int, _ end: OpenEnds) -> Found {
    Found(rows: rows, open: rows.ids.count < count ? [] : end)
  }

  private func beside(
    _ ids: [ObjectID], isAfter: Bool, _ read: (FetchPlace) throws -> Found
  ) throws -> Found? {
    for id in ids {
      guard let place = try place(of: id, isAfter: isAfter) else { continue }
      var found = try read(place)
      found.neighbour = id
      return found
    }
    return nil
  }

  private func around(_ id: ObjectID?, _ count: Int, _ control: FetchControl?) throws -> Found? {
    try id.flatMap { try around([$0], before: count, count, control) }
  }

  /// The rows before and from the first object that is in the list; of objects that the list does not
  /// have the rows where it would be.
  private func around(
    _ ids: [ObjectID], before: Int, _ count: Int, _ control: FetchControl?
  ) throws -> Found? {
    for id in ids {
      guard let place = try place(of: id, isAfter: false) else { continue }
      let head = try fetch(before: place, before, control)
      let tail = try fetch(from: place, count, control)
      var open: OpenEnds = []
      if head.ids.count == before { open.insert(.start) }
      if tail.ids.count == count { open.insert(.end) }
      return Found(
        rows: head.joined(tail), open: open, target: tail.ids.first == id ? id : nil)
    }
    return nil
  }

  /// The first of some objects that the list has.
  private func firstListed(of ids: [ObjectID], _ control: FetchControl?) throws -> ObjectID? {
    let among = FetchPredicate(
      .comparison(.init(.selfObject, .in, .list(ids.map { .object($0) }))))
    var plan = plan
    plan.predicate = try FetchPredicate.all(
      [plan.predicate?.predicate, among].compactMap(\.self)
    ).validated(forEntity: plan.entityName, in: store.model)
    (plan.sortDescriptors, plan.sectionKey) = ([], nil)
    let listed = Set(try store.fetch(plan, control: control).ids)
    return ids.first(where: listed.contains)
  }

  /// The first row from a place on that meets a condition.
  private func first(
    meeting condition: ValidatedPredicate, from place: FetchPlace, isBefore: Bool = false,
    _ control: FetchControl?
  ) throws(StoreError) -> ObjectID? {
    var plan = plan
    plan.predicate = condition
    (plan.place, plan.limit, plan.isFromEnd) = (place, 1, isBefore)
    return try store.fetch(plan, control: control).ids.first
  }

  /// The first row whose value of the first sort descriptor begins with a text, ignoring case and
  /// diacritics.
  private func first(beginningWith text: String, _ control: FetchControl?) throws(StoreError)
    -> ObjectID?
  {
    guard let order = plan.sortDescriptors.first,
      let entity = store.model.entity(named: plan.entityName),
      let index = entity.attributeIndex(order.keyPath),
      // Backwards they begin with the last one that does.
      let place = try store.place(at: order.ascending ? text : text + "\u{FFFF}", in: plan),
      let id = try fetch(from: place, 1, control).ids.first,
      let value = try store.rows(of: [id]).first??.value(at: index).text
    else { return nil }
    return TextFolding.folded(value).hasPrefix(TextFolding.folded(text)) ? id : nil
  }

  /// The match that is some matches after an object, or before it, past the end of the list too.
  private func match(
    _ condition: ValidatedPredicate, beside id: ObjectID, by distance: Int,
    _ control: FetchControl?
  ) throws(StoreError) -> (id: ObjectID, isWrapped: Bool)? {
    let isBefore = distance < 0
    guard var place = try place(of: id, isAfter: !isBefore) else { return nil }
    var found: ObjectID?
    var isWrapped = false
    for _ in 0..<distance.magnitude {
      var next = try first(meeting: condition, from: place, isBefore: isBefore, control)
      if next == nil {
        isWrapped = true
        next = try first(
          meeting: condition, from: isBefore ? .end : .start, isBefore: isBefore, control)
      }
      guard let next, let beside = try self.place(of: next, isAfter: !isBefore) else { return nil }
      (found, place) = (next, beside)
    }
    return found.map { ($0, isWrapped) }
  }

  // MARK: Sections

  /// Whether the objects of a section are those that are equal in the first sort descriptor.
  private var isByValue: Bool {
    plan.sectionKey?.transform == .value
      && plan.sectionKey?.keyPath == plan.sortDescriptors.first?.keyPath
  }

  /// The first row of a section; the last row of the list after the last section.
  private func section(of id: ObjectID, by distance: Int, _ control: FetchControl?)
    throws(StoreError) -> ObjectID?
  {
    guard var start = try firstOfSection(of: id, control) else { return nil }
    // The first step back goes to the start of the same section.
    var left = distance < 0 && start != id ? distance + 1 : distance
    while left > 0 {
      guard let next = try firstAfterSection(of: start, control) else {
        return try fetch(before: .end, 1, control).ids.first
      }
      start = next
      left -= 1
    }
    while left < 0, let place = try place(of: start, isAfter: false),
      let last = try fetch(before: place, 1, control).ids.first,
      let previous = try firstOfSection(of: last, control)
    {
      start = previous
      left += 1
    }
    return start
  }

  /// How many rows of a section are read at a time to find its end.
  private static let sectionStep = 4_000

  private func firstOfSection(of id: ObjectID, _ control: FetchControl?) throws(StoreError)
    -> ObjectID?
  {
    if isByValue {
      guard let place = try place(of: id, isAfter: false, isOfSection: true) else { return nil }
      return try fetch(from: place, 1, control).ids.first
    }
    var first = id
    while let place = try place(of: first, isAfter: true) {
      let rows = try fetch(before: place, Self.sectionStep, control)
      guard let run = rows.sections.last else { return first }
      first = rows.ids[rows.ids.count - run.count]
      if rows.sections.count > 1 || rows.ids.count < Self.sectionStep { return first }
    }
    return nil
  }

  private func firstAfterSection(of id: ObjectID, _ control: FetchControl?) throws(StoreError)
    -> ObjectID?
  {
    if isByValue {
      guard let place = try place(of: id, isAfter: true, isOfSection: true) else { return nil }
      return try fetch(from: place, 1, control).ids.first
    }
    var last = id
    while let place = try place(of: last, isAfter: false) {
      let rows = try fetch(from: place, Self.sectionStep, control)
      guard let run = rows.sections.first, let end = rows.ids.last else { return nil }
      if rows.sections.count > 1 { return rows.ids[run.count] }
      if rows.ids.count < Self.sectionStep { return nil }
      last = end
    }
    return nil
  }

  /// The sections: each found by looking up the end of the one before, without counts, or if one has
  /// several values by reading all rows.
  ///
  /// - Parameters:
  ///   - limit: The greatest number.
  ///   - control: Reports progress, and cancels, from another thread.
  /// - Returns: The sections; nil if there are more.
  /// - Throws: ``StoreError``.
  func sections(limit: Int, _ control: FetchControl) throws -> [LookedUpSection]? {
    try store.inReadTransaction {
      var found: [LookedUpSection] = []
      var place: FetchPlace? = .start
      var count = 0
      let all =
        isByValue
        ? try store.sectionStarts(of: plan, limit: limit + 1, control: control) : nil
      while let from = place {
        let rows = try all ?? fetch(from: from, isByValue ? 1 : Self.sectionStep, control)
        var start = 0
        for section in rows.sections {
          if found.last?.name == section.name {
            found[found.count - 1].count = found[found.count - 1].count.map { $0 + section.count }
          } else {
            found.append(
              LookedUpSection(
                name: section.name, first: rows.ids[start],
                count: isByValue ? nil : section.count))
          }
          start += section.count
        }
        guard let last = rows.ids.last else { return found }
        if control.isCancelled { throw StoreError(.cancelled, doing: "looking up sections") }
        if found.count > limit { return nil }
        count += rows.ids.count
        control.report(completed: count, total: 0)
        if all != nil { return found }
        place = try self.place(of: last, isAfter: true, isOfSection: isByValue)
      }
      return found
    }
  }
}

/// Reads the rows of a list, so many at a time, until a control cancels it.
package typealias ListRowReading =
  @Sendable (Int, FetchControl, (ObjectIDList) throws -> Void) throws -> Void

/// A section of a windowed list.
package struct LookedUpSection: Hashable, Sendable {
  package var name: String
  package var first: ObjectID
  /// How many rows it has; nil if that is not known.
  package var count: Int?
}
