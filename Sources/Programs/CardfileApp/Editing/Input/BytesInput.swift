import Foundation
import ObjectModel
import TerminalApplications
import TerminalKit

/// Bytes as a person types them: pairs of hex digits, or `@` and the path of a file.
nonisolated enum BytesInput {
  /// The most bytes that are edited as hex digits.
  static let mostTyped = 64 << 10
  /// The most bytes that are read from a file.
  private static let mostRead = 256 << 20

  /// The bytes of a text, or what is wrong with it.
  static func bytes(from text: String) -> Result<Data, InputError> {
    if let data = literal(text) ?? uuid(text) { return .success(data) }
    guard text.hasPrefix("@") else { return hex(text) }
    let path = HomeFolder.expanded(String(text.dropFirst()))
    do {
      return .success(try contents(ofFile: path, atMost: mostRead))
    } catch {
      let reason =
        switch error.code {
        case ENOENT, ENOTDIR: "there is no file \(path)"
        case EISDIR: "\(path) is a folder"
        case ENODEV: "\(path) is no file"
        case EFBIG: "\(path) has more than \(groupedDigits(mostRead)) bytes"
        default: "\(path) cannot be read: \(error)"
        }
      return .failure(InputError(reason))
    }
  }

  /// The bytes of a blob literal, `x'00FF'`; nil for any other text.
  static func literal(_ text: String) -> Data? {
    guard text.count >= 3, text.lowercased().hasPrefix("x'"), text.hasSuffix("'"),
      case .success(let data) = hex(String(text.dropFirst(2).dropLast()))
    else { return nil }
    return data
  }

  /// The bytes of a UUID with hyphens; nil for any other text.
  private static func uuid(_ text: String) -> Data? {
    guard text.contains("-"), case .uuid(let uuid)? = AttributeDescription.reading(text, as: .uuid)
    else { return nil }
    return withUnsafeBytes(of: uuid.uuid) { Data($0) }
  }

  /// Bytes as pairs of hex digits, 16 a line.
  static func hex(_ data: Data, perLine count: Int = .max) -> String {
    let pairs = data.map(\.hexDigits)
    guard count < pairs.count else { return pairs.joined(separator: " ") }
    return stride(from: 0, to: pairs.count, by: count)
      .map { pairs[$0..<min($0 + count, pairs.count)].joined(separator: " ") }
      .joined(separator: "\n")
  }

  private static func hex(_ text: String) -> Result<Data, InputError> {
    var data = Data()
    var high: UInt8?
    for character in text where !character.isWhitespace {
      guard let digit = character.hexDigitValue, character.isASCII else {
        return .failure(InputError("type pairs of hex digits, or @ and the path of a file"))
      }
      if let first = high {
        data.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    guard high == nil else { return .failure(InputError("the last byte needs two hex digits")) }
    return .success(data)
  }
}

/// What is wrong with a typed value, in one line.
nonisolated struct InputError: Error, Hashable {
  let message: String

  init(_ message: String) { self.message = message }
}
