import Foundation

/// A program that copies text to the clipboard of the desktop or of tmux.
struct ClipboardTool {
  let name: String
  let path: String
  let arguments: [String]

  /// How long a program may take, in seconds.
  private static let patience = 3.0

  /// The program for this environment; nil if there is none.
  static func find(_ environment: [String: String]) -> ClipboardTool? {
    let candidates: [(String, [String], Bool)] = [
      ("pbcopy", [], true),
      ("wl-copy", [], environment["WAYLAND_DISPLAY"] != nil),
      ("xclip", ["-selection", "clipboard"], environment["DISPLAY"] != nil),
      ("xsel", ["--clipboard", "--input"], environment["DISPLAY"] != nil),
      ("tmux", ["load-buffer", "-w", "-"], environment["TMUX"] != nil),
    ]
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    for (name, arguments, isUsable) in candidates where isUsable {
      for folder in folders {
        let path = "\(folder)/\(name)"
        if FileManager.default.isExecutableFile(atPath: path) {
          return ClipboardTool(name: name, path: path, arguments: arguments)
        }
      }
    }
    return nil
  }

  /// Copies a text with the program for this environment.
  ///
  /// - Parameter text: The text.
  /// - Returns: The program's name; nil if there is none, or it failed.
  @Sendable static func copy(_ text: String) -> String? {
    guard let tool = find(ProcessInfo.processInfo.environment) else { return nil }
    return tool.copy(text) ? tool.name : nil
  }

  /// Copies a text.
  ///
  /// The program reads it from a file, so that one that does not read cannot block.
  ///
  /// - Returns: Whether the program took it; false also if it takes longer than three seconds.
  func copy(_ text: String) -> Bool {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "cardfile-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let isMade = FileManager.default.createFile(
      atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    guard isMade, let input = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? input.close() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    let deadline = Date().addingTimeInterval(Self.patience)
    while process.isRunning, Date() < deadline { usleep(2000) }
    guard !process.isRunning else {
      process.terminate()
      return false
    }
    return process.terminationStatus == 0
  }
}
