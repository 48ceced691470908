import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

@MainActor @Suite struct RandomKeysTests {
  /// Everything a person may press, but `w`, which writes a value to a file; `y`, `k` and `s` save
  /// only where a dialog offers it.
  private static let keys: [Key] =
    "jkgGdxusSZqE/'[]{} *?hlvnabct1249%JKRQVy+-pfo#".map { Key.character($0) }
    + "durnptsbfl\\".map { Key.control($0) }
    + [
      .enter, .escape, .tab, .backspace, .up, .down, .left, .right, .pageDown, .home, .end,
      .backTab,
    ]

  @Test(arguments: 0..<12)
  func `random keys do not crash, and without W and y do not change the store`(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 1)
    let stage = try Stage(
      seed % 3 == 0 ? nil : ["Person", "Tag", "Pet"][seed % 3],
      width: [80, 40, 19, 120][seed % 4], height: [24, 9, 5, 40][seed / 3])
    let before = stage.store.contents
    for step in 0..<100 {
      // What would save is left out: its letters mean nothing else.
      guard let key = Self.keys.randomElement(using: &generator) else { continue }
      if key == .control("s") || stage.app.overlays.last is QuestionOverlay { stage.press(.escape) }
      if key != .control("s") { stage.press(key) }
      if step % 40 == 17 { stage.paste("a\u{1B}[31mb\nname") }
      if step % 50 == 33 {
        stage.click(
          x: .random(in: 0..<80, using: &generator), y: .random(in: 0..<24, using: &generator))
      }
    }
    #expect(stage.store.contents == before)
  }

  @Test(arguments: 0..<12)
  func `random keys that come before the screen is drawn do not crash`(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &* 104_729 &+ 5)
    let stage = try Stage(
      seed % 3 == 0 ? nil : ["Person", "Tag", "Pet"][seed % 3],
      width: [80, 40, 19, 120][seed % 4], height: [24, 9, 5, 40][seed / 3])
    let keys = Self.keys.filter { $0 != .control("s") }
    for _ in 0..<60 {
      let count = Int.random(in: 2...8, using: &generator)
      stage.pressAtOnce((0..<count).compactMap { _ in keys.randomElement(using: &generator) })
      if stage.app.overlays.last is QuestionOverlay { stage.press(.escape) }
    }
  }

  @Test(arguments: 0..<6)
  func `undoing random deletions and saves restores the store`(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 99)
    let stage = try Stage()
    let before = stage.store.contents
    for _ in 0..<12 {
      stage.type(["d", "jd", "Gd", "'kd", "*d", "kx"].randomElement(using: &generator) ?? "d")
      if Bool.random(using: &generator) {
        stage.type("W")
        if let number = stage.text.firstMatch(of: /Type (\d+) to/)?.1 {
          stage.type(String(number))
          stage.press(.enter)
        } else {
          stage.type("y")
        }
        stage.press(.escape)
      }
      #expect(stage.app.overlays.isEmpty)
    }
    while stage.app.session.context.undoHistory.canUndo { stage.type("u") }
    stage.type("W")
    #expect(stage.store.contents.mapValues(\.values) == before.mapValues(\.values))
    #expect(stage.store.contents.mapValues(\.toOne) == before.mapValues(\.toOne))
  }
}
