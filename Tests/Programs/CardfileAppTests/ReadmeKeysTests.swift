import TestSupport
import Testing

@testable import CardfileApp

/// The table of keys in the README is made from the tables that bind them.
@MainActor @Suite struct ReadmeKeysTests {
  @Test func `the README lists every key`() throws {
    let tables = KeyTable.all
    var rows: [(key: String, help: String, screens: [String])] = []
    for table in tables {
      for entry in table.entries {
        if let row = rows.firstIndex(where: { $0.key == entry.label && $0.help == entry.help }) {
          rows[row].screens.append(table.name)
        } else {
          rows.append((entry.label, entry.help, [table.name]))
        }
      }
    }
    let lines = rows.map { row in
      let screens = row.screens.count == tables.count ? "all" : row.screens.joined(separator: ", ")
      return "| `\(row.key)` | \(row.help) | \(screens) |\n"
    }
    try expectBlock(
      "\n| keys | action | screens |\n|---|---|---|\n\(lines.joined())\n", "keys", in: "README.md")
  }

  @Test func `the README lists every command of the command line`() throws {
    let lines = CommandTable.lines.map { "| `\($0.usage)` | \($0.help) |\n" }
    try expectBlock(
      "\n| command | does |\n|---|---|\n\(lines.joined())\n", "command-line", in: "README.md")
  }

  @Test func `the README lists every setting`() throws {
    let lines = Setting.plain.map { setting in
      "| `\(setting.name)` | \(setting.values.joined(separator: ", ")) "
        + "| \(setting.text(Settings())) | \(setting.help) |\n"
    }
    try expectBlock(
      "\n| setting | values | default | effect |\n|---|---|---|---|\n\(lines.joined())\n",
      "settings", in: "README.md")
  }
}
