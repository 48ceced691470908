import Foundation
import ObjectModel

/// Stored values for which JSON, or the type of their attribute, has no form: an object with what is
/// stored.
///
/// `{"stored": "integer", "value": "5"}`, and `real`, `text` and `blob` (both in base64);
/// `{"file": "files/Photo-p1-data"}` for bytes in a file; `{"external": "UUID"}` for a value whose
/// external file was missing.
enum StoredForm {
  /// Why an object is no value.
  struct Failure: Error {
    let words: String
  }

  /// Appends a stored value.
  static func append(_ value: Value, to bytes: inout [UInt8]) {
    let (kind, text): (String, String) =
      switch value {
      case .integer(let number): ("integer", String(number))
      case .double(let number): ("real", "\(number)")
      case .string(let text):
        ("text", text.withBytes { Data($0).base64EncodedString() })
      case .data(let data): ("blob", data.base64EncodedString())
      default: ("text", Data(value.description.utf8).base64EncodedString())
      }
    bytes.append(contentsOf: "{\"stored\":\"\(kind)\",\"value\":\"\(text)\"}".utf8)
  }

  /// Appends the name of a file that has the value.
  static func append(file name: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"file\":".utf8)
    JSONText.append(name, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Reads a stored value.
  static func value(
    _ bytes: [UInt8], of attribute: AttributeDescription, files: OpenFolder?
  ) throws(Failure) -> Value {
    var parts: [String: String] = [:]
    do throws(JSONParser.Failure) {
      try JSONParser.read(bytes, deepest: JSONParser.deepestImported) {
        parser throws(JSONParser.Failure) in
        try parser.readObject { key, parser throws(JSONParser.Failure) in
          var text: [UInt8] = []
          _ = try parser.readField(into: &text)
          parts[key] = String(decoding: text, as: UTF8.self)
        }
      }
    } catch {
      throw Failure(words: "a list or an object is no value")
    }
    if let name = parts["file"] { return try file(name, of: attribute, in: files) }
    if let name = parts["external"] {
      return .data(Data([2] + Array(name.utf8) + [0]))
    }
    let text = parts["value"] ?? ""
    switch parts["stored"] {
    case "integer": if let number = Int64(text) { return .integer(number) }
    case "real": if let number = Double(text) { return .double(number) }
    case "blob": if let data = Data(base64Encoded: text) { return .data(data) }
    case "text":
      if let data = Data(base64Encoded: text) {
        return .string(Array(data).withUnsafeBufferPointer { String(storedText: $0) })
      }
    default: break
    }
    throw Failure(words: "a list or an object is no value")
  }

  private static func file(
    _ name: String, of attribute: AttributeDescription, in folder: OpenFolder?
  ) throws(Failure) -> Value {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let folder, parts.count == 2, !parts.contains(".."), !parts.contains("") else {
      throw Failure(words: "the file \(name) is not in the folder that is imported")
    }
    do {
      guard let files = try folder.folder(named: parts[0], followingLink: false) else {
        throw Failure(words: "the folder \(parts[0]) is missing")
      }
      let data = try contents(ofFile: "/proc/self/fd/\(files.descriptor)/\(parts[1])", atMost: .max)
      return attribute.encoding == .externalData ? .data([1] + data) : .data(data)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(words: "the file \(name) cannot be read: \(error)")
    }
  }
}
