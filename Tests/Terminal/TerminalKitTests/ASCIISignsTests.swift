import Foundation
import Testing

@testable import TerminalKit

/// On an ASCII terminal no sign of the program becomes a question mark.
struct ASCIISignsTests {
  /// The texts of the program beyond ASCII, from the literals of its sources; names in examples and
  /// tables of letters are data.
  private static func signs() throws -> Set<Character> {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources").standardizedFileURL
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    var found: Set<Character> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      where !line.drop(while: \.isWhitespace).hasPrefix("//") {
        found.formUnion(
          line.filter {
            !$0.isASCII && !$0.isLetter && $0 != "�"
              && !$0.unicodeScalars.contains { $0.properties.isEmojiPresentation }
          })
      }
    }
    return found
  }

  @Test func `every character that the program draws has an ASCII form`() throws {
    let signs = try Self.signs()
    #expect(signs.isSuperset(of: "—·▸“”…∅⏎"))
    for sign in signs.sorted() {
      let form = Signs.ascii.visible(String(sign))
      let own = Signs.ascii.own(String(sign))
      #expect(form.allSatisfy(\.isASCII) && !form.contains("?"), "\(sign) is drawn as \(form)")
      #expect(own.allSatisfy(\.isASCII) && !own.contains("?"), "\(sign) is written as \(own)")
    }
  }
}
