import TerminalApplications
import TerminalKit

/// The commands of the command line; help, completion, manual and README are made from them.
enum CommandTable {
  static let all: [Command] = [
    Command("w", help: "save…") { app, _ in app.perform(.save) },
    Command("q", help: "quit; asks when something is not saved") { app, _ in app.quit() },
    Command("wq", "x", help: "save and quit") { app, _ in
      app.save { [weak app] in app?.terminate() }
    },
    Command("q!", help: "quit without saving") { app, _ in app.terminate() },
    Command("discard", help: "discard all unsaved changes…") { app, _ in app.perform(.discard) },
    Command(
      "sort", argument: .keyPaths, label: "KEYS",
      help: "sort by “born desc,name”, or as at first"
    ) { app, text throws(TypedTextError) in try app.list(for: "sort").sort(typed: text) },
    Command(
      "sections", argument: .sections, label: "KEY",
      help: "sections by “city”, “born:year”, none"
    ) { app, text throws(TypedTextError) in try app.list(for: "sections").setSections(typed: text)
    },
    Command(
      "where", argument: .predicate, label: "PREDICATE",
      help: "show what matches, or everything"
    ) { app, text throws(TypedTextError) in try app.list(for: "where").setFilter(typed: text) },
    Command(
      "columns", argument: .columns, label: "NAMES",
      help: "show the columns “name,born”, or as at first"
    ) { app, text throws(TypedTextError) in try app.list(for: "columns").setColumns(typed: text) },
    Command(
      "type", argument: .kind, label: "COLUMN=KIND",
      help: "say what a column is: number, text, date2001…"
    ) { app, text throws(TypedTextError) in try app.chooseKind(typed: text) },
    Command(
      "entity", argument: .entity, label: "NAME",
      help: "open an entity, or the list of them"
    ) { app, text throws(TypedTextError) in try app.openEntity(typed: text) },
    Command(
      "export", argument: .path, label: "FILE", isRequired: true,
      help: "write what is shown to a file: "
        + ExportFormat.endings.dropLast().joined(separator: ", ")
        + " or " + (ExportFormat.endings.last ?? "")
    ) { app, text in app.exportList(to: text, replacing: false) },
    Command(
      "export!", argument: .path, label: "FILE", isRequired: true,
      help: "the same, replacing the file"
    ) { app, text in app.exportList(to: text, replacing: true) },
    Command(
      "import", argument: .path, label: "FILE", isRequired: true,
      help: "insert the objects of a CSV, TSV or JSON file…"
    ) { app, text in app.importFile(text) },
    Command(
      "set-value", argument: .assignment, label: "ATTRIBUTE = VALUE [where PREDICATE]",
      isRequired: true, help: "set a value of the selected objects, or of all that match"
    ) { app, text throws(TypedTextError) in try app.setValue(typed: text) },
    Command("delete-all", help: "delete all objects of the list, without undo…") {
      app, _ throws(TypedTextError) in app.deleteAll(of: try app.list(for: "delete-all"))
    },
    Command("messages", help: "the messages of this run") { app, _ in app.perform(.messages) },
    Command(
      "open", argument: .path, label: "STORE",
      help: "open another store, or choose one"
    ) { app, text throws(TypedTextError) in try app.openStore(typed: text) },
    Command("copy", help: "read a copy of the store as it is now, though it is locked") {
      app, _ throws(TypedTextError) in try app.readCopy()
    },
    Command(
      "set", argument: .setting, label: "SETTING=VALUE",
      help: "change a setting, or show all"
    ) { app, text throws(TypedTextError) in try app.changeSetting(typed: text) },
    Command("help", argument: .command, label: "COMMAND", help: "the commands") {
      app, text throws(TypedTextError) in try app.showCommands(typed: text)
    },
  ]

  /// The lines of the help: the command and what it does.
  static var lines: [(usage: String, help: String)] {
    all.map { ($0.usage, $0.help) } + [
      (":42 :50%", "go to a row, to a percentage")
    ]
  }

  /// What the command of a line does; while its name is not complete, the commands that it may be.
  static func hint(for text: String) -> String {
    let name = CommandText(text).name
    if let command = all.first(where: { $0.names.contains(name) }) {
      return "\(command.usage)   \(command.help)"
    }
    return name.isEmpty
      ? "a command, a row or a percentage; Tab and :help list them"
      : all.map { $0.names[0] }.filter { $0.hasPrefix(name) }.joined(separator: "  ")
  }

  /// The command of a name or of the unambiguous beginning of one.
  ///
  /// - Throws: The error in a text that begins with the name: it is unknown or ambiguous.
  static func command(named name: String) throws(TypedTextError) -> Command {
    if let exact = all.first(where: { $0.names.contains(name) }) { return exact }
    let range = 0..<name.count
    let matching = all.filter { $0.names.contains { $0.hasPrefix(name) } }
    guard let only = matching.first, matching.count == 1 else {
      let names = all.flatMap(\.names)
      throw matching.isEmpty
        ? TypedTextError(unknownCommand: name, at: range, offering: names)
        : TypedTextError(
          "“\(name)” could be \(matching.map { $0.names[0] }.joined(separator: ", "))", at: range)
    }
    return only
  }
}

/// The commands of the command line as text, for the manual page.
package var commandManual: String {
  let width = CommandTable.lines.map(\.usage.count).max() ?? 0
  return CommandTable.lines
    .map { "\(Signs.unicode.fit($0.usage, to: width))  \($0.help)" }
    .joined(separator: "\n")
}
