import ArgumentParser
import RowOutput

/// `cardfile manual`: prints the manual page, for `make install`.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Print the manual page, for man(1).",
    discussion: """
      EXAMPLE
        cardfile manual > /usr/local/share/man/man1/cardfile.1
      """,
    shouldDisplay: false)

  func run() throws {
    var output = StandardOutput()
    try output.writeUnchanged(
      ManualPage(help: Cardfile._dumpHelp(), version: Cardfile.configuration.version).text)
    try output.flush()
  }
}
