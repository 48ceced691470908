import Foundation
import ObjectModel
import RESTStore

/// Sends requests to this machine over a socket each, for tests.
struct LoopbackTransport: HTTPTransport {
  func response(to request: HTTPRequest, within limits: HTTPLimits, control: FetchControl?)
    throws(HTTPFailure) -> HTTPResponse
  {
    guard let port = request.url.port else { throw HTTPFailure(.unreachable) }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(clamping: port).bigEndian)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw HTTPFailure(.unreachable) }
    let text = request.url.absoluteString
    let path = text.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
    var head =
      "\(request.method) \(path.isEmpty ? "/" : path) HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n"
    for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
    if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
    var rest = Data((head + "\r\n").utf8) + (request.body ?? Data())
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw HTTPFailure(.lost) }
      rest = rest.dropFirst(count)
    }
    return try Self.response(try Self.read(descriptor))
  }

  private static func read(_ descriptor: Int32) throws(HTTPFailure) -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 else { throw HTTPFailure(.lost) }
      if count == 0 { return data }
      data += buffer[..<count]
    }
  }

  private static func response(_ data: Data) throws(HTTPFailure) -> HTTPResponse {
    guard let end = data.range(of: Data("\r\n\r\n".utf8)) else { throw HTTPFailure(.malformed) }
    let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { throw HTTPFailure(.malformed) }
    let headers = lines.dropFirst().compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (
        String(line[..<colon]),
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      )
    }
    return HTTPResponse(
      status: status, headers: Dictionary(headers) { $1 }, body: Data(data[end.upperBound...]))
  }
}
