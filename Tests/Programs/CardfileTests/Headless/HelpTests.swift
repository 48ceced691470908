import Testing

struct HelpTests {
  @Test func `help and version are printed to standard output with status 0`() throws {
    for word in ["--help", "-h", "help"] {
      let outcome = try Program.run(word)
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(outcome.output.contains("cardfile chinook.sqlite Artist"))
    }
    let version = try Program.run("--version")
    #expect(version.status == 0)
    #expect(version.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  @Test(
    arguments: [
      "browse", "demo", "entities", "describe", "count", "fetch", "delete", "history", "check",
      "create", "generate", "import", "export", "diff",
    ])
  func `every command has help with an example`(command: String) throws {
    let outcome = try Program.run(command, "--help")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("EXAMPLE"))
    #expect(outcome.output.contains("cardfile"))
  }

  @Test func `the manual page has all commands, options and keys, and is valid roff`() throws {
    let outcome = try Program.run("manual")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix(".TH CARDFILE 1"))
    for word in [
      ".SH \"NAME\"", ".SH \"KEYS\"", "\\-\\-relationships", "cardfile fetch",
      ".SH \"EXIT STATUS\"",
    ] {
      #expect(outcome.output.contains(word), "\(word)")
    }
    let formatted = try Program.shell(
      "command -v groff >/dev/null || exit 0; $CARDFILE manual | groff -k -man -Tutf8 -ww -z 2>&1")
    #expect(formatted.output.isEmpty)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completion scripts are generated for each shell`(shell: String) throws {
    let outcome = try Program.run("--generate-completion-script", shell)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("cardfile"))
    #expect(outcome.output.contains("relationships"))
  }
}
