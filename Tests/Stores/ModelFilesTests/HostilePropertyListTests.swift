import Foundation
import Testing

@testable import ModelFiles

/// Malicious and damaged property lists.
struct HostilePropertyListTests {
  /// A binary property list made of encoded objects, with references and offsets of four bytes.
  private func list(
    _ objects: [[UInt8]], offsets: [Int]? = nil, count: Int? = nil, top: Int = 0
  ) -> Data {
    var bytes = Array("bplist00".utf8)
    var starts: [Int] = []
    for object in objects {
      starts.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets ?? starts { bytes += number(offset, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 4]
    for value in [count ?? (offsets ?? starts).count, top, table] { bytes += number(value, 8) }
    return Data(bytes)
  }

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> ((size - 1 - $0) * 8)) }
  }

  private func array(_ indexes: [Int]) -> [UInt8] {
    [0xAF, 0x12] + number(indexes.count, 4) + indexes.flatMap { number($0, 4) }
  }

  private func reason(_ data: Data) -> ModelFileError.Reason? {
    do throws(ModelFileError) {
      _ = try PropertyListValue.read(data)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `an array that contains itself is refused`() {
    #expect(reason(list([array([0])])) == .malformed)
    #expect(reason(list([array([1]), array([0])])) == .malformed)
  }

  @Test func `deeply shared arrays are read in linear time and memory`() throws {
    let laughs = (0..<60).map { array([Int](repeating: $0 + 1, count: 1_000)) } + [[0x09]]
    let value = try PropertyListValue.read(list(laughs))
    #expect(value.array?.count == 1_000)
  }

  @Test func `overlapping objects are refused`() {
    let texts =
      [UInt8](repeating: 0x5F, count: 2) + [0x12] + number(2_000, 4)
      + [UInt8](repeating: 0x5F, count: 5_000)
    let all = array(Array(1...1_000))
    let offsets = [8] + (0..<1_000).map { 8 + all.count + $0 }
    #expect(reason(list([all, texts], offsets: offsets)) == .malformed)
  }

  @Test func `too many elements and too deep nesting are refused`() {
    let many = PropertyListValue.maximumElements + 1
    let zeros: [UInt8] = [0xAF, 0x12] + number(many, 4) + [UInt8](repeating: 0, count: many)
    var bytes = Array("bplist00".utf8) + zeros
    let table = bytes.count
    bytes += [8, 0, 0, 0, 0, 0, 0, 1, 1] + number(1, 8) + number(0, 8) + number(table, 8)
    #expect(reason(Data(bytes)) == .tooLarge)
    #expect(reason(list((0..<100_000).map { array([$0 + 1]) } + [[0x09]])) == .tooLarge)
    let xml = String(repeating: "<array>", count: 100_000)
    #expect(reason(Data(("<?xml?><plist>" + xml).utf8)) == .tooLarge)
  }

  @Test(arguments: [
    [UInt8](), [0x5F], [0x5F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    [0x5F, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    [0x6F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    [0x13, 1], [0x23, 0, 0], [0x33], [0x15], [0x70], [0xF0], [0x88], [0xD1, 0, 0, 0, 0],
    [0x87, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xA1, 0xFF, 0xFF, 0xFF, 0xFF],
  ])
  func `a truncated or unknown object is refused`(object: [UInt8]) {
    #expect(reason(list([object])) == .malformed)
  }

  @Test func `an invalid trailer is refused or read without a crash`() {
    let valid = Array(list([[0x09]]))
    #expect(reason(Data(valid)) == nil)
    for index in valid.count - 26..<valid.count {
      for value: UInt8 in [0, 1, 2, 9, 127, 128, 255] where valid[index] != value {
        var bytes = valid
        bytes[index] = value
        _ = reason(Data(bytes))
      }
    }
    for length in 0..<valid.count { #expect(reason(Data(valid.prefix(length))) != nil) }
  }

  @Test(arguments: [
    "", "<", "<?xml", "<plist>", "<plist><dict><key>a</key></dict></plist>", "<plist><string>a",
    "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><plist><string>&a;</string></plist>",
    "<plist><string>&a;</string></plist>", "<plist><integer>x</integer></plist>",
    "<plist><string>&#xD800;</string></plist>", "<plist><date>never</date></plist>",
    "<plist><string><b/></string></plist>", "<plist><array>text</array></plist>", "<plist a='>'",
    "<![CDATA[", "<plist><string><![CDATA[x", "<!--", "<model/>",
  ])
  func `XML that is not a property list is refused`(text: String) {
    #expect(reason(Data(text.utf8)) == .malformed)
  }

  @Test func `an XML property list is read, in UTF-8 and UTF-16`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://example.com/list.dtd">
      <plist version="1.0"><!-- a note --><dict>
        <key>a&amp;b</key><string> x &lt; <![CDATA[<&>]]> &#x1F600;</string>
        <key>n</key><array><integer>-5</integer><integer>18446744073709551615</integer>
        <integer>0x1F</integer><real>1.5</real><true/><false/></array>
        <key>d</key><date>2001-01-01T00:00:10Z</date><key>b</key><data> AQ
        I= </data><key>u</key><dict><key>CF$UID</key><integer>3</integer></dict><key>e</key><string/>
      </dict></plist>
      """
    #expect(
      try PropertyListValue.read(Data(text.utf8))
        == [
          "a&b": " x < <&> 😀", "n": [-5, .unsigned(.max), 31, 1.5, true, false], "d": .date(10),
          "b": .data(Data([1, 2])), "u": .uid(3), "e": "",
        ])
    let wide = try #require(text.data(using: .utf16))
    #expect(try PropertyListValue.read(wide) == PropertyListValue.read(Data(text.utf8)))
  }
}
