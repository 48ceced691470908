import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

@MainActor @Suite struct CopyingTests {
  @Test func `y and a letter copy the row, the cell, JSON, the objectID and the predicate`() throws
  {
    let stage = try Stage(width: 120)
    stage.type("/kim")
    stage.press(.enter)
    stage.type("y")
    #expect(stage.text.contains("─ Copy ─"))
    #expect(stage.text.contains("y row   c name   j JSON   i objectID   p predicate   Esc cancel"))
    stage.type("y")
    #expect(stage.status.contains("Copied row, "))
    #expect(stage.copies.last?.hasPrefix("Kim, José\t1991-08-11\t") == true)
    #expect(stage.copies.last?.contains("\tBoston\tjose.kim@example.org") == true)
    stage.type("yc")
    #expect(stage.copies.last == "Kim, José")
    stage.type("yj")
    #expect(
      stage.copies.last
        == #"{"name":"Kim, José","city":"Boston","born":"1991-08-11","email":"jose.kim@example.org","notes":null,"photo":null}"#
    )
    stage.type("yi")
    #expect(stage.copies.last?.hasPrefix("x-coredata://9C1F22B0/Person/p") == true)
    stage.type("yp")
    let predicate = try #require(stage.copies.last)
    #expect(predicate.contains("kim"))
    stage.type("yx")
    #expect(stage.status.contains("y x copies nothing — after y: y c j i p"))
    stage.type("y")
    stage.press(.escape)
    #expect(stage.copies.count == 5)
  }

  @Test func `the selected rows are copied, one a line`() throws {
    let stage = try Stage()
    stage.type("  yc")
    #expect(stage.copies.last?.split(separator: "\n").count == 2)
    #expect(stage.status.contains("Copied name, "))
  }

  @Test func `the page of an object copies its value under the cursor in full`() throws {
    let store = try Contacts.store()
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let id = try #require(store.contents.keys.first { $0.entityName == "Person" })
    let long = String(repeating: "many words, ", count: 1000)
    context.object(with: id)["notes"] = .string(long)
    try context.save()
    let stage = try Stage(store: store)
    stage.app.push(DetailScreen(id, path: [], neighbours: nil, session: stage.app.session))
    stage.draw()
    stage.type("fnotes")
    stage.press(.enter)
    stage.type("yc")
    #expect(stage.copies.last == long)
    stage.type("yp")
    let predicate = try #require(stage.copies.last)
    let entity = try #require(stage.app.session.model.entity(named: "Person"))
    let typed = try TypedPredicate(
      predicate, as: .predicate, for: entity, in: stage.app.session.model, wordAttributes: nil)
    #expect(
      try stage.app.session.context.count(
        for: FetchPlan(entityName: "Person", predicate: typed.predicate)) == 1)
  }

  @Test func `a text too long for a terminal goes to the tool only, or says why not`() throws {
    let terminal = RecordingTerminal(size: Size(width: 80, height: 24))
    let long = String(repeating: "x", count: longestTerminalCopy + 1)
    let alone = Clipboard(terminal, tool: nil)
    #expect(alone.copy(long, what: "cell").text.contains("74,995 bytes is too much for a terminal"))
    let message = Clipboard(terminal) { _ in "xclip" }.copy(long, what: "cell")
    #expect(message.text == "Copied cell, 74,995 bytes, by xclip")
    #expect(terminal.copies.isEmpty)
    #expect(
      Clipboard(terminal) { _ in "tmux" }.copy("é", what: "cell").text
        == "Copied cell, 2 bytes, by the terminal and tmux")
  }
}
