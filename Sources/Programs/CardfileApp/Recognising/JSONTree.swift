import Foundation
import ObjectModel

/// Reads JSON as a tree that keeps the order of keys and the digits of numbers.
///
/// Time and memory are linear in the length of the text; depth and the number of values are
/// bounded, so hostile text is refused, never crashes.
nonisolated struct JSONTree {
  private static let deepest = 200
  private static let mostValues = 2_000_000
  private static let longest = 64 << 20

  /// A value of JSON.
  private indirect enum Item: Sendable {
    case object([(key: String, value: Item)])
    case array([Item])
    case string(String)
    case plain(String)
  }

  private var valuesLeft = Self.mostValues

  /// Returns the tree of a text that is an object or an array of JSON; nil if it is not.
  static func tree(of text: String) -> ValueTree? {
    let start = text.utf8.prefix(1000).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard start == UInt8(ascii: "{") || start == UInt8(ascii: "["), text.utf8.count <= longest
    else { return nil }
    let item = try? JSONParser.read(text.utf8, deepest: deepest) {
      parser throws(JSONParser.Failure) in
      var reader = JSONTree()
      let item = try reader.item(&parser)
      try parser.checkEnd()
      return item
    }
    return item.map { node("", $0) }
  }

  private mutating func item(_ parser: inout JSONParser) throws(JSONParser.Failure) -> Item {
    valuesLeft -= 1
    guard valuesLeft >= 0 else { throw JSONParser.Failure(words: "it has too many values") }
    switch parser.next {
    case .object:
      var members: [(String, Item)] = []
      try parser.readObject { key, parser throws(JSONParser.Failure) in
        members.append((key, try item(&parser)))
      }
      return .object(members)
    case .list:
      var items: [Item] = []
      try parser.readList { parser throws(JSONParser.Failure) in items.append(try item(&parser)) }
      return .array(items)
    case .text: return .string(try parser.readText())
    case .word: return .plain(try parser.readWord { Number.isNumeric($0) })
    }
  }

  private static func node(_ label: String, _ item: Item) -> ValueTree {
    switch item {
    case .string(let text): ValueTree(label, .text(text))
    case .plain(let text): ValueTree(label, .plain(text))
    case .array(let items):
      ValueTree(
        label,
        .members("array", count: items.count) {
          items.enumerated().map { node("\($0)", $1) }
        })
    case .object(let members):
      ValueTree(
        label,
        .members("object", count: members.count) { members.map { node($0.key, $0.value) } })
    }
  }
}
