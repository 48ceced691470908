import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  // MARK: Words

  /// The attributes which words are searched in, and the key paths to the names of related objects:
  /// those of all columns, the shown ones first.
  var wordKeyPaths: [String] {
    let preferred = columns.preferred
    let names = preferred.map(\.name) + columns.namesHidden(by: preferred)
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
    return typed ?? controller.displayedRequest?.filter
  }

  /// Looks for what is sought in the hidden columns of rows that do not show it.
  ///
  /// - Returns: Whether it was found in a column that must be shown now.
  func findInHiddenColumns(_ ids: [ObjectID]) -> Bool {
    let patterns = highlighted
    guard !isGrid, !patterns.isEmpty else { return false }
    let count = columns.found.names.count
    for id in ids where columns.found.look(at: id) {
      let object = session.context.object(with: id)
      guard object.isAccessible else { continue }
      let shown = columns.shown.map { field(of: object, in: $0).text }
      let sought = patterns.filter { pattern in !shown.contains(where: pattern.matches) }
      guard !sought.isEmpty else { continue }
      let hidden = columns.hiddenNames
      let found = sought.map { pattern in hidden.first { isMatch(pattern, $0, of: object) } }
      guard !found.contains(nil) else { continue }
      for name in found.compactMap(\.self) { columns.found.add(name) }
    }
    guard columns.found.names.count > count else { return false }
    if (tableView.markedColumn ?? 0) == 0 { columns.markedName = columns.found.names.last }
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

  /// The words that are highlighted in the rows.
  var highlighted: [TextPattern] {
    guard let shown = soughtInRows, shown.form == .words else { return [] }
    return FetchPredicate.words(of: shown.text).compactMap { TextPattern($0) }
  }

  /// Marks the first column in which an object has a match.
  func markMatchingColumn(of id: ObjectID) {
    columns.found.follow(soughtInRows, in: entity)
    if findInHiddenColumns([id]) { updateColumns() }
    let patterns = highlighted
    let object = session.context.object(with: id)
    let match = columns.shown.first { column in
      let field = field(of: object, in: column)
      return patterns.contains { $0.matches(field.text) }
    }
    if let match { columns.markedName = match.name }
  }
}

extension ListScreen {
  /// Goes from the list to the grid or back, now and when the entity is opened again.
  func toggleGrid() {
    show(asGrid: !isGrid)
    let isGrid = isGrid
    session.remember(for: entity.name) { $0.isGrid = isGrid }
    show(
      (isGrid ? "Grid" : "List")
        + session.advice((.toggleGrid, isGrid ? "shows the list" : "shows the grid")))
  }

  /// The indexes of the columns that a row or a cell shows; of a table, those that were drawn last.
  var displayedColumns: [Int] {
    isGrid
      ? Array(columns.shown.indices)
      : tableView.displayedColumns.filter { columns.shown.indices.contains($0) }
  }
}
