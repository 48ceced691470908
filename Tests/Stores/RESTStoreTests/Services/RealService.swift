import Foundation
import RESTStore
import TestSupport
import Testing

/// A server that nobody here wrote, on a port of this machine, with a small Chinook in it.
///
/// `make services` installs them in `.build/services`.
final class RealService {
  /// The servers, by the folder of their package.
  enum Kind: String, CaseIterable {
    /// The in-memory reference processor of odatapy.
    case odatapy
    /// The stable Datasette, which only reads.
    case datasette
    /// The Datasette to come, which writes with a token.
    case datasette1
  }

  private static let folder = Repository.root.appendingPathComponent(".build/services")

  /// Whether a server is installed, and Python is there.
  static func isInstalled(_ kind: Kind) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return FileManager.default.fileExists(
      atPath: folder.appendingPathComponent(kind.rawValue).path)
      && path.split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/python3")
      }
  }

  let url: URL
  let transport = CurlTransport()
  private let process: Process
  private let input = Pipe()
  private let temporary: TemporaryFolder

  /// Starts a server, and waits for it.
  ///
  /// - Parameters:
  ///   - kind: Which one.
  ///   - pageSize: How many objects a page has; nil leaves that to it.
  /// - Throws: If it does not start.
  init(_ kind: Kind, pageSize: Int? = nil) throws {
    temporary = try TemporaryFolder()
    let fixtures = Repository.root.appendingPathComponent("Fixtures/Services")
    let database = temporary.path("chinook.db")
    let make = Self.python(
      kind,
      [
        "-c",
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())",
        database, fixtures.appendingPathComponent("chinook.sql").path,
      ])
    try make.run()
    make.waitUntilExit()
    let output = Pipe()
    var arguments: [String]
    var port = 0
    if kind == .odatapy {
      arguments =
        [
          fixtures.appendingPathComponent("odata_service.py").path, database,
          fixtures.appendingPathComponent("chinook.xml").path,
        ] + (pageSize.map { ["\($0)"] } ?? [])
    } else {
      port = try Self.freePort()
      arguments = [
        "-m", "datasette", "serve", database, "--port", "\(port)", "--setting", "max_returned_rows",
        "\(pageSize ?? 1000)",
      ]
      if kind == .datasette1 { arguments += ["--root", "--secret", "secret"] }
    }
    process = Self.python(kind, arguments)
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    if kind == .odatapy {
      // It says its port when it listens.
      var text = ""
      while !text.contains("\n") {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { break }
        text += String(decoding: data, as: UTF8.self)
      }
      port = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }
    url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
    try waitForAnswer()
  }

  deinit {
    // A child of a thread that blocks signals does not take a polite one.
    kill(process.processIdentifier, SIGKILL)
  }

  private static func python(_ kind: Kind, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    var environment = ProcessInfo.processInfo.environment
    environment["PYTHONPATH"] = folder.appendingPathComponent(kind.rawValue).path
    process.environment = environment
    process.standardError = FileHandle.nullDevice
    return process
  }

  private func waitForAnswer() throws {
    for _ in 0..<600 {
      if (try? send(HTTPRequest(url))) != nil { return }
      try #require(process.isRunning, "the server has ended")
      Thread.sleep(forTimeInterval: 0.05)
    }
    Issue.record("the server does not answer")
  }

  /// A token with which everything may be done.
  func token() throws -> String {
    let output = Pipe()
    let process = Self.python(
      .datasette1, ["-m", "datasette", "create-token", "root", "--secret", "secret"])
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Sends a request as it is.
  func send(_ request: HTTPRequest) throws -> HTTPResponse {
    try transport.response(to: request, within: HTTPLimits(), control: nil)
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return try ScriptedServer.bindToFreePort(descriptor)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test or a suite where a server is not installed.
  static func needs(_ kind: RealService.Kind) -> Self {
    .enabled(if: RealService.isInstalled(kind), "needs the services of `make services`")
  }
}
