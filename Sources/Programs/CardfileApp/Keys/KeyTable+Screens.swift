import TerminalKit

extension KeyTable {
  /// The keys of a list of objects.
  static let list = KeyTable(
    name: "list",
    hinting: [.open, .filter, .jumpToSection, .sort, .delete, .undo, .save, .help],
    entries: [
      rows,
      ends(help: "first, last"), halfPages, pages,
      Entry(
        section: .move, label: "[ ] { }", help: "section − / +",
        bindings: [
          ("]", .nextSection), ("[", .previousSection), ("}", .nextSection),
          ("{", .previousSection),
        ]),
      Entry(
        section: .move, label: "' letters", help: "go to section or row",
        bindings: [("'", .jumpToSection)],
        hint: "index"),
      rowAndPercent,
      Entry(
        section: .move, label: "H M L zt zz zb", help: "top, middle, bottom",
        bindings: [("H", .screenTop), ("M", .screenMiddle), ("L", .screenBottom), ("z", .scroll)]),
      Entry(
        section: .move, label: "Tab S-Tab", help: "mark a column",
        bindings: [(.tab, .nextColumn), (.backTab, .previousColumn)]),
      Entry(
        section: .change, label: "Space v * C-\\", help: "row, range, all, none",
        bindings: [
          (" ", .toggleSelection), ("v", .selectRange), ("*", .selectAll),
          (.control("\\"), .selectNone),
        ]),
      edit, insert, add, deleteMark, unmark, undo, save, discard,
      Entry(
        section: .find, label: "/", help: "filter", bindings: [("/", .filter)],
        hint: "filter"),
      find,
      Entry(
        section: .find, label: "+ −", help: "only, without value",
        bindings: [("+", .onlyValue), ("-", .withoutValue)]),
      clearFilter,
      Entry(
        section: .view, label: "s S", help: "sort…, reverse",
        bindings: [("s", .sort), ("S", .reverse)],
        hint: "sort"),
      Entry(
        section: .view, label: "b # c", help: "sections, columns…",
        bindings: [("b", .sectionsBy), ("#", .sections), ("c", .columns)]),
      Entry(
        section: .view, label: "=", help: "summary of a column",
        bindings: [("=", .summary)]),
      Entry(
        section: .view, label: "V", help: "list or grid",
        bindings: [("V", .toggleGrid)]),
      preview, refresh,
      open(help: "open"),
      back, copy, entities, command, program,
    ])

  /// The keys of one object.
  static let detail = KeyTable(
    name: "object",
    hinting: [.open, .back, .nextObject, .edit, .delete, .undo, .save, .row, .help],
    entries: [
      rows,
      ends(help: "first, last line"), halfPages, pages,
      Entry(
        section: .follow, label: "⏎ → l", help: "follow, open value",
        bindings: [(.enter, .open), (.right, .open), ("l", .open)],
        hint: "open", hintKeys: [.enter, .right]),
      Entry(
        section: .follow, label: "← h q", help: "back",
        bindings: [
          (.left, .back), ("h", .back), (.backspace, .back), ("q", .quit), (.escape, .back),
        ],
        hint: "back"),
      Entry(
        section: .move, label: "J K", help: "next, previous object",
        bindings: [("J", .nextObject), ("K", .previousObject)],
        hint: "next/previous", hintKeys: ["J", "K"]),
      Entry(
        section: .move, label: "] [ Tab S-Tab", help: "next, previous block",
        bindings: [
          ("]", .nextSection), ("[", .previousSection), ("}", .nextSection),
          ("{", .previousSection), (.tab, .nextSection), (.backTab, .previousSection),
        ]),
      Entry(
        section: .find, label: "/", help: "narrow the properties",
        bindings: [("/", .filter)]),
      find,
      Entry(
        section: .view, label: ".", help: "hide, show empty",
        bindings: [(".", .hideEmpty)]),
      Entry(
        section: .view, label: "r", help: "table row",
        bindings: [("r", .row)],
        hint: "row"),
      edit, insert, add, deleteMark, unmark, undo, save, discard, refresh, copy, entities,
      command,
      Entry(
        section: .other, label: "? Q C-c C-z", help: "help, quit, suspend",
        bindings: [
          ("?", .help), ("Q", .quitProgram), (.control("c"), .quitProgram),
          (.control("z"), .suspend),
        ],
        hint: "help"),
    ])

  /// The keys of the list of entities.
  static let entityList = KeyTable(
    name: "entities", hinting: [.open, .filter, .quit, .tables, .help],
    entries: [
      open(help: "open the entity's objects"),
      rows,
      ends(help: "first, last"), halfPages, pages,
      rowAndPercent,
      narrow, clearFilter,
      Entry(
        section: .view, label: "t", help: "tables without an entity",
        bindings: [("t", .tables)], hint: "tables"),
      Entry(
        section: .view, label: ".", help: "show, hide empty",
        bindings: [(".", .hideEmpty)]),
      undo, save, discard, refresh, command,
      helpAndSuspend, leave,
    ])

