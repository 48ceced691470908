import Foundation
import ObjectModel
import RESTStore
import Synchronization
import TestSupport
import Testing

/// The network itself, over sockets of this machine: what is sent, what is kept open, what is never
/// sent twice, and where answers end.
@Suite struct CurlTransportTests {
  private let transport = CurlTransport()

  private func failure(
    _ request: HTTPRequest, within limits: HTTPLimits = HTTPLimits(), control: FetchControl? = nil
  ) -> HTTPFailure.Reason? {
    do throws(HTTPFailure) {
      _ = try transport.response(to: request, within: limits, control: control)
      return nil
    } catch { return error.reason }
  }

  private func response(_ request: HTTPRequest) throws -> HTTPResponse {
    try transport.response(to: request, within: HTTPLimits(), control: nil)
  }

  @Test func `a request arrives as it was made, and its answer as it was sent`() throws {
    let server = try ScriptedServer { _ in
      .text("yes", "ETag: \"1\"", "Link: <a>", "Link: <b>", "X-Empty:")
    }
    let request = HTTPRequest(
      try server.url, method: "PATCH", headers: ["Authorization": "Bearer x", "Accept": "a/b"],
      body: Data("{}".utf8))
    let response = try response(request)
    #expect(response.status == 200 && response.body == Data("yes".utf8))
    #expect(response.headers["etag"] == "\"1\"" && response.headers["link"] == "<a>, <b>")
    #expect(response.headers["x-empty"]?.isEmpty == true)
    let sent = try #require(server.requests.withLock { $0.first })
    #expect(sent.head.hasPrefix("PATCH /items HTTP/1.1\r\n") && sent.body == "{}")
    #expect(sent.head.contains("Authorization: Bearer x\r\n"))
    #expect(sent.head.contains("Accept: a/b") && !sent.head.contains("*/*"))
  }

  @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
  func `each method is sent, without a body too`(method: String) throws {
    let server = try ScriptedServer { $0.method == "HEAD" ? .text("") : .text("[]") }
    _ = try response(HTTPRequest(try server.url, method: method))
    #expect(server.requests.withLock { $0.map { String($0.method) } } == [method])
  }

  @Test func `a large body is sent at once, and a large answer comes whole`() throws {
    let text = String(repeating: "0123456789", count: 200_000)
    let server = try ScriptedServer { .text($0.body) }
    let echo = try response(
      HTTPRequest(try server.url, method: "POST", body: Data(text.utf8)))
    #expect(echo.body == Data(text.utf8))
    #expect(server.requests.withLock { $0.first?.head.contains("Expect") } == false)
  }

  @Test func `reading keeps one connection`() throws {
    let server = try ScriptedServer { _ in .text("[]") }
    for _ in 0..<5 { _ = try response(HTTPRequest(try server.url)) }
    #expect(server.requests.withLock { $0.map(\.connection) } == [1, 1, 1, 1, 1])
  }

  @Test(arguments: ["POST", "PATCH", "DELETE"])
  func `what writes is never sent twice`(method: String) throws {
    let server = try ScriptedServer { $0.method == "GET" ? .text("[]") : .last(Data()) }
    _ = try response(HTTPRequest(try server.url))
    let body = method == "DELETE" ? nil : Data("{}".utf8)
    #expect(failure(HTTPRequest(try server.url, method: method, body: body)) == .lost)
    #expect(server.requests.withLock { $0.filter { $0.method == method }.count } == 1)
  }

