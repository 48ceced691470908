/// The output of ArgumentParser's `--experimental-dump-help`, as far as the manual page needs it.
struct HelpDump: Decodable {
  let command: Command

  struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let subcommands: [Command]?
    let arguments: [Argument]?
  }

  struct Argument: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: Kind
    let shouldDisplay: Bool
    let isOptional: Bool
    let names: [Name]?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let abstract: String?
    let discussion: String?
  }
}

extension HelpDump.Argument {
  /// The argument as typed: `-h, --help`, `--where PREDICATE`, `STORE`.
  var spelling: String {
    let value = (valueName ?? "value").uppercased()
    switch kind {
    case .positional: return value
    case .flag: return spelledNames
    case .option: return "\(spelledNames) \(value)"
    }
  }

  /// Whether every command has the argument, as `--help`.
  var isCommon: Bool {
    kind == .flag && (names ?? []).contains { ["help", "version"].contains($0.name) }
  }

  private var spelledNames: String {
    (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }.sorted().joined(
      separator: ", ")
  }
}
