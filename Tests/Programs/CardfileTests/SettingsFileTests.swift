import CardfileApp
import Foundation
import TerminalKit
import TestSupport
import Testing

@testable import cardfile

/// The settings file and `cardfile config`.
@MainActor @Suite struct SettingsFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ text: String) throws -> (settings: Settings, problems: [String]) {
    try Data(text.utf8).write(to: folder.url("config.yaml"))
    let (settings, problems) = SettingsFile(url: folder.url("config.yaml")).settings()
    let path = folder.path("config.yaml")
    return (settings, problems.map { $0.text.replacing(path, with: "config.yaml") })
  }

  @Test func `settings are read with the line that they stand on`() throws {
    let (settings, problems) = try read(
      """
      # mine
      mouse: no
      colors: 16
      keys:
        delete: [d, Del]
        save: C-w
      """)
    #expect(problems.isEmpty, "\(problems)")
    #expect(!settings.usesMouse)
    #expect(settings.colors == .sixteen)
    let path = folder.path("config.yaml")
    #expect(settings.origin(of: "colors") == .file(path: path, line: 3))
    #expect(settings.origin(of: "keys.save") == .file(path: path, line: 6))
    #expect(settings.origin(of: "backup") == .standard)
  }

  @Test(arguments: [
    ("mose: no", "config.yaml:1: there is no setting “mose”; write mouse"),
    (
      "keys: {zzz: x}",
      "config.yaml:1: there is no setting “keys.zzz”; write a name that cardfile config lists"
    ),
    ("\n\nmouse: maybe", "config.yaml:3: “maybe” is no value of mouse; write yes, no"),
    ("keys:\n  delete: [x, Dle]", "config.yaml:2: “Dle” is not a key; write Del"),
    ("mouse: no\nmouse: yes", "config.yaml:1: mouse is there twice; write it once"),
    ("mouse", "config.yaml:1: there is no name; write NAME: VALUE"),
    ("- mouse", "config.yaml:1: there is no name; write NAME: VALUE"),
    (
      "styles:\n  title: bold blu",
      "config.yaml:2: “blu” is neither a colour nor an attribute of text; write blue"
    ),
    (
      "styles: {title: zebra}",
      "config.yaml:1: “zebra” is neither a colour nor an attribute of text; "
        + "write theme, or attributes and colours such as: bold red on #202020"
    ),
    ("mouse: [[no]]", "config.yaml:1: mouse is a list of lists; write words"),
  ])
  func `an error names file, line and what to write`(text: String, problem: String) throws {
    #expect(try read(text).problems == [problem])
  }

  @Test(arguments: ["? *y\n: 1", "keys: *y", "{? [*y, *y] : 1}"])
  func `aliases within aliases are refused at once`(end: String) throws {
    let letters = Array("abcdefghijklmnopqrstuvwxy")
    let levels = zip(letters.dropFirst(), letters).map { "\($0): &\($0) [*\($1),*\($1)]" }
    let text = (["a: &a [x,x,x,x]"] + levels + [end]).joined(separator: "\n")
    #expect(
      try read(text).problems == ["config.yaml: there are too many aliases (*NAME) in it"])
  }

  @Test(arguments: ["mouse: [", "\tmouse: no", "a: b: c", "mouse: \"no", "{", "&a [*a]"])
  func `what is not YAML is reported with file and line, and the program still starts`(text: String)
    throws
  {
    let (settings, problems) = try read(text)
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("config.yaml") == true)
    #expect(settings == Settings())
  }

  @Test func `what is right is used although something else is wrong`() throws {
    let (settings, problems) = try read("mouse: no\nbackup: perhaps\nremember: off")
    #expect(problems.count == 1)
    #expect(!settings.usesMouse)
    #expect(!settings.remembers)
  }

  @Test func `aliases within aliases end in an error`() throws {
    let bomb = (1..<12).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1), *a\($0 - 1)]" }
    let text = "a0: &a0 [x, x]\n" + bomb.joined(separator: "\n")
    #expect(try !read(text).problems.isEmpty)
  }

  @Test func `a file that is empty, missing, a folder or a pipe stops nothing`() throws {
    #expect(try read("").problems.isEmpty)
    #expect(try read("# nothing\n").problems.isEmpty)
    #expect(SettingsFile(url: folder.url("missing.yaml")).settings().problems.isEmpty)
    #expect(SettingsFile(url: folder.url).settings().problems.count == 1)
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(SettingsFile(url: folder.url("pipe")).settings().problems.count == 1)
  }

  @Test func `config prints every setting with its value and where it comes from`() throws {
    try FileManager.default.createDirectory(
      at: folder.url("cardfile"), withIntermediateDirectories: true)
    try Data("mouse: no\nkeys: {delete: D}\n".utf8).write(to: folder.url("cardfile/config.yaml"))
    let environment = ["XDG_CONFIG_HOME": folder.url.path]
    let outcome = try Program.run("config", environment: environment)
    #expect(outcome.status == 0)
    func line(_ name: String) -> String {
      outcome.lines.first { $0.hasPrefix(name + " ") } ?? ""
    }
    #expect(line("mouse").contains("no"))
    #expect(line("mouse").contains("config.yaml:1"))
    #expect(line("keys.delete").contains("config.yaml:2"))
    #expect(line("backup").contains("default"))
    try Data("mouse: no\ncolours: 8\n".utf8).write(to: folder.url("cardfile/config.yaml"))
    let wrong = try Program.run("config", environment: environment)
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("config.yaml:2: there is no setting “colours”; write colors"))
    #expect(wrong.output.contains("mouse"))
  }
}
