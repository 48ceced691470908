import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalKit
import Testing

@testable import ListProviders

@MainActor
struct EditingTests {
  @Test(arguments: [true, false])
  func `a deletion removes the row, and saves if set`(saves: Bool) throws {
    let collection = try Collection("Alien", "Brazil")
    let provider = collection.provider { $0.saveContextAfterEditing = saves }
    #expect(provider.deleteCursorObject())
    expectPicture(collection.picture().replacing("▌", with: " "), "   Brazil")
    #expect(collection.context.hasChanges == !saves)
    #expect(collection.store.contents.count == (saves ? 1 : 2))
    #expect(provider.cursorObject?["title"] == "Brazil")
  }

  @Test func `objects that the delegate does not let be deleted stay`() throws {
    let collection = try Collection("Alien", "Brazil")
    collection.delegate.canEditRow = { $0["title"] != "Alien" }
    collection.delegate.shouldDelete = { _ in false }
    let provider = collection.provider()
    #expect(!provider.deleteCursorObject())
    collection.table.move(.down(1))
    #expect(!provider.deleteCursorObject())
    #expect(collection.table.numberOfRows == 2)
    #expect(!provider.delete(try collection.dvd("Alien")))
  }

  @Test func `a save that fails restores the row and leaves other changes alone`() throws {
    let collection = try Collection("Alien")
    let anna = try collection.context.insert(entityName: "Person")
    anna["name"] = "Anna"
    try collection.dvd("Alien").setObject(anna, forKey: "owner")
    try collection.context.save()
    try collection.dvd("Alien").setValue(1979, forKey: "year")
    let provider = TableViewProvider<ManagedObject>(
      entityName: "Person", context: collection.context)
    provider.attach(to: collection.table)
    provider.performFetchAndReloadTableView()
    var errors: [any Error] = []
    provider.delegate = collection.delegate
    collection.delegate.didFail = { errors.append($0) }

    #expect(!provider.delete(anna))
    #expect(errors.count == 1)
    #expect(provider.mostRecentError != nil)
    expectPicture(collection.picture(), "▌  Anna")
    #expect(!anna.isDeleted)
    #expect(try collection.dvd("Alien")["year"] == 1979)
    #expect(try collection.dvd("Alien").hasChanges)

    try collection.dvd("Alien").setObject(nil, forKey: "owner")
    #expect(provider.delete(anna))
    #expect(provider.mostRecentError == nil)
    #expect(collection.table.numberOfRows == 0)
  }

  @Test func `a deletion whose save fails is undone without undo registration too`() throws {
    let collection = try Collection("Alien")
    let anna = try collection.context.insert(entityName: "Person")
    try collection.dvd("Alien").setObject(anna, forKey: "owner")
    try collection.context.save()
    collection.context.undoHistory.isRegistrationEnabled = false
    let provider = TableViewProvider<ManagedObject>(
      entityName: "Person", context: collection.context)
    provider.attach(to: collection.table)
    provider.performFetchAndReloadTableView()
    #expect(!provider.delete(anna))
    #expect(collection.table.numberOfRows == 1)
    #expect(!collection.context.hasChanges)
  }

  @Test func `selecting a row is reported, and it stays selected only if set`() throws {
    let collection = try Collection("Alien", "Brazil")
    var chosen: [Value] = []
    collection.delegate.didSelect = { chosen.append($0["title"]) }
    collection.delegate.shouldSelect = { $0["title"] != "Brazil" }
    let provider = collection.provider()
    collection.table.chooseCursorRow()
    #expect(collection.table.selection.isEmpty)
    provider.deselectsAutomatically = false
    collection.table.chooseCursorRow()
    #expect(collection.table.selection == RowSet(0..<1))
    collection.table.move(.down(1))
    collection.table.chooseCursorRow()
    #expect(chosen == ["Alien", "Alien"])
  }

  @Test func `a delegate implements only what it customises`() throws {
    final class Shelf: TableViewProviderDelegate {
      var selected: [String] = []
      func provider(
        _ provider: TableViewProvider<ManagedObject>, configureCell cell: inout TableCell,
        for object: ManagedObject
      ) { cell.text = "* " + cell.text }
      func provider(_ provider: TableViewProvider<ManagedObject>, didSelect object: ManagedObject) {
        selected.append(provider.displayText(for: object))
      }
      func provider(
        _ provider: TableViewProvider<ManagedObject>, canEditRowFor object: ManagedObject
      ) -> Bool {
        false
      }
    }
    let collection = try Collection("Alien")
    let shelf = Shelf()
    let provider = collection.provider { $0.delegate = shelf }
    expectPicture(collection.picture(), "▌  * Alien")
    collection.table.chooseCursorRow()
    #expect(shelf.selected == ["Alien"])
    #expect(!provider.deleteCursorObject())
    #expect(provider.mostRecentError == nil)
  }

  @Test func `a provider without its delegate has the defaults`() throws {
    let collection = try Collection("Alien")
    let provider = collection.provider { provider in
      let delegate = ClosureDelegate()
      delegate.canEditRow = { _ in false }
      provider.delegate = delegate
    }
    #expect(provider.delegate == nil)
    #expect(provider.deleteCursorObject())
    #expect(collection.table.numberOfRows == 0)
  }
}
