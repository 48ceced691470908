import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

@MainActor @Suite struct ViewerTests {
  /// A stage that shows a value in the viewer.
  static func stage(
    _ content: ValueContent, services: StoreServices = StoreServices(), width: Int = 60,
    height: Int = 12
  ) throws -> Stage {
    let stage = try Stage(width: width, height: height, services: services)
    stage.app.push(ViewerScreen(content, path: ["notes"], session: stage.app.session))
    stage.draw()
    return stage
  }

  private func body(_ stage: Stage) -> [String] { Array(stage.lines.dropFirst(1).dropLast(2)) }

  private static let manyLines = (1...300_000).map { "line \($0)" }.joined(separator: "\n")

  @Test func `a text of very many lines is paged, searched and measured at once`() throws {
    let stage = try Self.stage(.text(Self.manyLines))
    let started = ContinuousClock.now
    #expect(body(stage).first == " line 1")
    stage.type("G")
    #expect(body(stage).last == " line 300000")
    stage.type("150000G")
    #expect(body(stage).first == " line 150000")
    #expect(stage.status.contains("line 150,000/300,000  49%"))
    stage.type("/LINE 290001")
    stage.press(.enter)
    #expect(body(stage).first == " line 290001")
    stage.type("g")
    stage.press(.pageDown)
    #expect(body(stage).first == " line 9")
    // Laying all of it out would take minutes in a debug build.
    #expect(started.duration(to: .now) < .seconds(20))
  }

  @Test func `a line of millions of characters is laid out only where it is seen`() throws {
    let stage = try Self.stage(.text(String(repeating: "x", count: 3_000_000) + "end"))
    for keys in ["G", "100%", "99999999j"] {
      stage.type(keys)
      #expect(body(stage).last?.hasSuffix("xend") == true, "\(keys)")
      #expect(body(stage).first == " " + String(repeating: "x", count: 58), "\(keys)")
      #expect(stage.status.contains("100%"), "\(keys)")
      stage.type("g")
    }
    #expect(body(stage).first == " " + String(repeating: "x", count: 58))
    #expect(stage.status.contains("line 1/1"))
  }

  @Test func `n and N go to the matches, also where the last page is shown`() throws {
    let text = (1...40).map { $0 % 10 == 0 ? "tenth \($0)" : "row \($0)" }.joined(separator: "\n")
    let stage = try Self.stage(.text(text))
    stage.type("/tenth")
    stage.press(.enter)
    #expect(body(stage).first == " tenth 10")
    stage.type("nn")
    #expect(body(stage).first == " tenth 30")
    stage.type("n")
    #expect(body(stage).last == " tenth 40")
    stage.type("n")
    #expect(body(stage).first == " tenth 10")
    stage.type("N")
    #expect(body(stage).last == " tenth 40")
    stage.type("N")
    #expect(body(stage).first == " tenth 30")
    stage.type("/zzz")
    stage.press(.enter)
    #expect(stage.status.contains("zzz is not in it"))
  }

  @Test func `a match that is divided by the end of a row is highlighted in both rows`() throws {
    let stage = try Self.stage(
      .text(String(repeating: "a", count: 36) + "needle"), width: 40, height: 12)
    stage.type("/needle")
    stage.press(.enter)
    let canvas = stage.draw()
    let marked = (0..<12).flatMap { y in
      (0..<40).filter { canvas[$0, y].style.attributes.contains(.underline) }
        .compactMap { canvas[$0, y].character }
    }
    #expect(String(marked) == "needle")
  }

  @Test func `the first character stays at the top when the width changes`() throws {
    let words = (0..<400).map { "word\($0)" }.joined(separator: " ")
    let stage = try Self.stage(.text(words))
    stage.type("20j")
    let first = try #require(body(stage).first?.split(separator: " ").first)
    stage.resize(width: 33, height: 12)
    #expect(body(stage).first?.contains(first) == true)
  }

  @Test func `control characters, tabs and wide characters are drawn in place`() throws {
    let stage = try Self.stage(.text("a\tb\u{1B}[31m\r\n東京\t|\r\n\u{202E}x"))
    #expect(body(stage).prefix(3) == [" a       b␛[31m", " 東京      |", " ‹202E›x"])
  }