  static let copy = Entry(
    section: .other, label: "y", help: "copy…", bindings: [("y", .copy)],
    hint: "copy")
  private static let preview = Entry(
    section: .view, label: "p", help: "preview pane",
    bindings: [("p", .preview)])
  /// The keys of the list of stores.
  static let start = KeyTable(
    name: "stores", hinting: [.open, .filter, .command, .quit, .help],
    entries: [
      open(help: "open the store"),
      rows,
      ends(help: "first, last"), halfPages, pages, rowAndPercent,
      narrow, clearFilter,
      Entry(
        section: .view, label: "R C-l", help: "look for databases again, redraw",
        bindings: [("R", .refresh), (.control("l"), .redraw)]),
      Entry(
        section: .other, label: ":", help: "command line", bindings: [(":", .command)],
        hint: "command"),
      helpAndSuspend, leave,
    ])

  private static func open(help: String) -> Entry {
    Entry(
      section: .follow, label: "⏎ → l", help: help,
      bindings: [(.enter, .open), (.right, .open), ("l", .open)],
      hint: "open")
  }
  private static let narrow = Entry(
    section: .find, label: "/", help: "narrow the list", bindings: [("/", .filter)],
    hint: "filter")
  private static let helpAndSuspend = Entry(
    section: .other, label: "? C-z", help: "help, suspend",
    bindings: [("?", .help), (.control("z"), .suspend)],
    hint: "help")
  private static let leave = Entry(
    section: .other, label: "q Q", help: "back or quit, quit",
    bindings: [
      ("q", .quit), ("Q", .quitProgram), (.control("c"), .quitProgram), (.left, .back),
      ("h", .back), (.backspace, .back),
    ],
    hint: "quit")
  private static let rowAndPercent = Entry(
    section: .move, label: "42G  50%", help: "row, percent",
    bindings: [("%", .percent)])
  static let rows = Entry(
    section: .move, label: "j k ↓ ↑", help: "down, up",
    bindings: [
      ("j", .rowDown), ("k", .rowUp), (.down, .rowDown), (.up, .rowUp), (.control("n"), .rowDown),
      (.control("p"), .rowUp),
    ])
  static func ends(help: String) -> Entry {
    Entry(
      section: .move, label: "g G Home End", help: help,
      bindings: [("g", .first), ("G", .last), (.home, .first), (.end, .last)])
  }
  private static let find = Entry(
    section: .find, label: "f n N", help: "find, next, previous",
    bindings: [("f", .find), ("n", .findNext), ("N", .findPrevious)])
  private static let clearFilter = Entry(
    section: .find, label: "Esc", help: "clear filter", bindings: [(.escape, .escape)],
    hint: "clear")
  static let halfPages = Entry(
    section: .move, label: "C-d C-u", help: "half a page",
    bindings: [(.control("d"), .halfPageDown), (.control("u"), .halfPageUp)])
  private static let pages = Entry(
    section: .move, label: "PgDn PgUp", help: "page, also C-f C-b",
    bindings: [
      (.control("f"), .pageDown), (.control("b"), .pageUp), (.pageDown, .pageDown),
      (.pageUp, .pageUp),
    ])
  private static let deleteMark = Entry(
    section: .change, label: "d", help: "mark for deletion", bindings: [("d", .delete)],
    hint: "delete", isChange: true)
  private static let unmark = Entry(
    section: .change, label: "x", help: "take mark, link off",
    bindings: [("x", .unmark)], hint: "remove the link", isChange: true)
  private static let undo = Entry(
    section: .change, label: "u C-r", help: "undo, redo",
    bindings: [("u", .undo), (.control("r"), .redo)],
    hint: "undo", isChange: true)
  private static let save = Entry(
    section: .change, label: "W C-s", help: "save…",
    bindings: [("W", .save), (.control("s"), .save)],
    hint: "save", isChange: true)
  private static let discard = Entry(
    section: .change, label: "Z", help: "discard…", bindings: [("Z", .discard)],
    isChange: true)
  private static let refresh = Entry(
    section: .view, label: "R C-l", help: "refresh, redraw",
    bindings: [("R", .refresh), (.control("l"), .redraw)])
  private static let back = Entry(
    section: .follow, label: "← h", help: "back",
    bindings: [(.left, .back), ("h", .back), (.backspace, .back)])
  static let command = Entry(
    section: .other, label: ":", help: "command line", bindings: [(":", .command)])
  private static let entities = Entry(
    section: .other, label: "E", help: "entities", bindings: [("E", .entities)],
    hint: "entities")
  private static let program = Entry(
    section: .other, label: "? q Q C-z", help: "help, back, quit…",
    bindings: [
      ("?", .help), ("q", .quit), ("Q", .quitProgram), (.control("c"), .quitProgram),
      (.control("z"), .suspend),
    ],
    hint: "help")
}

extension KeyTable {
  /// Edits the value under the cursor.
  static let edit = Entry(
    section: .change, label: "e", help: "edit the value", bindings: [("e", .edit)],
    hint: "edit", isChange: true)
  /// Makes an object.
  static let insert = Entry(
    section: .change, label: "o O", help: "new object, duplicate",
    bindings: [("o", .insert), ("O", .duplicate)], hint: "new",
    isChange: true)
  /// Adds objects to a to-many relationship.
  static let add = Entry(
    section: .change, label: "a", help: "add to relationship",
    bindings: [("a", .add)], hint: "add", isChange: true)

  /// The actions that the hint line names in the list of a relationship.
  var relationshipActions: [Action] {
    [.open, .add, .insert, .unmark, .delete, .undo, .save, .filter, .help]
  }
}
