import ObjectModel
import SQLQueries

/// A filter of a list whose order is known: the keys of the rows that satisfy it are read in any
/// order, and the list is gone through for them, so that nothing is sorted.
struct NarrowedFetch {
  /// The rows, of which the first column is the key.
  let rows: TableRows

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
    rows = TableRows(
      plan: plan, compiler: compiler, scope: scope, selected: selected, receiversTestEntity: false)
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
  init(_ none: KeySet, progress: StatementWatch?) { (keys, self.progress) = (none, progress) }

  /// Takes a row; false for a key that the table did not have.
  override func receive(_ row: ReceivedRow) -> Bool {
    guard keys.add(row.integer(0)) else { return false }
    if keys.count & 0x3FFF == 0 { progress?.report(delivered: keys.count) }
    return true
  }

  /// Adds the rows of another part of the table.
  func append(_ others: FoundKeys) { keys.add(others.keys) }
}
