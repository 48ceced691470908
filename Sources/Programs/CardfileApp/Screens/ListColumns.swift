import ObjectModel
import TerminalKit

/// The columns of a list: those that were chosen, those that it shows at present, and the marked one.
struct ListColumns {
  /// The most columns of a cell in a grid, with those that can give it a colour.
  private static let mostInGrid = 6

  private let defaults: ListDefaults
  /// The relationship that leads all rows to the same object; nil for none.
  private let inverseName: String?
  private let standard: [ListColumn]
  /// The columns that a person chose, in order; nil for the entity's default.
  var chosen: [ListColumn]?
  /// The columns of the table: those chosen, those in which something was found, and the one that
  /// the list is sorted by.
  private(set) var shown: [ListColumn]
  /// The hidden columns in which something was found.
  var found = FoundColumns()
  /// The name of the column that commands act on; nil for the first.
  var markedName: String?

  init(_ defaults: ListDefaults, hiding inverseName: String?, chosen: [ListColumn]?) {
    (self.defaults, self.inverseName, self.chosen) = (defaults, inverseName, chosen)
    standard = ListColumn.defaults(defaults, hiding: inverseName)
    shown = chosen ?? standard
  }

  /// The columns that the list has by choice, or else by default.
  var preferred: [ListColumn] { chosen ?? standard }

  /// All columns that the list can have.
  var all: [ListColumn] {
    ListColumn.all(of: defaults.entity, sample: defaults.sample, hiding: inverseName)
  }

  /// Chooses what is shown.
  ///
  /// - Parameters:
  ///   - isGrid: Whether cells show the first columns.
  ///   - sort: The order of the list, whose column is among those of a table.
  ///   - sought: What is looked for, in columns that are shown while it is.
  mutating func update(isGrid: Bool, sort: FetchSortDescriptor?, sought: TypedPredicate?) {
    guard !isGrid else { return shown = Array(preferred.prefix(Self.mostInGrid)) }
    shown = preferred
    if let name = sort.flatMap({ KeyPathText.components(of: $0.keyPath)?.first }),
      !shown.contains(where: { $0.name == name }),
      let column = ListColumn(named: name, of: defaults)
    {
      shown.append(column)
    }
    found.follow(sought, in: defaults.entity)
    let names = Set(shown.map(\.name))
    // After the first, so that they are on the screen.
    shown.insert(
      contentsOf: found.names.filter { !names.contains($0) }
        .compactMap { ListColumn(named: $0, of: defaults) }, at: min(1, shown.count))
  }

  /// The names of the columns of objects' own values, attributes and to-ones, that some columns
  /// leave out.
  ///
  /// Their lengths and titles are not needed. A foreign key is shown as what it leads to.
  func namesHidden(by columns: [ListColumn]) -> [String] {
    let (entity, names) = (defaults.entity, Set(columns.map(\.name)))
    let foreignKeys = Set(entity.toOneRelationships.flatMap(\.foreignKeyAttributes))
    let own =
      entity.attributes.map(\.name).filter { !foreignKeys.contains($0) }
      + entity.toOneRelationships.map(\.name).filter { $0 != inverseName }
    return own.filter { !names.contains($0) }
  }

  /// The names of the columns that are not shown.
  var hiddenNames: [String] { namesHidden(by: shown) }

  /// The columns that rows are copied and exported with, and how many of them the list does not
  /// show: all, unless a person has chosen some.
  var written: (columns: [ListColumn], hiddenCount: Int) {
    let hidden = chosen == nil ? hiddenNames : []
    return (
      shown + hidden.compactMap { ListColumn(named: $0, of: defaults) },
      hidden.count + found.names.count
    )
  }

  /// "5 columns, 3 of them hidden".
  static func phrase(_ count: Int, hidden: Int) -> String {
    let columns = counted(count, "column")
    return hidden > 0 ? "\(columns), \(groupedDigits(hidden)) of them hidden" : columns
  }
}

/// The columns in which something was found although the list does not show them by itself.
struct FoundColumns {
  /// What is looked for: the filter, or what was found last.
  private var typed: TypedPredicate?
  /// The names, in the order in which they were found.
  private(set) var names: [String] = []
  /// The objects that were looked at, so that each is once.
  private var seen: Set<ObjectID> = []

  /// Begins anew if something else is looked for: with the columns that a predicate names.
  mutating func follow(_ typed: TypedPredicate?, in entity: EntityDescription) {
    guard typed != self.typed else { return }
    self = FoundColumns()
    self.typed = typed
    guard let typed, typed.form == .predicate else { return }
    for keyPath in typed.predicate.keyPaths.sorted() {
      guard let name = KeyPathText.components(of: keyPath)?.first,
        entity.attribute(named: name) != nil
          || entity.relationship(named: name)?.isToMany == false
      else { continue }
      add(name)
    }
  }

  /// Notes an object, and returns whether it was not looked at before.
  mutating func look(at id: ObjectID) -> Bool { seen.insert(id).inserted }

  mutating func add(_ name: String) {
    if !names.contains(name) { names.append(name) }
  }
}