  @Test func `several threads have a connection each`() throws {
    let server = try ScriptedServer { .text($0.body) }
    let url = try server.url
    let wrong = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 100) { number in
      let body = Data("\(number)".utf8)
      let response = try? transport.response(
        to: HTTPRequest(url, method: "POST", body: body), within: HTTPLimits(), control: nil)
      if response?.body != body { wrong.withLock { $0 += 1 } }
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test func `a redirect is the answer`() throws {
    let server = try ScriptedServer { _ in
      .last(ScriptedServer.head(["Location: /else", "Content-Length: 0"], status: "302 Found"))
    }
    let response = try response(HTTPRequest(try server.url))
    #expect(response.status == 302 && response.headers["location"] == "/else")
    #expect(server.requests.withLock { $0.count } == 1)
  }

  @Test func `what comes before the answer is no part of it`() throws {
    let server = try ScriptedServer { _ in
      .bytes(
        ScriptedServer.head(["X-Early: 1"], status: "103 Early Hints")
          + ScriptedServer.head(["Content-Length: 2"], status: "201 Created") + Data("{}".utf8))
    }
    let response = try response(HTTPRequest(try server.url))
    #expect(response.status == 201 && response.headers["x-early"] == nil)
  }

  /// “hello, hello, hello”.
  private static let zipped = Data([
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7, 0x51, 0xc8, 0x40, 0xa2,
    0, 0x9f, 0xa1, 0xca, 0x09, 0x13, 0, 0, 0,
  ])

  @Test func `a compressed body is opened, and its limit is that of the open one`() throws {
    let server = try ScriptedServer { request in
      let isAsked = request.head.contains("Accept-Encoding: ") && request.head.contains("gzip")
      let headers = isAsked ? ["Content-Encoding: gzip"] : []
      return .last(ScriptedServer.head(headers + ["Connection: close"]) + Self.zipped)
    }
    let request = HTTPRequest(try server.url)
    #expect(try response(request).body == Data("hello, hello, hello".utf8))
    #expect(failure(request, within: HTTPLimits(byteCount: 18)) == .tooLarge)
    #expect(failure(request, within: HTTPLimits(byteCount: 19)) == nil)
  }

  @Test func `an answer without an end is cut while it comes`() throws {
    let server = try ScriptedServer { request in
      request.head.contains("/items/head")
        ? .endless(Data("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 50_000))\r\n".utf8))
        : .endless(ScriptedServer.head([]) + Data(count: 1 << 20))
    }
    let limits = HTTPLimits(byteCount: 5_000_000)
    #expect(failure(HTTPRequest(try server.url), within: limits) == .tooLarge)
    let head = try server.url.appending(path: "head")
    #expect([.malformed, .lost].contains(failure(HTTPRequest(head), within: limits)))
  }

  @Test func `a body that is cut off is no answer`() throws {
    let server = try ScriptedServer { _ in
      .last(ScriptedServer.head(["Content-Length: 100"]) + Data("[1, 2".utf8))
    }
    #expect(failure(HTTPRequest(try server.url)) == .lost)
  }

  @Test func `what is no HTTP is told apart`() throws {
    let server = try ScriptedServer { _ in .last(Data("SSH-2.0-OpenSSH_9.2\r\n".utf8)) }
    #expect(failure(HTTPRequest(try server.url)) == .malformed)
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1, "])
  func `silence ends a request`(begin: String) throws {
    let server = try ScriptedServer { _ in .silent(Data(begin.utf8)) }
    #expect(failure(HTTPRequest(try server.url), within: HTTPLimits(seconds: 0.3)) == .timedOut)
  }

  @Test func `a request is cancelled from another thread`() throws {
    let control = FetchControl()
    let server = try ScriptedServer { _ in
      control.cancel()
      return .silent(Data())
    }
    #expect(failure(HTTPRequest(try server.url), control: control) == .cancelled)
  }

  @Test func `nobody listens`() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    // It is bound, so that nobody else has it, and listens to nothing.
    let port = try ScriptedServer.bindToFreePort(descriptor)
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
    #expect(failure(HTTPRequest(url)) == .unreachable)
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"))
  func `a certificate that nobody vouches for is refused, with the reason`() throws {
    let folder = try TemporaryFolder()
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let port = try ScriptedServer.bindToFreePort(descriptor)
    close(descriptor)
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/bin/sh")
    server.arguments = [
      "-c",
      """
      cd "$1" && openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -subj /CN=localhost
      exec openssl s_server -accept "127.0.0.1:$2" -cert cert -key key -www
      """, "sh", folder.url.path, "\(port)",
    ]
    (server.standardOutput, server.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try server.run()
    defer { kill(server.processIdentifier, SIGKILL) }
    let request = HTTPRequest(try #require(URL(string: "https://localhost:\(port)/")))
    for _ in 0..<600 {
      guard failure(request) == .unreachable else { break }
      Thread.sleep(forTimeInterval: 0.05)
    }
    let failure = #expect(throws: HTTPFailure.self) { try response(request) }
    #expect(failure?.reason == .insecure)
    #expect(failure?.detail.contains("self-signed") == true, "\(failure?.detail ?? "")")
  }
}
