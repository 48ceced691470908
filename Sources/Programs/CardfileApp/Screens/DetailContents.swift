import ListProviders
import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The lines of an object's page: its rows in blocks, an attribute, a relationship or a part of the
/// identity each.
struct DetailContents {
  /// The property that a row shows.
  enum Property: Hashable {
    case attribute(String)
    case relationship(String)
    /// A part of the identity, by its label.
    case identity(String)

    /// The name at the left of the row.
    var label: String {
      switch self {
      case .attribute(let name), .relationship(let name), .identity(let name): name
      }
    }
  }

  /// The blocks of the page, from top to bottom.
  enum Block: Hashable, CaseIterable {
    case attributes, relationships, identity
  }

  /// A row that the cursor can be on.
  struct Row {
    let property: Property
    let block: Block
    /// The indexes of its lines in ``DetailContents/lines``.
    fileprivate(set) var lines: Range<Int>
    /// Its label and value, to find text in; of a long value the beginning.
    let text: String
    /// The address that the value is; nil for another value.
    let address: String?
  }

  /// What of the object is shown, besides the properties themselves.
  struct Options: Hashable {
    /// Whether properties without a value are left out.
    var hidesEmpty = false
    /// Leaves out the rows that do not contain it; nil for none.
    var narrowing: TextPattern?
    /// What is known without a query, for the preview; nil to fetch what the page needs.
    var known: Known?

    /// What is known of other objects.
    struct Known: Hashable {
      /// The numbers of objects, by to-many relationship.
      var counts: [String: Int]
      /// Whether the objects that to-one relationships lead to are in memory.
      var isRead: Bool
    }
  }

  /// One line of the page.
  enum Line {
    case blank
    /// A horizontal rule with a title.
    case rule(String)
    /// A label, a flag, a value, and a note at the right.
    case field(label: String, isChanged: Bool, value: String, note: String, isDim: Bool)
    /// A continuation line of a value.
    case more(String)
    /// A remark of the page itself.
    case remark(String)
    case relationship(Relationship)
  }

  private(set) var lines: [Line] = []
  private(set) var rows: [Row] = []
  /// The width of labels in columns.
  let labelWidth: Int
  /// The width of values that types stand behind in a column; a longer one moves its own.
  private static let shortValue = 40
  /// The column where types and other notes begin, unless a value is longer.
  private(set) var noteX = 40
  /// The width of the names of destination entities in columns.
  let entityWidth: Int
  let object: ManagedObject
  let session: Session
  let options: Options
  let columns: Int
  let signs: Signs
  /// The names of properties with unsaved changes; empty for a new object.
  let changed: Set<String>
  /// Whether something is still to be read, because another program holds the store's lock.
  private(set) var isWaiting = false
  /// How many properties ``Options/hidesEmpty`` left out of the block that is made.
  private var hiddenCount = 0

  /// The column where values begin.
  var valueX: Int { labelWidth + 6 }
  /// The width of values in columns.
  var valueRoom: Int { max(columns - valueX - 1, 8) }
  /// The key that opens a value.
  var openKey: String { session.keyName(of: .open) ?? signs.enter }
  /// Whether there is room for all details at the right.
  var isWide: Bool { columns >= 120 }

