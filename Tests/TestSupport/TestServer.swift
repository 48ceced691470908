import Foundation
import Synchronization

/// A server of the tests' own: a private socket, a temporary folder, an unprivileged user. It ends with
/// the process.
package final class TestServer: Sendable {
  /// The server that all tests share; nil where there is none, or the program was built without
  /// PostgreSQL.
  #if PostgreSQL
    package static let shared: TestServer? = try? TestServer()
  #else
    package static let shared: TestServer? = nil
  #endif

  /// Why tests are skipped.
  package static let reason: String = """
    needs a PostgreSQL server and the trait PostgreSQL (make setup-postgresql)
    """

  private static let names = Atomic(0)

  /// The folder of its data, its log and its socket; it is removed when the server ends.
  package let path: String
  private let port: Int
  private let process: Process
  /// The server ends when this is closed.
  private let input = Pipe()

  package init(port: Int = 5432) throws {
    self.port = port
    // A psql that is not let in ends before it has read its statements.
    signal(SIGPIPE, SIG_IGN)
    let bin = try Self.binaries()
    // Not in the folder of temporary files, which another user may not enter; a socket's path is short.
    path = "/tmp/cardfile-postgresql-\(getpid())-\(UInt16.random(in: 0...9_999))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    var user = ""
    if geteuid() == 0 {
      // The server refuses to run as root.
      user = "setpriv --reuid=nobody --regid=nogroup --clear-groups "
      let nobody = getpwnam("nobody")?.pointee
      _ = chown(path, nobody?.pw_uid ?? 65_534, nobody?.pw_gid ?? 65_534)
    }
    let data = path + "/data"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      """
      cd '\(path)' && \(user)'\(bin)/initdb' -D '\(data)' -A trust -U tester -E UTF8 \
      --locale=C.UTF-8 --no-sync >init.log 2>&1 ||
      { rm -rf '\(path)'; exit 1; }
      begin() {
        \(user)'\(bin)/postgres' -D '\(data)' -k '\(path)' -p \(port) -c listen_addresses= \
        -c fsync=off -c max_connections=60 >>server.log 2>&1 &
        server=$!
        echo $server >server.pid
      }
      begin
      while read line; do wait $server; begin; done
      kill -INT $server
      wait
      rm -rf '\(path)'
      """,
    ]
    process.standardInput = input
    try process.run()
    self.process = process
    guard waitUntilReady({ process.isRunning }) else { throw CocoaError(.executableLoad) }
  }

  /// Waits until the server answers.
  private func waitUntilReady(_ mayCome: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: 60)
    while Date() < deadline, mayCome() {
      if (try? Self.psql("SELECT 1", address("postgres"))) == "1" { return true }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return false
  }

  /// Ends all processes of the server as a crash of its machine would, without a goodbye.
  package func crash() {
    let main = pid
    // Its first process is stopped, so that it starts no others.
    kill(main, SIGSTOP)
    let list = FileManager.default.contents(atPath: "/proc/\(main)/task/\(main)/children") ?? Data()
    let others = String(decoding: list, as: UTF8.self).split(separator: " ").compactMap {
      Int32($0)
    }
    for pid in [main] + others { kill(pid, SIGKILL) }
    for pid in [main] + others { while Self.isRunning(pid) { usleep(1_000) } }
  }

  /// Whether a process runs; one that has ended may still be listed until its parent asks for it.
  private static func isRunning(_ pid: Int32) -> Bool {
    guard pid > 0, let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else {
      return false
    }
    return !line.isEmpty
  }

  /// Starts the server again after a crash; it recovers from its log.
  package func restart() throws {
    let isReady = waitUntilReady {
      if !Self.isRunning(pid) {
        // It does not start as long as others of its processes end.
        try? input.fileHandleForWriting.write(contentsOf: Data("again\n".utf8))
        Thread.sleep(forTimeInterval: 0.2)
      }
      return process.isRunning
    }
    guard isReady else { throw CocoaError(.executableLoad) }
  }

  /// The process of the server.
  package var pid: Int32 {
    let text =
      (try? String(contentsOf: URL(fileURLWithPath: path + "/server.pid"), encoding: .utf8)) ?? ""
    return Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  /// The address of a database.
  package func address(_ name: String) -> String {
    "postgresql:///\(name)?host=\(path)&port=\(port)&user=tester"
  }

  /// Makes a database with the tables of a script.
  ///
  /// - Returns: Its address.
  package func makeDatabase(_ script: String = "") throws -> String {
    let name = "test\(Self.names.wrappingAdd(1, ordering: .relaxed).newValue)"
    try run("CREATE DATABASE \(name)", in: "postgres")
    if !script.isEmpty { try run(script, in: name) }
    return address(name)
  }

  /// Runs a script with psql.
  ///
  /// - Returns: What it printed: the rows, their values between `|`.
  @discardableResult
  package func run(_ script: String, in name: String) throws -> String {
    try Self.psql(script, address(name))
  }

  /// Runs a script with psql.
  @discardableResult
  package static func psql(_ script: String, _ address: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try binaries() + "/psql")
    process.arguments = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", address]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    try input.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard process.terminationStatus == 0 else {
      throw CocoaError(.executableRuntimeMismatch, userInfo: ["output": text])
    }
    return text
  }

  /// The folder of the server's programs.
  private static func binaries() throws -> String {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.compactMap(Int.init).max().map { "\(root)/\($0)/bin" }
    guard let newest, FileManager.default.isExecutableFile(atPath: newest + "/initdb") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return newest
  }
}
