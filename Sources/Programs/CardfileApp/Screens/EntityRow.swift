import ObjectModel
import TerminalKit

/// An entity's row in the list of entities.
struct EntityRow: Hashable {
  let name: String
  /// Whether the entity is abstract, so that all its objects belong to sub-entities.
  let isAbstract: Bool
  /// The number of objects; empty until they are counted.
  let count: String
  /// The section key of its list.
  let sections: String
  let relationships: String
  /// The counters of what is not saved; empty for none.
  let unsaved: String

  init(
    _ ranked: ManagedObjectModel.RankedEntity, finding: EntityFinding?, unsaved: String
  ) {
    let entity = ranked.entity
    self.unsaved = unsaved
    // A view, or another table whose objects cannot be changed.
    let isView = entity.readOnlyReason?.hasSuffix(" is a view") ?? false
    let mark = isView ? " (view)" : entity.readOnlyReason == nil ? "" : " (read-only)"
    name = String(repeating: "  ", count: min(ranked.depth, 8)) + entity.name + mark
    isAbstract = entity.isAbstract
    count = finding.map { $0.count.map(groupedDigits) ?? "?" } ?? ""
    relationships = entity.relationships.map(\.name).joined(separator: " ")
    guard let finding else {
      sections = ""
      return
    }
    sections =
      switch finding.sectionKey?.transform {
      case let transform? where transform.isOfDate:
        "\(finding.sectionKey?.keyPath ?? "") (\(transform.rawValue))"
      case _?: finding.sectionKey?.keyPath ?? "—"
      case nil: "—"
      }
  }

  /// The widths of the columns.
  struct Columns {
    let nameWidth: Int
    private let countWidth: Int
    private let sectionWidth: Int
    /// 0 while nothing is unsaved: the column is left out.
    private let unsavedWidth: Int
    private let width: Int

    init(_ rows: [EntityRow], otherNames: [String], width: Int) {
      func widest(_ texts: [String], _ title: String) -> Int {
        texts.reduce(displayWidth(of: title)) { max($0, min(displayWidth(of: $1), 80)) }
      }
      self.width = width
      nameWidth = min(widest(rows.map(\.name) + otherNames, "Entity"), max(width / 3, 12))
      countWidth = max(widest(rows.map(\.count), "Objects"), 9)
      unsavedWidth =
        rows.contains { !$0.unsaved.isEmpty } ? widest(rows.map(\.unsaved), "Unsaved") : 0
      sectionWidth = min(max(widest(rows.map(\.sections), "Sections by"), 14), max(width / 4, 12))
    }

    func drawTitles(y: Int, in canvas: inout Canvas) {
      draw(
        ["Entity", "Objects", "Unsaved", "Sections by", "Relationships"], y: y,
        style: canvas.theme.columnTitle, in: &canvas)
    }

    func draw(_ row: EntityRow, isCursor: Bool, y: Int, in canvas: inout Canvas) {
      if isCursor {
        canvas.put(canvas.signs.cursor, x: 0, y: y, style: canvas.theme.cursorSign)
      }
      draw(
        [row.name, row.count, row.unsaved, row.sections, row.relationships], y: y,
        style: style(of: row, isCursor: isCursor, in: canvas), in: &canvas)
    }

    private func style(of row: EntityRow, isCursor: Bool, in canvas: Canvas) -> Style {
      let style = isCursor ? canvas.theme.cursorRow : .plain
      return row.isAbstract ? style.overlaid(by: canvas.theme.dim) : style
    }

    private func draw(_ fields: [String], y: Int, style: Style, in canvas: inout Canvas) {
      var x = 3
      let columns = [
        (nameWidth, 2), (countWidth, 2), (unsavedWidth, 2), (sectionWidth, 2),
        (canvas.width - 1, 0),
      ]
      for (place, (width, gap)) in columns.enumerated() where width > 0 {
        let room = min(width, canvas.width - 1 - x)
        // A field with almost no room is left out.
        guard room >= min(width, 8) else { return }
        canvas.putField(
          fields[place], x: x, y: y, columns: room, alignment: place == 1 ? .right : .left,
          style: style)
        x += room + gap
      }
    }
  }
}
