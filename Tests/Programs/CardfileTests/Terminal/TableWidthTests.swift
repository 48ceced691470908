import Foundation
import TestSupport
import Testing

/// Tables that commands print on a terminal.
struct TableWidthTests {
  @Test func `text gives way until a line fits, numbers and keys stay whole`() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "long ", count: 60)
    let store = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, price REAL, about TEXT);
      INSERT INTO book VALUES (1234567, 'A short title', 12345.75, '\(long)'),
        (2, '\(String(repeating: "本", count: 50))', 1, 'short');
      """)
    for columns in [50, 80, 200] {
      let terminal = try PseudoTerminal(
        shell: "\"$CARDFILE\" fetch '\(store)' book; echo done; sleep 100", columns: columns)
      #expect(terminal.waitFor("done"), "\(terminal.screen.text)")
      let lines = terminal.screen.text.split(separator: "\n").map {
        $0.trimmingCharacters(in: .whitespaces)
      }.filter { !$0.isEmpty }
      // A line that does not fit would go on in the next one.
      #expect(lines.count == 5, "\(columns): \(terminal.screen.text)")
      #expect(lines.contains { $0.hasPrefix("1234567") && $0.contains("12345.75") })
      #expect(lines.dropFirst(2).prefix(2).allSatisfy { $0.contains("…") }, "\(lines)")
    }
    // A pipe has no width: there only very long cells are cut.
    let lines = try Program.run("fetch", store, "book").lines
    #expect(lines.contains { $0.count > 100 })
  }
}
