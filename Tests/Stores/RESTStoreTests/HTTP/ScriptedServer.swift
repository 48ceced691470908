import Foundation
import Synchronization
import Testing

/// A server on a port of this machine that sends what a closure says, byte by byte.
final class ScriptedServer: Sendable {
  /// A request as it came.
  struct Request: Sendable {
    /// The first line and the headers.
    var head: String
    var body: String
    /// The number of its connection, from 1.
    var connection: Int

    var method: Substring { head.prefix { $0 != " " } }
  }

  /// What is done with a request.
  enum Answer: Sendable {
    /// Sends bytes, and waits for the next request.
    case bytes(Data)
    /// Sends bytes, and ends the connection.
    case last(Data)
    /// Sends bytes again and again, until the client has gone.
    case endless(Data)
    /// Sends bytes, and nothing more.
    case silent(Data)

    /// Sends an answer of HTTP 1.1 with its length.
    static func text(_ body: String, _ headers: String...) -> Answer {
      .bytes(ScriptedServer.head(headers + ["Content-Length: \(body.utf8.count)"]) + body.utf8)
    }
  }

  let port: Int
  let requests = Mutex<[Request]>([])
  private let listener: Int32
  private let answer: @Sendable (Request) -> Answer

  init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
    self.answer = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    port = try Self.bindToFreePort(listener)
    try #require(listen(listener, 64) == 0)
    Thread.detachNewThread { [weak self, listener] in
      var count = 0
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        count += 1
        Thread.detachNewThread { [weak self, count] in
          while self?.serve(connection, number: count) == true {}
          close(connection)
        }
      }
      close(listener)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  var url: URL { get throws { try #require(URL(string: "http://127.0.0.1:\(port)/items")) } }

  static func head(_ headers: [String], status: String = "200 OK") -> Data {
    Data((["HTTP/1.1 \(status)"] + headers + ["", ""]).joined(separator: "\r\n").utf8)
  }

  /// Binds a socket to a port of this machine that nobody has.
  static func bindToFreePort(_ descriptor: Int32) throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
      }
    }
    try #require(status == 0)
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Answers one request; false if the connection has ended.
  private func serve(_ connection: Int32, number: Int) -> Bool {
    guard let request = Self.read(connection, number: number) else { return false }
    requests.withLock { $0.append(request) }
    switch answer(request) {
    case .bytes(let data): return Self.send(data, to: connection)
    case .last(let data):
      _ = Self.send(data, to: connection)
      return false
    case .endless(let data):
      while Self.send(data, to: connection) {}
      return false
    case .silent(let data):
      _ = Self.send(data, to: connection)
      // Until the client closes.
      _ = Self.read(connection, number: number)
      return false
    }
  }

  private static func read(_ connection: Int32, number: Int) -> Request? {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = data.range(of: Data("\r\n\r\n".utf8)) {
        let head = String(decoding: data[..<end.lowerBound], as: UTF8.self)
        let length = head.lowercased().split(separator: "\r\n")
          .first { $0.hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        if data.count >= end.upperBound + (length ?? 0) {
          let body = String(decoding: data[end.upperBound...], as: UTF8.self)
          return Request(head: head, body: body, connection: number)
        }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      data += buffer[..<count]
    }
  }

  private static func send(_ data: Data, to connection: Int32) -> Bool {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
