import Foundation
import ObjectModel

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
  /// The program reads it from a file, so that one that does not read cannot block. The file has no
  /// name when the text is written.
  ///
  /// - Returns: Whether the program took it; false also if it takes longer than three seconds.
  func copy(_ text: String) -> Bool {
    guard
      let folder = try? OpenFolder(path: FileManager.default.temporaryDirectory.path),
      let file = try? Draft(fileIn: folder)
    else { return false }
    file.removeName()
    return withExtendedLifetime(file) { run(reading: file, text) }
  }

  private func run(reading file: Draft, _ text: String) -> Bool {
    guard (try? file.write(Array(text.utf8))) != nil, lseek(file.descriptor, 0, SEEK_SET) == 0
    else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = FileHandle(fileDescriptor: file.descriptor)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    if Self.waits(for: process, seconds: Self.patience) { return process.terminationStatus == 0 }
    process.terminate()
    if !Self.waits(for: process, seconds: Self.patienceAfterTermination) {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    return false
  }

  /// How long a program may take to end after SIGTERM, in seconds.
  private static let patienceAfterTermination = 0.3

  /// Whether a program ends within some time.
  private static func waits(for process: Process, seconds: Double) -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while process.isRunning, Date() < deadline { usleep(2000) }
    return !process.isRunning
  }
}
