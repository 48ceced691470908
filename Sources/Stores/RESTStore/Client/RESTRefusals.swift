import Foundation
import ObjectModel

/// The reasons in the answer of a service that refuses a change.
struct RESTRefusals {
  private(set) var all: [RESTRefusal] = []
  private let property: (String) -> String?

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - property: The property with a name of the service; nil if there is none.
  init(_ answer: RESTAnswer, property: @escaping (String) -> String?) {
    self.property = property
    read(answer.json)
    if all.isEmpty { add(answer.json) }
    if all.isEmpty { all.append(RESTRefusal(answer.response.statusPhrase)) }
  }

  private mutating func read(_ json: JSONValue) {
    let lists = ["errors", "details", "detail", "invalid-params", "violations"]
    for key in lists {
      if let array = json[key]?.array {
        for element in array { add(element) }
      } else if let object = json[key]?.object {
        add(object)
      }
    }
    if all.isEmpty, let error = json["error"], error.object != nil {
      read(error)
      if all.isEmpty { add(error) }
    }
    // Django: an object of properties.
    if all.isEmpty, let object = json.object, object.keys.allSatisfy({ property($0) != nil }) {
      add(object)
    }
  }

  /// Messages by property.
  private mutating func add(_ object: [String: JSONValue]) {
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      for message in value.array ?? [value] {
        if let text = message.string ?? message["message"]?.string { add(text, key) }
      }
    }
  }

  /// One reason.
  private mutating func add(_ json: JSONValue) {
    if let text = json.string { return add(text, "") }
    let messages = ["message", "msg", "reason", "detail", "title", "error", "description"]
    guard let text = messages.compactMap({ json[$0]?.string }).first else { return }
    let places = ["field", "property", "target", "name", "pointer", "attribute", "param"]
    let last = json["loc"]?.array?.last?.string
    let place = places.compactMap { json[$0]?.string }.first ?? last ?? ""
    add(text, place.split(separator: "/").last.map(String.init) ?? "")
  }

  private mutating func add(_ message: String, _ name: String) {
    let property = property(name)
    // What is no property here stays readable.
    let words = property == nil && !name.isEmpty ? "\(name) \(message)" : message
    all.append(RESTRefusal(words, property: property ?? ""))
  }
}

extension HTTPResponse {
  /// The status in words, as “422 Unprocessable”.
  var statusPhrase: String {
    let words: [Int: String] = [
      400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
      405: "Method Not Allowed", 409: "Conflict", 410: "Gone", 412: "Precondition Failed",
      413: "Too Large", 415: "Unsupported Media Type", 422: "Unprocessable",
      429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
      502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
    return words[status].map { "\(status) \($0)" } ?? "status \(status)"
  }
}

extension StoreError {
  /// The error for an answer that says no.
  init(_ answer: RESTAnswer, doing: String = "asking") {
    let words = [answer.json["message"], answer.json["error"]?["message"], answer.json["detail"]]
      .compactMap { $0?.string }.first
    let detail =
      "the service answers \(answer.response.statusPhrase)"
      + (words.map { ": \($0.prefix(200))" } ?? "")
    let (reason, remedy): (Reason, String) =
      switch answer.response.status {
      case 401: (.permissionDenied, "give a token, with --token-file or CARDFILE_TOKEN")
      case 403: (.permissionDenied, "ask who runs the service for the right")
      case 404: (.other, "check the address and the entity's path")
      case 429, 503: (.unreachable, "wait, then do it again")
      default: (.other, "")
      }
    self.init(
      reason, doing: doing, subject: answer.request.url.absoluteString, detail: detail,
      remedy: remedy)
  }
}