  @Test func `JSON is a tree that folds, and is found in while it is folded`() throws {
    let stage = try Self.stage(
      .text(#"{"b": [1, {"deep": "Ünder"}, 1.50], "a": "x", "e": {}}"#))
    #expect(stage.title.hasSuffix("[tree]  text"))
    #expect(
      body(stage).prefix(4) == [
        "▌ ▾ object, 3 members", "    ▸ b  array, 3 members", "      a  \"x\"",
        "    ▸ e  object, 0 members",
      ])
    stage.type("/under")
    stage.press(.enter)
    #expect(stage.cursorLine.contains(#"deep  "Ünder""#))
    stage.type("h")
    #expect(stage.cursorLine.contains("object, 1 member"))
    stage.type("hh")
    #expect(stage.cursorLine.contains("▾ b"))
    stage.type("hhhh")
    #expect(stage.app.screens.count == 1)
  }

  @Test func `Tab shows the other forms, and Enter a part of a tree by itself`() throws {
    let stage = try Self.stage(.text(#"["first\nsecond"]"#))
    stage.type("j")
    stage.press(.enter)
    #expect(body(stage).prefix(2) == [" first", " second"])
    stage.type("q")
    stage.press(.tab)
    #expect(body(stage).first == #" ["first\nsecond"]"#)
  }

  @Test func `bytes are shown as hexadecimal with what they are`() throws {
    let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 11, 8, 3, 0, 4, 0, 3])
    let stage = try Self.stage(.bytes(jpeg + Data("Hello".utf8)), width: 80)
    #expect(stage.status.hasPrefix(" JPEG 1024×768, 23 bytes"))
    #expect(
      body(stage).first
        == " 0000  ff d8 ff e0 00 04 00 00  ff c0 00 0b 08 03 00 04   ················")
    #expect(body(stage)[1].hasSuffix("··Hello"))
    stage.type("/ff c0")
    stage.press(.enter)
    #expect(!stage.status.contains("is not in it"))
    stage.resize(width: 40, height: 12)
    #expect(body(stage).first?.contains("ff d8 ff e0") == true)
  }

  @Test func `a value is written to a file, and an existing file only replaced when asked again`()
    throws
  {
    let folder = try TemporaryFolder()
    let file = folder.url("out.txt")
    let stage = try Self.stage(.text("first"), width: 120)
    func write() {
      stage.type("w")
      stage.press(.control("u"))
      stage.type(file.path)
      stage.press(.enter)
    }
    write()
    #expect(stage.status.contains("5 bytes written to"))
    #expect(try String(contentsOf: file, encoding: .utf8) == "first")
    try Data("other".utf8).write(to: file)
    write()
    #expect(stage.text.contains("exists — ⏎ again replaces it"))
    #expect(try String(contentsOf: file, encoding: .utf8) == "other")
    stage.press(.enter)
    #expect(try String(contentsOf: file, encoding: .utf8) == "first")
    stage.type("w")
    stage.press(.control("u"))
    stage.type("/nowhere/x")
    stage.press(.enter)
    #expect(stage.text.contains("It cannot be written: No such file or directory"))
    stage.press(.escape, .escape)
    #expect(stage.app.screens.count == 1)
  }

  @Test func `a whole long text is opened from the object's page`() throws {
    let store = try Contacts.store()
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let id = try #require(store.contents.keys.first { $0.entityName == "Person" })
    context.object(with: id)["notes"] = .string(
      String(repeating: "many words\n", count: 3000) + "the end")
    try context.save()
    let stage = try Stage(store: store)
    stage.app.push(DetailScreen(id, path: [], neighbours: nil, session: stage.app.session))
    stage.draw()
    stage.type("fnotes")
    stage.press(.enter, .enter)
    stage.type("G")
    #expect(stage.text.contains("the end"))
    stage.type("q")
    stage.type("fborn")
    stage.press(.enter, .enter)
    #expect(stage.status.contains("born is a date: there is nothing more to open"))
  }
}
