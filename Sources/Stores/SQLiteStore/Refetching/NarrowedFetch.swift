import ObjectModel
import SQLQueries

/// A filter of a list whose order is known: the keys of the rows that satisfy it are read in any
/// order, and the list is gone through for them, so that nothing is sorted.
struct NarrowedFetch {
  private let list: FetchedIDs
  private let rows: TableRows

  /// Finds the columns; nil if the fetch is no filter of the list, or has other sections than the
  /// list where rows are missing.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - list: All rows of the list, in the state of the database that is read.
  ///   - compiler: Translates the predicate.
  /// - Throws: ``StoreError`` if the fetch cannot be translated.
  init?(_ plan: FetchPlan, of list: TrackedFetch, compiler: QueryCompiler) throws(StoreError) {
    var unfiltered = plan
    unfiltered.predicate = nil
    guard plan.predicate != nil, list.plan == unfiltered, plan.limit == nil, plan.offset == 0,
      plan.place == nil, RowMerge.hasPlainNames(list.results.sections)
    else { return nil }
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    guard case .rowid = scope.table.key else { return nil }
    for descriptor in plan.sortDescriptors {
      // An external file may have changed in the same state of the database.
      let column = try compiler.sortColumn(descriptor.keyPath, in: scope)
      if column.attribute.encoding == .externalData { return nil }
    }
    var selected: [SQL] = []
    let object = IDColumns(scope.object, storeIdentifier: compiler.storeIdentifier, in: &selected)
    guard object.isRowid, let key = object.keys.first, key == 0 else { return nil }
    self.list = list.results
    rows = TableRows(
      plan: plan, compiler: compiler, scope: scope, selected: selected, receiversTestEntity: false)
  }

  /// Reads the keys, and goes through the list.
  ///
  /// - Parameters:
  ///   - keys: The keys of the table.
  ///   - run: The connections, and who watches.
  /// - Returns: The rows; nil if the keys are too far apart, or are not all in the list.
  /// - Throws: ``StoreError``.
  func results(_ keys: KeyRange, _ run: FetchRun) throws(StoreError) -> FetchedIDs? {
    guard let none = KeySet(keys.bounds, for: list.ids.count) else { return nil }
    let source = try rows.source(
      QueryPlan(rows.search, on: run.connection), keys, leastRowCount: FetchMethod.leastRowCount,
      on: run.connection)
    let found = try rows.read(source, run) { progress, _ in FoundKeys(none, progress) }
    return found.flatMap { $0.keys.filter(list) }
  }
}

/// Integer keys of one table, a bit for each that it might have.
struct KeySet {
  private let bounds: ClosedRange<Int64>
  private var words: [UInt64]
  private(set) var count = 0

  /// How many bits there may be for each row: the rows themselves take as many in a list.
  private static let mostBits = 64

  /// Makes an empty set; nil if the keys of a number of rows are too far apart.
  init?(_ bounds: ClosedRange<Int64>, for rowCount: Int) {
    let (span, overflow) = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
    guard !overflow, span / Int64(Self.mostBits) <= rowCount else { return nil }
    self.bounds = bounds
    words = Array(repeating: 0, count: Int(span) / UInt64.bitWidth + 1)
  }

  /// Adds a key that is not in the set; false for one that the table does not have.
  mutating func add(_ key: Int64) -> Bool {
    guard bounds.contains(key) else { return false }
    let position = Int(key - bounds.lowerBound)
    words[position / UInt64.bitWidth] |= 1 << UInt64(position % UInt64.bitWidth)
    count += 1
    return true
  }

  /// Adds other keys of the same table.
  mutating func add(_ others: KeySet) {
    for index in words.indices { words[index] |= others.words[index] }
    count += others.count
  }

  private func contains(_ key: Int64) -> Bool {
    guard bounds.contains(key) else { return false }
    let position = Int(key - bounds.lowerBound)
    return words[position / UInt64.bitWidth] >> UInt64(position % UInt64.bitWidth) & 1 == 1
  }

  /// The rows of a list with these keys, in its order; nil if it does not have all of them, or its
  /// IDs have no codes.
  ///
  /// - Complexity: One pass over the list.
  func filter(_ list: FetchedIDs) -> FetchedIDs? {
    list.ids.withCoding { codes, coding in
      let coder = coding.keyCoder
      var found: [Int64] = []
      found.reserveCapacity(count)
      var sections: [SectionRun] = []
      var start = 0
      let whole = [SectionRun(name: "", count: codes.count)]
      for section in list.sections.isEmpty ? whole : list.sections {
        let before = found.count
        for code in codes[start..<start + section.count] where contains(coder.key(ofCode: code)) {
          found.append(code)
        }
        start += section.count
        if found.count > before {
          sections.append(SectionRun(name: section.name, count: found.count - before))
        }
      }
      guard found.count == count else { return nil }
      return FetchedIDs(
        ids: ObjectIDList(codes: found, coding), sections: list.sections.isEmpty ? [] : sections)
    } ?? nil
  }
}

/// Collects the keys of rows.
final class FoundKeys: RowReceiver, OrderedRows {
  // It is changed for each row: see SortRows.
  @exclusivity(unchecked) private(set) var keys: KeySet
  private let progress: StatementWatch?

  /// Makes a receiver; the keys are the first column of the rows.
  ///
  /// - Parameters:
  ///   - none: A set without keys.
  ///   - progress: Who is told of the rows.
  init(_ none: KeySet, _ progress: StatementWatch?) { (keys, self.progress) = (none, progress) }

  /// Takes a row; false for a key that the table did not have.
  override func receive(_ row: ReceivedRow) -> Bool {
    guard keys.add(row.integer(0)) else { return false }
    if keys.count & 0x3FFF == 0 { progress?.report(delivered: keys.count) }
    return true
  }

  /// Adds the rows of another part of the table.
  func append(_ others: FoundKeys) { keys.add(others.keys) }
}
