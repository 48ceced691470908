import TerminalKit

extension KeyTable {
  /// The keys of a value by itself: those of less, and of a tree.
  static let viewer = KeyTable(
    name: "value", hinting: [.back, .find, .nextForm, .writeFile, .help],
    entries: [
      rows, ends(help: "first, last line"), halfPages,
      Entry(
        section: .move, label: "PgDn PgUp Space", help: "page, also C-f C-b",
        bindings: [
          (.control("f"), .pageDown), (.control("b"), .pageUp), (.pageDown, .pageDown),
          (.pageUp, .pageUp), (" ", .pageDown),
        ]),
      Entry(
        section: .move, label: "42G  50%", help: "line, percent",
        bindings: [("%", .percent)]),
      Entry(
        section: .find, label: "/ f n N", help: "find, next, previous",
        bindings: [("/", .find), ("f", .find), ("n", .findNext), ("N", .findPrevious)],
        hint: "find"),
      Entry(
        section: .view, label: "Tab S-Tab", help: "tree, text, hex",
        bindings: [(.tab, .nextForm), (.backTab, .previousForm)], hint: "other form"),
      Entry(
        section: .follow, label: "⏎ → l", help: "unfold, open a part",
        bindings: [(.enter, .open), (.right, .open), ("l", .open)]),
      Entry(
        section: .follow, label: "← h", help: "fold, or back",
        bindings: [(.left, .close), ("h", .close), (.backspace, .close)]),
      Entry(
        section: .follow, label: "q Esc", help: "back",
        bindings: [("q", .quit), (.escape, .back)], hint: "back"),
      Entry(
        section: .other, label: "w", help: "write to a file",
        bindings: [("w", .writeFile)], hint: "write"),
      copy, command,
      Entry(
        section: .view, label: "C-l", help: "redraw", bindings: [(.control("l"), .redraw)]),
      Entry(
        section: .other, label: "? Q C-z", help: "help, quit, suspend",
        bindings: [
          ("?", .help), ("Q", .quitProgram), (.control("c"), .quitProgram),
          (.control("z"), .suspend),
        ],
        hint: "help"),
    ])
}
