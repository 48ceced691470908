import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import cardfile

/// The tables of commands and options in the README are made from the argument parser's own help.
struct ReadmeTablesTests {
  private let commands: [HelpDump.Command]

  init() throws {
    let help = Data(Cardfile._dumpHelp().utf8)
    let program = try JSONDecoder().decode(HelpDump.self, from: help).command
    commands = (program.subcommands ?? []).filter {
      $0.shouldDisplay ?? true && $0.commandName != "help"
    }
  }

  @Test func `the README lists every command with its options`() throws {
    let rows = commands.map { command in
      let name = command.commandName == "browse" ? "" : " \(command.commandName)"
      let arguments = shown(command).filter { $0.kind == .positional }.map {
        " " + ($0.isOptional ? "[\($0.spelling)]" : $0.spelling)
      }
      let options = shown(command).filter { $0.kind != .positional }.map { "`\($0.option)`" }
      return "| `cardfile\(name)\(escaped(arguments.joined()))` | \(command.abstract ?? "") "
        + "| \(options.joined(separator: " ")) |\n"
    }
    try expectBlock(
      "\n| command | does | options |\n|---|---|---|\n\(rows.joined())\n", "commands",
      in: "README.md")
  }

  @Test func `the README says what every option does`() throws {
    var rows: [(spelling: String, meaning: String, commands: [String])] = []
    for command in commands {
      for option in shown(command) where option.kind != .positional {
        let (spelling, meaning) = (option.spelling, meaning(of: option))
        if let row = rows.firstIndex(where: { $0.spelling == spelling && $0.meaning == meaning }) {
          rows[row].commands.append(command.commandName)
        } else {
          rows.append((spelling, meaning, [command.commandName]))
        }
      }
    }
    // Of an option that means different things the commands are named.
    let lines = rows.sorted { $0.spelling < $1.spelling }.map { row in
      let isAmbiguous = rows.filter { $0.spelling == row.spelling }.count > 1
      let commands = isAmbiguous ? " (\(row.commands.joined(separator: ", ")))" : ""
      return "| `\(escaped(row.spelling))`\(commands) | \(escaped(row.meaning)) |\n"
    }
    try expectBlock(
      "\n| option | effect |\n|---|---|\n\(lines.joined())\n", "options", in: "README.md")
  }

  private func shown(_ command: HelpDump.Command) -> [HelpDump.Argument] {
    (command.arguments ?? []).filter { $0.shouldDisplay && !$0.isCommon }
  }

  private func meaning(of option: HelpDump.Argument) -> String {
    var sentences = [option.abstract, option.discussion].compactMap(\.self)
    if option.kind == .option, let values = option.allValues {
      sentences.append("One of \(values.joined(separator: ", ")).")
    }
    if option.kind == .option, let value = option.defaultValue {
      sentences.append("Default: \(value).")
    }
    return sentences.joined(separator: " ")
  }

  private func escaped(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("\n", with: " ")
  }
}

extension HelpDump.Argument {
  /// The long name, as typed.
  fileprivate var option: String {
    String(spelling.prefix { $0 != " " })
  }
}
