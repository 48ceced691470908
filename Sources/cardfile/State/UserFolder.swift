import Foundation

/// The folders of the program by the XDG base directory specification.
enum UserFolder: String {
  /// Settings, `$XDG_CONFIG_HOME`.
  case config = "XDG_CONFIG_HOME"
  /// The demo store, `$XDG_DATA_HOME`.
  case data = "XDG_DATA_HOME"
  /// What is remembered between runs, `$XDG_STATE_HOME`.
  case state = "XDG_STATE_HOME"

  /// The program's folder: in the variable's if that is an absolute path, as the specification
  /// requires, otherwise in the default one under the home folder.
  var url: URL {
    let base: URL
    if let path = getenv(rawValue).map({ String(cString: $0) }), path.hasPrefix("/") {
      base = URL(fileURLWithPath: path)
    } else {
      base = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(
        fallback)
    }
    return base.appendingPathComponent("cardfile")
  }

  private var fallback: String {
    switch self {
    case .config: ".config"
    case .data: ".local/share"
    case .state: ".local/state"
    }
  }
}
