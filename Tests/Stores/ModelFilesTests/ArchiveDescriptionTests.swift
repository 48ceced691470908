import Foundation
import Testing

@testable import ModelFiles

struct ArchiveDescriptionTests {
  private func picture(_ data: Data, _ limits: ArchiveDescription.Limits = .init()) -> String {
    ArchiveDescription.lines(of: data, limits: limits).joined(separator: "\n")
  }

  @Test func `an archive is shown as a tree of class names and values`() throws {
    var maker = ArchiveMaker()
    let color = maker.object("UIColor", ["UIRed": 0.5, "UIName": maker.add("tab\tred")])
    let day = maker.object("NSDate", ["NS.time": 0])
    let uuid = maker.object("NSUUID", ["NS.uuidbytes": .data(Data(repeating: 0xAB, count: 16))])
    let url = maker.object(
      "NSURL", ["NS.relative": maker.add("https://example.com/a"), "NS.base": .uid(0)])
    let list = maker.array([color, color, maker.add(true), .uid(0)], "NSMutableArray")
    let root = maker.dictionary([
      ("when", day), ("parts", list), ("id", uuid), ("at", url),
      ("bytes", maker.object("NSMutableData", ["NS.data": .data(Data(count: 5))])),
      ("nothing", maker.array([])),
    ])
    let data = maker.data(root: root)
    #expect(
      picture(data) == """
        NSDictionary, 6 members
          at: https://example.com/a
          bytes: 5 bytes
          id: ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB
          nothing: NSArray, 0 members
          parts: NSMutableArray, 4 members
            - UIColor
              UIName: "tab\\tred"
              UIRed: 0.5
            - UIColor, as above
            - true
          when: 2001-01-01
        """)
    #expect(ArchiveDescription.className(of: data) == "NSDictionary")
  }

  @Test func `a property list that is not an archive is shown as a tree`() {
    let list: PropertyListValue = ["b": [1, "two"], "a": ["x": true], "none": .null]
    let expected = """
      dictionary, 3 members
        a: dictionary, 1 member
          x: true
        b: array, 2 members
          - 1
          - "two"
        none: null
      """
    #expect(picture(list.binaryPropertyList()) == expected)
  }

  @Test(arguments: [
    (Data(), "0 bytes, unknown"), (Data([0]), "1 byte, unknown"),
    (Data([0xFF, 0xD8, 0xFF]), "3 bytes, unknown"),
    (Data("{\"a\": 1}\n".utf8), "9 bytes, text: \"{\\\"a\\\": 1}\\n\""),
    (Data([4, 11]) + Data("streamtyped".utf8), "13 bytes, an NSArchiver archive"),
  ])
  func `other data is described by its size, and by its text if it is UTF-8`(
    data: Data, line: String
  ) {
    #expect(picture(data) == line)
  }

  @Test func `lines, width and depth are bounded, and cycles end`() {
    var maker = ArchiveMaker()
    let loop = maker.reserve()
    let members = (0..<50).map { maker.add(.string(String(repeating: "x", count: $0 * 10))) }
    maker.set(loop, "NSArray", ["NS.objects": .array([loop] + members)])
    let lines = ArchiveDescription.lines(
      of: maker.data(root: loop), limits: .init(lines: 5, characters: 12, depth: 3))
    #expect(
      lines == [
        "NSArray, 51 members", "  - NSArray, as above", "  - \"\"", "  - \"xxxxxxxxxx\"",
        "  - \"xxxxxxxxxxxx…\"", "…",
      ])
    var deep = maker.add("bottom")
    for _ in 0..<9 { deep = maker.array([deep]) }
    let tree = ArchiveDescription.lines(of: maker.data(root: deep), limits: .init(depth: 2))
    #expect(tree == ["NSArray, 1 member", "  - NSArray, 1 member", "    - NSArray, 1 member …"])
  }
}
