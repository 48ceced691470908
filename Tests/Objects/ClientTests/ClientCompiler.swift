import Foundation
import TestSupport
import Testing

/// Compiles code as a client's: outside of the package, with the modules that the tests were built
/// with.
enum ClientCompiler {
  /// Returns the lines of the compiler that report errors, or those of another kind.
  static func diagnostics(
    _ kind: String = "error", of files: [String], _ arguments: [String], language: String = "6"
  ) throws -> [String] {
    let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    // The products of a triple and a configuration lie two folders below the checkouts.
    let scratch = products.deletingLastPathComponent().deletingLastPathComponent()
    let root = Repository.root.path
    let maps = ["CSQLite", "CSignals", "CCurl"].flatMap {
      ["-Xcc", "-fmodule-map-file=\(products.path)/\($0).build/module.modulemap"]
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["swiftc"] + arguments + ["-swift-version", language]
      + ["-I", "\(products.path)/Modules"] + maps
      + ["-I", "\(root)/Sources/C/CZlib", "-I", "\(root)/Sources/C/CNcurses"]
      + ["-I", "\(scratch.path)/checkouts/GRDB.swift/Sources/GRDBSQLite"] + files
    let output = Pipe()
    process.standardError = output
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = text.split(separator: "\n").map(String.init)
    let hasErrors = lines.contains { $0.contains(": error: ") }
    #expect((process.terminationStatus == 0) == !hasErrors, "\(text.suffix(500))")
    return lines.filter { $0.contains(": \(kind): ") }
  }
}
