import Foundation
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

@Suite struct HistorySlotsTests {
  @Test func `slots are in five groups, inherited properties first, by the bytes of names`()
    throws
  {
    let slots = HistorySlots(entityName: "Note", layout: try HistoryFixture.layout())
    #expect(
      slots.slots.map { "\($0.property) \($0.part)" } == [
        "folder foreignKey", "folder entity", "folder order", "title attribute",
        "Zoom attribute", "done attribute", "zoom attribute", "links toMany",
      ])
  }

  @Test func `a bitmap has each property once, and counts bits after the last slot`() throws {
    let slots = HistorySlots(entityName: "Note", layout: try HistoryFixture.layout())
    let changes = slots.changes(in: Data([0b1011_0001, 0b0100_0001]))
    #expect(changes.properties == ["folder", "title", "links"])
    #expect(changes.unknownCount == 2)
    #expect(slots.changes(in: Data()) == HistorySlots.Changes())
  }

  @Test func `a to-one sets three bits, and a changed order key one`() throws {
    let slots = HistorySlots(entityName: "Note", layout: try HistoryFixture.layout())
    #expect(slots.bitmap(properties: ["folder", "done"]) == Data([0b1110_0100]))
    #expect(slots.bitmap(properties: ["zoom"], orders: ["folder"]) == Data([0b0010_0010]))
    #expect(slots.bitmap(properties: []) == Data([0]))
  }

  @Test func `an unknown entity has no slots`() throws {
    let slots = HistorySlots(entityName: "Ghost", layout: try HistoryFixture.layout())
    #expect(slots.slots.isEmpty)
    #expect(slots.changes(in: Data([0xFF])).unknownCount == 8)
  }
}
