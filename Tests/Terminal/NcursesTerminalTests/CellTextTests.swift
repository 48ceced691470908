import Foundation
import Testing

@testable import NcursesTerminal

/// What of a grapheme cluster is sent to which cell.
@MainActor @Suite struct CellTextTests {
  /// The pieces as text with their columns, where libc knows Unicode.
  private func pieces(
    _ character: Character, columns: Int, isUnicode: Bool = true
  ) throws -> [String] {
    let unicode = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
    let former = uselocale(unicode)
    defer {
      uselocale(former)
      freelocale(unicode)
    }
    return CellText.pieces(of: character, columns: columns, isUnicode: isUnicode).map { piece in
      let text = piece.text.compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
      return "\(piece.column):" + text.map { String($0.value, radix: 16) }.joined(separator: "+")
    }
  }

  @Test func `a plain character is one piece`() throws {
    #expect(try pieces("a", columns: 1) == ["0:61"])
    #expect(try pieces("東", columns: 2) == ["0:6771"])
  }

  @Test func `marks stay with their letter, at most four of them`() throws {
    #expect(try pieces("e\u{301}", columns: 1) == ["0:65+301"])
    let many = Character("e" + String(repeating: "\u{301}", count: 9))
    #expect(try pieces(many, columns: 1) == ["0:65+301+301+301+301"])
  }

  @Test func `an emoji of several is its first, without joiners and selectors`() throws {
    #expect(try pieces("👩‍👩‍👧", columns: 2) == ["0:1f469"])
    #expect(try pieces("👍🏽", columns: 2) == ["0:1f44d"])
  }

  @Test func `a flag is its two letters`() throws {
    #expect(try pieces("🇯🇵", columns: 2) == ["0:4a", "1:50"])
  }

  @Test func `what libc measures otherwise is a sign, and blanks fill its columns`() throws {
    #expect(try pieces("東", columns: 1) == ["0:fffd"])
    #expect(try pieces("東", columns: 1, isUnicode: false) == ["0:3f"])
    #expect(try pieces("\u{301}", columns: 2) == ["0:fffd", "1:20"])
    #expect(try pieces("\u{1}", columns: 1) == ["0:fffd"])
  }
}
