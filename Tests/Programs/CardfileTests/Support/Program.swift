import Foundation
import TestSupport

/// Runs the built program, which lies beside the test bundle, without a terminal.
enum Program {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    /// The lines of the output; CSV's CR LF are line ends too.
    var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
  }

  static var url: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("cardfile")
  }

  /// Runs it to its end. Standard input is empty.
  static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(arguments, environment: environment)
  }

  static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    let folder = try TemporaryFolder()
    let output = folder.url("output")
    let errors = folder.url("errors")
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.environment = self.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }

  /// Runs a line of the shell in which `$CARDFILE` is the program.
  static func shell(_ script: String, environment: [String: String] = [:]) throws -> Outcome {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      "-c", "(\n\(script)\n) >'\(folder.path("output"))' 2>'\(folder.path("errors"))' </dev/null",
    ]
    process.environment = self.environment.merging(environment) { $1 }
      .merging(["CARDFILE": url.path]) { $1 }
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: folder.url("output")), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: folder.url("errors")), as: UTF8.self))
  }

  /// Where the programs of this run keep what they remember; stores of other tests have other paths.
  ///
  /// The program was started before there, so that it does not show its first steps.
  private static let stateFolder = {
    let path =
      NSTemporaryDirectory() + "cardfile-state-\(ProcessInfo.processInfo.processIdentifier)"
    let folder = URL(fileURLWithPath: path).appendingPathComponent("cardfile")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data().write(to: folder.appendingPathComponent("started"))
    return path
  }()

  /// The whole environment of the program: nothing of the developer's own gets in.
  ///
  /// After a crash at a terminal Swift's own backtracer would ask what to do next.
  static let environment = [
    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
    "HOME": "/nonexistent", "SWIFT_BACKTRACE": "enable=no",
    "XDG_STATE_HOME": stateFolder, "XDG_CONFIG_HOME": "/nonexistent/config",
  ]
}
