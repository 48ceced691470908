import Foundation
import ObjectModel

extension SQL {
  /// The statement for display, with the values themselves, long ones truncated with `…`.
  package var readable: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .name(let name): Self.quote(name)
      case .binding(let binding): binding.readable
      case .bindings(let list): list.map(\.readable).joined(separator: ", ")
      }
    }.joined()
  }
}

extension SQL.Binding {
  private static let longest = 60

  /// The value as an SQL literal; a long one is truncated, and no longer valid SQL.
  fileprivate var readable: String {
    guard case .value(let value) = self else { return "(condition)" }
    switch value {
    case .null: return "NULL"
    case .integer(let number): return String(number)
    case .bool(let flag): return flag ? "1" : "0"
    case .double(let number): return "\(number)"
    case .data(let data) where data.count > Self.longest / 2:
      return "x'\(Self.hex(data.prefix(Self.longest / 2)))…' /* \(data.count) bytes */"
    case .data(let data): return "x'\(Self.hex(data))'"
    default:
      let text = value.text ?? value.description
      let shown = text.count > Self.longest ? text.prefix(Self.longest) + "…" : text[...]
      return SQL.literal(shown)
    }
  }

  private static func hex(_ data: Data) -> String {
    data.map { $0.hexDigits.uppercased() }.joined()
  }
}
