import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// A session of random keys on a random database, the same for the same seed.
@MainActor
final class RandomSession {
  private static let keyCount = 200

  private var generator: SeededGenerator
  private let seed: UInt64
  private let database: RandomDatabase
  private var stage: Stage
  private var pressed: [Key] = []
  /// Whether `W` and `y` may be pressed.
  private let saves: Bool

  init(seed: UInt64) throws {
    self.seed = seed
    var generator = SeededGenerator(seed: seed &* 7919 &+ 3)
    let kind = generator.pick(RandomDatabase.Kind.allCases)
    database = try RandomDatabase(kind, using: &generator)
    saves = generator.chance(oneIn: 5)
    stage = try Self.stage(database, using: &generator)
    self.generator = generator
  }

  private static func stage(
    _ database: RandomDatabase, using generator: inout SeededGenerator
  ) throws -> Stage {
    let (width, height) = generator.pick([(80, 24), (40, 10), (20, 5), (200, 60), (19, 3)])
    return try Stage(
      nil, width: width, height: height,
      options: AppOptions(isReadOnly: generator.chance(oneIn: 8)),
      opened: SQLiteStore.open(path: database.path),
      capabilities: TerminalCapabilities(
        colorSupport: generator.pick([.none, .palette]), isUnicode: !generator.chance(oneIn: 3)))
  }

  /// Presses the keys, and expects what must hold after each and at the end.
  func run() throws {
    let before = database.bytes
    while pressed.count < Self.keyCount {
      if stage.app.exitStatus != nil { stage = try Self.stage(database, using: &generator) }
      let key = nextKey()
      pressed.append(key)
      stage.press(key)
      if generator.chance(oneIn: 40) {
        stage.paste("a\u{1B}[31mb\nname")
      } else if generator.chance(oneIn: 30) {
        let kinds: [MouseEvent.Kind] = [.press, .doublePress, .drag, .wheelUp, .wheelDown]
        let (x, y) = (
          Int.random(in: 0..<80, using: &generator), Int.random(in: 0..<24, using: &generator)
        )
        let kind = generator.pick(kinds)
        if saves || !mayBeSave(onLine: y) { stage.click(x: x, y: y, kind) }
      }
      guard expectFreshDrawing() else { return }
    }
    stage.app.end()
    if saves {
      #expect(throws: Never.self, "\(self)") { try SQLiteStore.open(path: database.path) }
    } else {
      #expect(database.bytes == before, "The file was changed without a save. \(self)")
    }
  }

  /// Expects that drawing again gives the same screen, and that nothing in it can harm a terminal.
  private func expectFreshDrawing() -> Bool {
    let isBusy = stage.app.busy != nil || stage.app.screen?.busy != nil
    let canvas = stage.draw()
    // What is highlighted for a moment may just have ended.
    var isSame = canvas == stage.draw() || stage.draw() == stage.draw()
    if isBusy, !isSame {
      // What is under way says more from time to time.
      stage.wait {
        isSame = stage.draw() == stage.draw()
        return isSame
      }
    }
    #expect(isSame, "The screen changes when it is drawn again. \(self)")
    let isSafe = canvas.lines.allSatisfy { line in
      line.unicodeScalars.allSatisfy {
        (0x20..<0x7F).contains($0.value) || $0.properties.generalCategory != .control
      }
    }
    #expect(isSafe, "A control character is on the screen. \(self)")
    return isSame && isSafe
  }

  // MARK: Keys

  /// All keys that some screen binds, and all that can be typed.
  private static let keys: [Key] = {
    let bound = Set(KeyTable.all.flatMap(\.entries).flatMap(\.bindings).map(\.key))
    let typed = (0x20..<0x7F).map { Key.character(Character(Unicode.Scalar($0))) }
    let frequent: [Key] = [
      .enter, .enter, .escape, .tab, .backTab, .backspace, .up, .down, .left, .right,
      .character("é"),
    ]
    return bound.sorted { "\($0)" < "\($1)" } + typed + frequent
  }()

  /// A random key that saves nothing and writes no file, unless the session saves.
  private func nextKey() -> Key {
    let key = generator.pick(Self.keys)
    if saves { return key }
    if stage.app.overlays.last is QuestionOverlay {
      return generator.pick([.escape, .enter, .character("n"), .character("z"), .down])
    }
    switch key {
    case .character("W"), .control("s"): return .escape
    // The line of the help may be that of W.
    case .enter where stage.app.overlays.last is HelpOverlay: return .escape
    // A command line or a prompt may write a file.
    case .enter where isTyping(":") || isTyping("rite") || isTyping("xport"): return .escape
    default: return key
    }
  }

  /// Whether a click on a line may save: on the hint of W, a line of the help, or a dialog's button.
  private func mayBeSave(onLine line: Int) -> Bool {
    let overlay = stage.app.overlays.last
    return overlay is QuestionOverlay || overlay is HelpOverlay
      || stage.lines.indices.contains(line) && stage.lines[line].contains("save")
  }

  private func isTyping(_ text: String) -> Bool {
    stage.app.screen?.bottomBar != nil && stage.lines.suffix(3).contains { $0.contains(text) }
  }
}

extension RandomSession: @MainActor CustomStringConvertible {
  /// How to repeat the session, and what was pressed.
  var description: String {
    """
    Repeat with CARDFILE_SESSION=\(seed). Keys: \(pressed.map { "\($0)" }.joined(separator: " "))
    \(stage.text)
    """
  }
}
