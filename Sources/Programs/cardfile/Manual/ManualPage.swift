import CardfileApp
import Foundation

/// The manual page in roff, generated from the argument parser's help and the table of keys.
struct ManualPage {
  private var lines: [String] = []

  /// Creates the manual page.
  ///
  /// - Throws: `DecodingError` if the JSON has another form.
  init(help: String, version: String) throws {
    let command = try JSONDecoder().decode(HelpDump.self, from: Data(help.utf8)).command
    lines.append(".TH CARDFILE 1 \"\" \"cardfile \(version)\" \"User Commands\"")
    section("NAME")
    lines.append("cardfile \\- " + Self.escaped(command.abstract ?? ""))
    section("SYNOPSIS")
    synopsis("", "[STORE [ENTITY]] [options]")
    let shown = (command.subcommands ?? []).filter {
      $0.shouldDisplay ?? true && $0.commandName != "help"
    }
    for subcommand in shown where subcommand.commandName != "browse" {
      let words = (subcommand.arguments ?? []).filter { $0.kind == .positional }
        .map { $0.isOptional ? "[\($0.spelling)]" : $0.spelling }
      synopsis(subcommand.commandName, (words + ["[options]"]).joined(separator: " "))
    }
    synopsis("", "--help | --version")
    section("DESCRIPTION")
    text(command.discussion ?? "")
    section("COMMANDS")
    shown.forEach { describe($0) }
    section("KEYS")
    text(
      keyManual.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(
        separator: "\n"))
    section("COMMAND LINE")
    text(
      commandManual.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
    section("FILES")
    term(
      "$XDG_DATA_HOME/cardfile/demo/demo.sqlite",
      "The store of cardfile demo. If XDG_DATA_HOME is not set, ~/.local/share is used.")
    term(
      "$XDG_CONFIG_HOME/cardfile/config.yaml",
      "The settings; cardfile config prints them. If XDG_CONFIG_HOME is not set, ~/.config is used."
    )
    term(
      "$XDG_STATE_HOME/cardfile/recent.json", "The stores that were opened before.")
    term(
      "$XDG_STATE_HOME/cardfile/stores/",
      "What is remembered of each store: columns, order and sections of its lists, former filters. "
        + "If XDG_STATE_HOME is not set, ~/.local/state is used.")
    section("SEE ALSO")
    lines.append(".BR sqlite3 (1)")
  }

  /// The manual page in roff.
  var text: String { lines.joined(separator: "\n") }

  private mutating func section(_ title: String) { lines.append(".SH \"\(title)\"") }

  private mutating func synopsis(_ command: String, _ rest: String) {
    lines += [".br", ".B cardfile" + (command.isEmpty ? "" : " \(command)"), Self.escaped(rest)]
  }

  private mutating func describe(_ command: HelpDump.Command) {
    lines.append(".SS cardfile \(Self.escaped(command.commandName))")
    lines.append(Self.escaped(command.abstract ?? ""))
    for argument in command.arguments ?? [] where argument.shouldDisplay && !argument.isCommon {
      var facts = [argument.abstract, argument.discussion].compactMap(\.self)
      if argument.kind == .option, let value = argument.defaultValue {
        facts.append("(default: \(value))")
      }
      if argument.kind == .option, let values = argument.allValues {
        facts.append("One of \(values.joined(separator: ", ")).")
      }
      term(argument.spelling, facts.joined(separator: " "))
    }
    if let discussion = command.discussion, !discussion.isEmpty {
      lines.append(".PP")
      text(discussion, heading: { ".PP\n.B \($0)" })
    }
  }

  private mutating func term(_ term: String, _ meaning: String) {
    lines += [".TP", ".B " + Self.escaped(term), Self.escaped(meaning)]
  }

  /// Appends text: indented lines are kept as they are, a line in capitals becomes a heading, an
  /// empty line starts a paragraph.
  private mutating func text(_ text: String, heading: (String) -> String = { ".SH \"\($0)\"" }) {
    var isLiteral = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  ") != isLiteral {
        isLiteral.toggle()
        lines.append(isLiteral ? ".nf" : ".fi")
      }
      if !line.isEmpty, line.allSatisfy({ $0.isUppercase || $0 == " " }) {
        lines.append(heading(String(line)))
      } else {
        lines.append(line.isEmpty ? ".PP" : Self.escaped(String(line)))
      }
    }
    if isLiteral { lines.append(".fi") }
  }

  /// Returns text with roff's special characters escaped.
  private static func escaped(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
