import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import CardfileApp

@Suite struct RecognisingTests {
  static let samples: [(Data, String)] = [
    (
      Data([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]) + Data("IHDR".utf8)
        + Data([0, 0, 1, 0, 0, 0, 0, 0x80]), "PNG 256×128"
    ),
    (Data("GIF89a".utf8) + Data([10, 0, 20, 0]), "GIF 10×20"),
    (
      Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC2, 0, 11, 8, 3, 0, 4, 0]), "JPEG 1024×768"
    ),
    (Data([0xFF, 0xD8, 0xFF, 0xE0, 0xFF]), "JPEG"),
    (
      Data([0, 0, 0, 24]) + Data("ftypheic".utf8) + Data([0, 0, 0, 20]) + Data("ispe".utf8)
        + Data([0, 0, 0, 0, 0, 0, 0x0F, 0xC0, 0, 0, 0x0B, 0xD0]), "HEIC 4032×3024"
    ),
    (Data("%PDF-1.7\n".utf8), "PDF 1.7"),
    (
      Data("SQLite format 3\0".utf8) + Data(count: 12) + Data([0, 0, 0, 9]),
      "SQLite database, 9 pages"
    ),
    (Data("bplist00".utf8), "property list"), (Data([0x1F, 0x8B, 8]), "gzip"),
    (Data([0x78, 0x9C, 1, 2, 3, 4, 5]), "zlib"), (Data("PK\u{3}\u{4}".utf8), "zip"),
  ]

  @Test(arguments: samples)
  func `bytes are recognised by their beginning`(_ data: Data, _ name: String) {
    #expect(BytesKind(data)?.name == name)
  }

  @Test func `sixteen bytes are a UUID only with its variant and version`() throws {
    let uuid = try #require(UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD430C8"))
    let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
    #expect(BytesKind(bytes)?.name == "UUID 6BA7B810-9DAD-41D1-80B4-00C04FD430C8")
    #expect(BytesKind(Data(repeating: 0, count: 16)) == nil)
  }

  /// Unfolds a tree as lines, as far as a number of nodes.
  static func lines(_ tree: ValueTree, depth: Int = 0, budget: inout Int) -> [String] {
    budget -= 1
    guard budget > 0, depth < 50 else { return [] }
    let line = String(repeating: " ", count: depth) + "\(tree.label): \(tree.summary)"
    return [line] + tree.members.flatMap { lines($0, depth: depth + 1, budget: &budget) }
  }

  @Test func `JSON keeps the order of keys, the digits of numbers and every escape`() throws {
    var budget = 1000
    let tree = try #require(
      JSONTree.tree(of: #" {"z":1.500,"a":"\u00e9\ud83d\ude00\n","a":null,"l":[true,-0,1e5]} "#))
    #expect(
      Self.lines(tree, budget: &budget) == [
        ": object, 4 members", " z: 1.500", " a: \"é😀\n\"", " a: null", " l: array, 3 members",
        "  0: true", "  1: -0", "  2: 1e5",
      ])
  }

  @Test(arguments: [
    "", "x", "1", "\"text\"", "{", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "[nan]", "[inf]",
    "[1]x", "[0x10]", "[\"\\u12\"]", "{a:1}", String(repeating: "[", count: 100_000),
  ])
  func `what is not JSON is no tree`(_ text: String) { #expect(JSONTree.tree(of: text) == nil) }

  @Test func `a message is read as its fields`() throws {
    let inner = Data([0x08, 0x96, 0x01])
    let data = Data([0x0A, 3]) + Data("abc".utf8) + Data([0x12, 3]) + inner + Data([0x18, 5])
    var budget = 100
    let tree = try #require(MessageTree.tree(of: data))
    #expect(
      Self.lines(tree, budget: &budget) == [
        ": message, 3 members", " 1: \"abc\"", " 2: message, 1 member", "  1: 150", " 3: 5",
      ])
    #expect(MessageTree.tree(of: data.dropLast()) == nil)
    #expect(MessageTree.tree(of: Data([0xFF, 0xFF, 0xFF])) == nil)
  }

  /// `CARDFILE_FUZZ` inputs, else some hundred.
  private static var fuzzCount: Int {
    ProcessInfo.processInfo.environment["CARDFILE_FUZZ"].flatMap { Int($0) } ?? 600
  }

  @Test func `hostile bytes never crash a recogniser, and are bounded`() {
    var generator = SeededGenerator(seed: 4711)
    let seeds =
      Self.samples.map(\.0) + [
        Data(#"{"a":[1,2,{"b":"\ud83d\ude00"}]}"#.utf8), Data([0x0A, 3, 1, 2, 3, 0x12, 2, 8, 1]),
      ]
    for _ in 0..<Self.fuzzCount {
      var data = seeds.randomElement(using: &generator) ?? Data()
      for _ in 0..<Int.random(in: 0..<8, using: &generator) where !data.isEmpty {
        let place = Int.random(in: 0..<data.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: data[place] = .random(in: 0...255, using: &generator)
        case 1: data.remove(at: place)
        case 2: data = data.prefix(place) + data.suffix(data.count - place) + data.prefix(place)
        default: data[place] = [0, 0x7F, 0x80, 0xFF][place % 4]
        }
      }
      data = Data(data)
      _ = BytesKind(data)
      var budget = 5000
      for tree in [
        JSONTree.tree(of: String(decoding: data, as: UTF8.self)), MessageTree.tree(of: data),
      ] {
        if let tree { _ = Self.lines(tree, budget: &budget) }
      }
    }
  }
}