  /// Makes the lines of an object for a page of a width in columns.
  init(
    _ object: ManagedObject, session: Session, options: Options = Options(), columns: Int,
    signs: Signs
  ) {
    self.object = object
    self.session = session
    self.options = options
    self.columns = columns
    self.signs = signs
    let entity = object.entity
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name) + ["objectID"]
    labelWidth = min(
      names.reduce(0) { max($0, min(displayWidth(of: $1), 40)) }, max(columns / 3, 6))
    entityWidth = min(
      entity.relationships.reduce(0) { max($0, displayWidth(of: $1.destinationEntityName)) }, 24)
    changed = object.isAccessible && object.isUpdated ? object.changedKeys : []
    defer { isWaiting = FetchControl.current?.hasMetLock == true }
    guard object.isAccessible else {
      let isUnread = session.context.isUnread(object.objectID)
      lines = [
        .more(
          object.objectID.isTemporary
            ? "There is no such object any more" + session.advice((.redo, "makes it again"))
            : isUnread ? signs.waiting : "It was deleted from the store, or cannot be read.")
      ]
      addBlock("Identity", identityRows)
      return
    }
    let isPreview = options.known != nil
    let foreignKeys = Set(
      isPreview ? entity.toOneRelationships.flatMap(\.foreignKeyAttributes) : [])
    addBlock(
      "",
      entity.attributes.filter { !foreignKeys.contains($0.name) }
        .map { attribute in { $0.row(of: attribute) } })
    // A preview has no room for titles, nor for what is shown twice.
    addBlock(
      isPreview ? "" : "Relationships",
      Self.ordered(entity.relationships, showsForeignKeys: !isPreview).map { relationship in
        { $0.row(of: relationship) }
      })
    if !isPreview { addBlock("Identity", identityRows) }
    let widest = lines.reduce(0) { widest, line in
      guard case .field(_, _, let value, let note, _) = line, !note.isEmpty else { return widest }
      let width = displayWidth(of: value)
      return width <= Self.shortValue ? max(widest, width) : widest
    }
    noteX = max(min(valueX + widest + 2, columns / 2 + 8), 40)
    if rows.isEmpty, let narrowing = options.narrowing {
      lines = [.remark("No property contains \(narrowing.text) — Esc shows all")]
    }
  }

  /// The order on the page: whose the object is, then what it has; last what foreign keys among the
  /// attributes lead to too.
  private static func ordered(
    _ all: [RelationshipDescription], showsForeignKeys: Bool
  ) -> [RelationshipDescription] {
    let repeated = all.filter { showsForeignKeys && !$0.foreignKeyAttributes.isEmpty }
    let others = all.filter { !repeated.contains($0) }
    return others.filter { !$0.isToMany } + others.filter(\.isToMany) + repeated
  }

  /// What is needed to add a row.
  struct NewRow {
    let property: Property
    let block: Block
    let lines: [Line]
    /// See ``Row/text``.
    let text: String
    /// Whether the property has no value.
    var isEmpty = false
    /// See ``Row/address``.
    var address: String?
  }

  /// Adds the rows of a block under a rule with its title; nothing if there are none to show.
  private mutating func addBlock(_ title: String, _ make: [(DetailContents) -> NewRow]) {
    let start = lines.count
    hiddenCount = 0
    for make in make { add(make(self)) }
    if hiddenCount > 0, options.known == nil {
      let properties = counted(hiddenCount, "empty property", "empty properties")
      lines.append(.remark("\(properties) hidden" + session.advice((.hideEmpty, "shows them"))))
    }
    guard !title.isEmpty, lines.count > start else { return }
    let heading: [Line] = start == 0 ? [.rule(title)] : [.blank, .rule(title)]
    lines.insert(contentsOf: heading, at: start)
    for index in rows.indices where rows[index].lines.lowerBound >= start {
      let old = rows[index].lines
      rows[index].lines = old.lowerBound + heading.count..<old.upperBound + heading.count
    }
  }

  private mutating func add(_ new: NewRow) {
    if let narrowing = options.narrowing {
      guard narrowing.matches(new.text) else { return }
    } else if options.hidesEmpty, new.isEmpty {
      hiddenCount += 1
      return
    }
    rows.append(
      Row(
        property: new.property, block: new.block,
        lines: lines.count..<lines.count + new.lines.count,
        text: new.text, address: new.address))
    lines += new.lines
  }

  /// The index of the row of a property; nil if it is not shown.
  func index(of property: Property) -> Int? { rows.firstIndex { $0.property == property } }
}
