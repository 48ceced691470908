import ArgumentParser
import CardfileApp
import RowOutput

/// `cardfile config`: prints the settings.
struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print all settings, their values, and where each comes from.",
    discussion: """
      Settings are read from $XDG_CONFIG_HOME/cardfile/config.yaml (~/.config/cardfile/config.yaml). \
      In the program :set changes them until it ends.

      EXAMPLE of a settings file
        mouse: no
        colors: 16
        theme: light
        styles:
          cursor-row: bold black on #ffd75f
        keys:
          delete: [d, Del]
          save: C-w
      """)

  func run() throws {
    var output = StandardOutput()
    let file = SettingsFile()
    let (rows, problems) = MainActor.assumeIsolated {
      let (settings, problems) = file.settings()
      let rows = Setting.all.map { setting in
        [
          setting.name, setting.text(settings), settings.origin(of: setting.name).description,
          setting.help + " (" + setting.values.joined(separator: ", ") + ")",
        ]
      }
      return (rows, problems)
    }
    var table = TextTable(
      columns: ["Setting", "Value", "From", "Meaning"].map { .init(title: $0, isNumeric: false) })
    for row in rows { try table.write(row, to: &output) }
    try table.finish(&output)
    try output.flush()
    for problem in problems { writeToStandardError("cardfile: \(problem.text)") }
    if !problems.isEmpty { throw ExitCode(ExitStatus.usage.rawValue) }
  }
}

extension Settings.Origin {
  /// Where a value comes from, in words.
  var description: String {
    switch self {
    case .standard: "default"
    case .file(let path, let line): "\(path):\(line)"
    case .commandLine: "command line"
    case .session: ":set"
    }
  }
}
