import Foundation
import ObjectModel
import Testing

@testable import ManagedObjects

struct ValueTests {
  @Test func `setting the saved value again leaves no change`() throws {
    let context = makeContext()
    let person = try context.make("Person", "Ada")
    person["born"] = .date(Date(timeIntervalSince1970: 86_400))
    try context.save()
    #expect(!context.hasChanges)
    let saved = person.storedValue(forKey: "born")
    person["born"] = .null
    #expect(person.changedKeys == ["born"])
    person["born"] = .date(Date(timeIntervalSince1970: 86_400))
    #expect(!context.hasChanges && !person.hasChanges)
    #expect(person.storedValue(forKey: "born") == saved)
  }

  @Test func `a new object has default values, and required values are validated`() throws {
    let context = makeContext()
    let person = try context.insert(entityName: "Person")
    #expect(person["age"] == 18)
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.reason == .validation)
    #expect(error?.problems.map(\.key) == ["name"])
    #expect(error?.objectIDs == [person.objectID])
    #expect(person.isInserted)
  }

  @Test(arguments: [("age", Value.data(Data([1]))), ("nmae", "x"), ("pets", "x")])
  func `a value of the wrong type is refused with an error`(key: String, value: Value) throws {
    let context = makeContext()
    let person = try context.make("Person", "Ada")
    let before = person["age"]
    let error = #expect(throws: ManagedObjectError.self) { try person.setValue(value, forKey: key) }
    #expect(error?.description.contains(key) == true)
    person[key] = value
    #expect(context.mostRecentError != nil)
    #expect(person["age"] == before)
  }

  @Test func `a foreign key and its relationship change together`() throws {
    let context = makeContext(albumModel)
    let (acdc, accept) = (try context.make("Artist", "AC/DC"), try context.make("Artist", "Accept"))
    try context.save()
    #expect(acdc["ArtistId"] == 1 && accept["ArtistId"] == 2)
    let album = try context.insert(entityName: "Album")
    try album.setObject(acdc, forKey: "artist")
    #expect(album["ArtistId"] == 1)
    album["ArtistId"] = 2
    #expect(album.object(forKey: "artist") === accept)
    #expect(accept.objects(forKey: "albums") == [album])
    #expect(acdc.count(forKey: "albums") == 0)
    try context.save()
    #expect(album["AlbumId"] == 1)
    album["ArtistId"] = 1
    #expect(album.changedKeys == ["ArtistId", "artist"])
    album["ArtistId"] = 2
    #expect(!album.hasChanges)
    album["ArtistId"] = 99
    #expect(album.object(forKey: "artist")?.isAccessible == false)
  }

  @Test func `a foreign key to an unsaved object is set by the save, also after undo`() throws {
    let context = makeContext(albumModel)
    let album = try context.insert(entityName: "Album")
    context.processPendingChanges()
    let artist = try context.make("Artist", "AC/DC")
    context.processPendingChanges()
    try album.setObject(artist, forKey: "artist")
    #expect(album["ArtistId"] == .null)
    try context.save()
    #expect(album["ArtistId"] == artist["ArtistId"])
    context.undoHistory.undo()
    #expect(album["ArtistId"] == .null && album.object(forKey: "artist") == nil)
    context.undoHistory.redo()
    #expect(album["ArtistId"] == 1 && album.object(forKey: "artist") === artist)
  }

  @Test func `the key of a saved object cannot be changed`() throws {
    let context = makeContext(albumModel)
    let artist = try context.insert(entityName: "Artist")
    artist["ArtistId"] = 7
    try context.save()
    #expect(artist.objectID.key == .integer(7))
    let error = #expect(throws: ManagedObjectError.self) {
      try artist.setValue(8, forKey: "ArtistId")
    }
    #expect(error?.reason == .readOnly)
  }

  @Test func `a truncated value is read in full when it is used, changed, undone or restored`()
    throws
  {
    let context = makeContext(cutLength: 4)
    let person = try context.make("Person", "Ada")
    person["note"] = "a long story"
    try context.save()
    #expect(person["note"] == "a long story" && person.truncatedValue(forKey: "note") == "a lo")
    #expect(person.cutLength(forKey: "note") == 12)
    #expect(try person.wholeValue(forKey: "note") == "a long story")
    person["note"] = "b"
    #expect(person.cutLength(forKey: "note") == nil)
    try context.save()
    context.undoHistory.undo()
    #expect(person["note"] == "a long story")
    try context.save()
    try context.delete(person)
    try context.save()
    #expect(try context.all("Person").isEmpty)
    context.undoHistory.undo()
    try context.save()
    #expect(try person.wholeValue(forKey: "note") == "a long story")
  }
}
