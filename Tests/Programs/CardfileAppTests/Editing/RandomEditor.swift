import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// A person who edits at random, by keys only.
@MainActor
final class RandomEditor {
  let stage: Stage
  private var generator: SeededGenerator
  /// How often each kind of change left the context different.
  private(set) var changes: [String: Int] = [:]

  init(_ stage: Stage, seed: UInt64) {
    self.stage = stage
    generator = SeededGenerator(seed: seed)
  }

  private var app: App { stage.app }
  private var list: ListScreen? { app.screen as? ListScreen }

  /// Makes one change: an edit, a new object, a copy, a link, a mark, or some undo and redo.
  func step() {
    goHome()
    guard
      let entity = app.session.model.entities.filter({ !$0.isAbstract })
        .randomElement(using: &generator)
    else { return }
    app.push(ListScreen(entity, session: app.session))
    stage.settle()
    stage.draw()
    let revision = app.session.revision
    let kinds = ["edit", "edit", "edit", "edit", "new", "copy", "link", "unlink", "mark", "undo"]
    let kind = kinds.randomElement(using: &generator) ?? "edit"
    switch kind {
    case "edit": editProperty()
    case "new": answer(after: "o")
    case "copy":
      goToRow()
      answer(after: "O")
    case "link": changeToMany(by: "a")
    case "unlink": changeToMany(by: "x")
    case "mark":
      goToRow()
      if number(8) == 0 { stage.type("d") } else { stage.type("dkx") }
    default: for _ in 0...number(4) { press(number(3) == 0 ? .control("r") : .character("u")) }
    }
    goHome()
    if app.session.revision != revision { changes[kind, default: 0] += 1 }
  }

  /// Closes what is open, as Esc does.
  private func goHome() {
    for _ in 0..<9 where !app.overlays.isEmpty { press(.escape) }
    while app.screens.count > 1 { app.back() }
  }

  private func editProperty() {
    goToRow()
    press(.enter)
    guard app.screen is DetailScreen else { return }
    stage.type("g")
    for _ in 0..<number(12) { press(.down) }
    answer(after: "e")
  }

  private func changeToMany(by key: String) {
    goToRow()
    press(.enter)
    guard let page = app.screen as? DetailScreen,
      let relationship = page.object.entity.relationships.filter(\.isToMany)
        .randomElement(using: &generator)
    else { return }
    for _ in 0..<40 where page.currentRow?.property != .relationship(relationship.name) {
      press(.down)
    }
    if key == "a" { return answer(after: "a") }
    press(.enter)
    goToRow()
    stage.type("x")
  }

  /// Presses a key and answers what it asks.
  private func answer(after key: String) {
    stage.type(key)
    for _ in 0..<12 {
      if let prompt = app.overlays.last as? ValuePrompt {
        answer(prompt)
      } else if app.overlays.last is Menu {
        if number(2) == 0 { press(.down) }
        press(.enter)
      } else if let list, let choosing = list.choosing {
        goToRow()
        if choosing.takesSeveral, number(2) == 0 { stage.type("  ") }
        press(
          [.enter, .enter, .enter, .control("n"), .escape].randomElement(using: &generator)
            ?? .enter)
        if app.screen === list { press(.escape) }
      } else {
        return
      }
    }
  }

  private func answer(_ prompt: ValuePrompt) {
    let attribute = prompt.input.attribute
    switch number(12) {
    case 0: press(.control("n"))
    case 1: press(.tab)
    case 2: return press(.escape)
    default:
      press(.control("u"))
      stage.type(text(for: attribute))
    }
    press(.enter)
    if app.overlays.last === prompt { press(.escape) }
  }

  private func text(for attribute: AttributeDescription) -> String {
    let texts: [String] =
      switch attribute.type {
      case .integer16, .integer32, .integer64: ["0", "-7", "12", "1,234", "30000", "x"]
      case .double, .float: ["0", "-1.5", "3.25", "1e10", "0.1", "1,234.5"]
      case .decimal: ["1.10", "-0.01", "12345678901234.56"]
      case .boolean: ["y", "n", " "]
      case .date:
        ["2024-05-01", "1 May 1999 13:45", "today", "+3d", "13:45", "2001-01-01T00:00:00Z"]
      case .uuid: ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "no"]
      case .uri: ["https://example.com/a?b=c", ""]
      case .binaryData: ["00 ff", "", "0g"]
      default: ["", "Ada", "Łukasz", "東京", "O'Hara \"x\" \\", "👩‍👩‍👧", "a\u{301}b", "NULL", "%_"]
      }
    let text = texts.randomElement(using: &generator) ?? ""
    // Numbers make most texts different, so that few are refused as taken.
    return attribute.type == .string && number(3) > 0 ? text + String(number(1000)) : text
  }

  private func goToRow() {
    let count = list?.controller.count ?? 0
    if count > 0 { stage.type("\(number(count) + 1)G") }
  }

  private func press(_ key: Key) { stage.press(key) }

  private func number(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &generator) }
}
