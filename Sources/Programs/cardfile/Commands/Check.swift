import ArgumentParser
import ObjectModel
import SQLiteStore
import RowOutput

/// `cardfile check`: checks the integrity of a store.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a store: the file, keys, relationships, required values, history.",
    discussion: """
      Prints the findings, worst first, with remedies. The exit status is 1 if there are errors; \
      warnings and notes do no harm to apps. Nothing is changed.

      EXAMPLE
        cardfile check Photos.sqlite
      """)

  @OptionGroup var storeArgument: StoreArgument

  func run() throws {
    let opened = try OpenedStore(storeArgument)
    let findings = try opened.database(for: "tables to check").check()
    var output = StandardOutput()
    do {
      for finding in findings {
        for line in finding.lines { try output.writeLine(line) }
      }
      if findings.isEmpty { try output.writeLine("nothing wrong was found") }
      try output.flush()
    } catch is StandardOutput.ReaderGone {
      // The exit status says what was found, whether anybody reads it or not.
    }
    if findings.contains(where: { $0.severity == .error }) {
      throw ExitCode(ExitStatus.refused.rawValue)
    }
  }
}
