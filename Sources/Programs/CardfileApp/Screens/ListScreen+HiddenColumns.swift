import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The columns in which something was found although the list does not show them by itself.
struct FoundColumns {
  /// What is looked for: the filter, or what was found last.
  private(set) var typed: TypedPredicate?
  /// The names, in the order in which they were found.
  private(set) var names: [String] = []
  /// The objects that were looked at, so that each is once.
  private var seen: Set<ObjectID> = []

  /// Begins anew if something else is looked for.
  mutating func follow(_ typed: TypedPredicate?) {
    guard typed != self.typed else { return }
    self = FoundColumns()
    self.typed = typed
  }

  /// Notes an object, and returns whether it was not looked at before.
  mutating func look(at id: ObjectID) -> Bool { seen.insert(id).inserted }

  mutating func add(_ name: String) {
    if !names.contains(name) { names.append(name) }
  }
}

extension ListScreen {
  // MARK: What is hidden

  /// The names of the columns that have values of the objects themselves: attributes and to-ones.
  ///
  /// Their lengths and titles are not needed. A foreign key is shown as what it leads to.
  var ownColumnNames: [String] {
    let foreignKeys = Set(entity.toOneRelationships.flatMap(\.foreignKeyAttributes))
    return entity.attributes.map(\.name).filter { !foreignKeys.contains($0) }
      + entity.toOneRelationships.map(\.name).filter { $0 != scope.inverseName }
  }

  /// The columns of the table, also before it is drawn for the first time.
  var shownColumns: [ListColumn] { tableColumns.isEmpty ? columns : tableColumns }

  /// The names of the columns that some do not include.
  func namesHidden(by columns: [ListColumn]) -> [String] {
    let shown = Set(columns.map(\.name))
    return ownColumnNames.filter { !shown.contains($0) }
  }

  /// The columns that rows are copied and exported with, and how many of them the list does not
  /// show: all, unless a person has chosen some.
  var writtenColumns: (columns: [ListColumn], hiddenCount: Int) {
    let hidden = hasChosenColumns ? [] : namesHidden(by: tableColumns)
    let columns = tableColumns + hidden.compactMap { ListColumn(named: $0, of: defaults) }
    return (columns, hidden.count + foundColumns.names.count)
  }

  /// "5 columns, 3 of them hidden".
  static func phrase(columns count: Int, hidden: Int) -> String {
    let columns = count == 1 ? "1 column" : "\(groupedDigits(count)) columns"
    return hidden > 0 ? "\(columns), \(groupedDigits(hidden)) of them hidden" : columns
  }

  // MARK: Words

  /// The attributes which words are searched in, and the key paths to the names of related objects:
  /// those of all columns, the shown ones first.
  var wordKeyPaths: [String] {
    let names = columns.map(\.name) + namesHidden(by: columns)
    let keyPaths = names.compactMap { name -> String? in
      if let attribute = entity.attribute(named: name) {
        return [.binaryData, .transformable, .boolean].contains(attribute.type) ? nil : name
      }
      let relationship = entity.relationship(named: name)
      return relationship.flatMap { $0.isToMany ? nil : keyPath(of: ListColumn(.toOne($0))) }
    }
    return keyPaths.isEmpty ? entity.attributes.map(\.name) : keyPaths
  }

  // MARK: Matches in hidden columns

  /// What is looked for in the rows: what was found last, or the filter.
  var soughtInRows: TypedPredicate? {
    let typed = filterTyping?.purpose == .filter ? nil : finder?.typed
    return typed ?? provider.displayedRequest?.filter
  }

  /// The columns in which something was found and which are shown while it is looked for, besides
  /// others.
  func foundColumns(besides columns: [ListColumn]) -> [ListColumn] {
    foundColumns.follow(soughtInRows)
    if let typed = foundColumns.typed, typed.form == .predicate {
      for keyPath in typed.predicate.keyPaths.sorted() {
        guard let name = KeyPathText.components(of: keyPath)?.first,
          entity.attribute(named: name) != nil
            || entity.relationship(named: name)?.isToMany == false
        else { continue }
        foundColumns.add(name)
      }
    }
    let shown = Set(columns.map(\.name))
    return foundColumns.names.filter { !shown.contains($0) }
      .compactMap { ListColumn(named: $0, of: defaults) }
  }

  /// Looks for what is sought in the hidden columns of rows that do not show it.
  ///
  /// - Returns: Whether it was found in a column that must be shown now.
  func findInHiddenColumns(_ ids: [ObjectID]) -> Bool {
    let patterns = highlighted
    guard !isGrid, !patterns.isEmpty else { return false }
    let count = foundColumns.names.count
    for id in ids where foundColumns.look(at: id) {
      let object = session.context.object(with: id)
      guard object.isAccessible else { continue }
      let shown = tableColumns.map { field(of: object, in: $0).text }
      let sought = patterns.filter { pattern in !shown.contains(where: pattern.matches) }
      guard !sought.isEmpty else { continue }
      let hidden = namesHidden(by: tableColumns)
      let found = sought.map { pattern in hidden.first { isMatch(pattern, $0, of: object) } }
      guard !found.contains(nil) else { continue }
      for name in found.compactMap(\.self) { foundColumns.add(name) }
    }
    guard foundColumns.names.count > count else { return false }
    if (table.markedColumn ?? 0) == 0 { markedColumnName = foundColumns.names.last }
    return true
  }

  /// Whether a value matches; of a long one only the beginning is in memory, so it may.
  private func isMatch(_ pattern: TextPattern, _ name: String, of object: ManagedObject) -> Bool {
    if let attribute = entity.attribute(named: name) {
      guard ![.binaryData, .transformable, .boolean].contains(attribute.type) else { return false }
      if case .string(let text) = object.truncatedValue(forKey: name) {
        return object.cutLength(forKey: name) != nil || pattern.matches(text)
      }
      return ValueText.line(of: attribute, in: object).map(pattern.matches) ?? false
    }
    return object.objectID(forKey: name).map {
      pattern.matches(session.context.displayName(of: $0))
    } ?? false
  }
}
