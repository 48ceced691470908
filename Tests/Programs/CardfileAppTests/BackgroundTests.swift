import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

@MainActor @Suite struct BackgroundTests {
  @Test func `the old order stays while a new one is fetched, and Esc keeps it`() throws {
    let stage = try Stage()
    let before = Array(stage.lines.dropLast(2))
    stage.gate.isOpen = false
    stage.type("sborn")
    stage.press(.enter)
    stage.wait { stage.app.screen?.busy != nil }
    #expect(stage.status.contains("Sorting by born … 41 %  412,000/1,000,000   Esc cancel"))
    #expect(stage.status.hasSuffix("showing old order"))
    #expect(Array(stage.lines.dropLast(2).dropFirst()) == Array(before.dropFirst()))
    #expect(stage.app.redrawDelay != nil)
    stage.press(.escape)
    #expect((stage.app.screen as? BrowserScreen)?.isWorking == false)
    #expect(stage.app.redrawDelay == nil)
    stage.gate.isOpen = true
    stage.settle()
    #expect(Array(stage.lines.dropLast(2)) == before)
  }

  @Test func `the end and the beginning are shown before the list is complete`() throws {
    let stage = try Stage.partialList()
    stage.gate.letsPartsPass = true
    stage.type("G")
    #expect(stage.cursorLine.contains("tag 99"))
    #expect(stage.title.contains("counting …"))
    #expect(stage.app.screen?.counters.contains("…/…") == true)
    stage.type("k")
    #expect(stage.cursorLine.contains("tag 98"))
    stage.type("g")
    #expect(stage.cursorLine.contains("tag 1"))
    #expect(stage.app.screen?.counters.contains("1/…") == true)
    stage.type("G2k")
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.title.contains("300 objects"))
    #expect(stage.cursorLine.contains("tag 97"), "the cursor stays on its object")
    #expect(stage.status.contains("298/300"))
  }

  @Test func `a row number waits until the list is complete`() throws {
    let stage = try Stage.partialList()
    stage.gate.letsPartsPass = true
    stage.type("250G")
    #expect(stage.status.hasSuffix("waits for the whole list"))
    #expect(stage.cursorLine.contains("tag 1"))
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.status.contains("250/300"))
  }

  @Test func `letters lead to rows that are not here yet`() throws {
    let stage = try Stage.partialList()
    stage.gate.letsPartsPass = true
    stage.type("'tag 77")
    #expect(stage.cursorLine.contains("tag 77"), "\(stage.text)")
    #expect(stage.title.contains("counting …"))
    stage.press(.escape)
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.cursorLine.contains("tag 77"))
    stage.type("''")
    #expect(stage.cursorLine.contains("tag 1"))
  }

  @Test func `letters that nothing begins with leave the cursor where it is`() throws {
    let stage = try Stage.partialList()
    let list = try #require(stage.app.screen as? ListScreen)
    stage.type("50G")
    let id = list.cursorID
    stage.type("'x")
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.status.contains("Nothing begins with “x”"))
    #expect(list.cursorID == id && id != nil)
  }

  @Test func `a motion to the end waits for its rows`() throws {
    let stage = try Stage.partialList()
    #expect(stage.title.contains("counting …"))
    stage.type("G")
    #expect(stage.status.hasSuffix("waits for the rows"))
    #expect(stage.cursorLine.contains("tag 1"))
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.title.contains("300 objects"))
    #expect(stage.cursorLine.contains("tag 99"))
    #expect(stage.status.contains("300/300  100%"))
  }

  @Test func `a list is completed while an object's page covers it`() throws {
    let stage = try Stage.partialList()
    stage.press(.enter)
    #expect(!stage.status.contains("Cancelled"))
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.title.contains("1 of 300"))
    stage.type("q")
    #expect(stage.title.contains("300 objects"))
  }

  @Test func `selecting all waits until the list is complete`() throws {
    let stage = try Stage.partialList()
    stage.type("*")
    #expect(!stage.status.contains("selected"))
    stage.gate.isOpen = true
    stage.settle()
    #expect(stage.status.contains("300 selected"))
  }

  @Test func `no redraw is scheduled when nothing is under way`() throws {
    let stage = try Stage()
    #expect(stage.app.redrawDelay == nil)
    // Only the mode of letters ends by itself.
    stage.type("'k")
    #expect(stage.app.redrawDelay.map { (1...3_000).contains($0) } == true)
    stage.press(.escape)
    #expect(stage.app.redrawDelay == nil)
  }

  @Test func `the event loop ends at the end of input`() throws {
    let terminal = RecordingTerminal(size: Size(width: 80, height: 24))
    terminal.type("jd?")
    let app = App(
      terminal: terminal,
      store: StoreAccess(.init(store: try Contacts.store())), options: AppOptions(entityName: "Tag")
    )
    #expect(app.run() == 0)
    #expect(terminal.screen?.text.contains("Keys — Tag list") == true)
  }

  @Test func `signals end the event loop with their exit codes`() throws {
    for (event, code) in [(InputEvent.terminate, Int32(143)), (.interrupt, 130), (.hangup, 129)] {
      let terminal = RecordingTerminal(size: Size(width: 80, height: 24), script: [event])
      let app = App(
        terminal: terminal,
        store: StoreAccess(.init(store: try Contacts.store())), options: AppOptions())
      #expect(app.run() == code)
    }
  }
}
