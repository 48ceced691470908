import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import RESTStore

/// Browsing and editing over servers that nobody here wrote: what a list shows is what the server
/// has.
@Suite(.serialized) struct RealStoreTests {
  /// What a row of Artist is on the server.
  private func names(of service: RealService) throws -> [String?] {
    let store = try service.store()
    try store.update(["Artist"])
    let ids = try store.fetch(FetchPlan(entityName: "Artist"), control: nil).ids
    return try store.rows(of: Array(ids)).map { row in
      if case .string(let name)? = row?.value(at: 1) { name } else { nil }
    }
  }

  private func browse(_ store: RESTStore, album: String, artist: String) throws {
    try store.update(["Artist", "Album", "Track", "Genre"])
    // Filter, order and sections.
    let plan = try store.plan(
      "Track", "Name CONTAINS[cd] 'song' AND Milliseconds > 300000",
      [FetchSortDescriptor("GenreId"), FetchSortDescriptor("Name", comparison: .localized)])
    try store.update(for: plan)
    #expect(
      try store.explanation(of: plan)[2].hasPrefix(
        "done here: order, Name CONTAINS[cd] \"song\", over "))
    var sectioned = plan
    sectioned.sectionKey = SectionKey("GenreId")
    let fetched = try store.fetch(sectioned, control: nil)
    #expect(fetched.ids.count > 100 && fetched.sections.count == 6)
    // Follow.
    let context = store.context()
    let albums = fetched.ids.compactMap { context.object(with: $0).object(forKey: album) }
    let owner = try #require(albums.first?.object(forKey: artist))
    #expect(owner.entity.name == "Artist")
    let byOwner = try store.plan("Track", "\(album).\(artist).Name == \"O'Brien 1\"")
    #expect(try store.fetch(byOwner, control: nil).ids.count == 24)
  }

  /// Adds, changes, deletes and undoes in a context, and saves.
  private func edit(_ store: RESTStore, album: String, artist: String) throws {
    let context = store.context()
    let new = try context.insert(entityName: "Artist")
    try new.setValue("Neu & “Söhne”", forKey: "Name")
    let third = context.object(with: id(store, "Artist", 3))
    try third.setValue("Changed", forKey: "Name")
    context.processPendingChanges()
    try third.setValue("Undone", forKey: "Name")
    context.processPendingChanges()
    context.undoHistory.undo()
    let moved = context.object(with: id(store, "Album", 1))
    try moved.setObject(context.object(with: id(store, "Artist", 5)), forKey: artist)
    try context.save()
    #expect(new.objectID.key == .integer(41))
    let added = try context.insert(entityName: "Album")
    try added.setValue("First", forKey: "Title")
    try added.setObject(new, forKey: artist)
    try context.save()
    #expect(added.objectID.key == .integer(101))
    let playlist = context.object(with: id(store, "Playlist", 3))
    try context.delete(playlist)
    try context.save()
  }

  private func id(_ store: RESTStore, _ entity: String, _ key: Int64) -> ObjectID {
    ObjectID(storeIdentifier: store.identifier, entityName: entity, key: .integer(key))
  }

  /// The server, read by another client, has what the first one saved.
  private func check(_ service: RealService, artist: String, token: String? = nil) throws {
    let names = try names(of: service)
    #expect(names.count == 41 && names[40] == "Neu & “Söhne”" && names[2] == "Changed")
    let store = try service.store(token: token)
    try store.update(["Artist", "Album", "Playlist"])
    let albums = try store.fetch(
      try store.plan("Album", "\(artist).Name == \"Neu & “Söhne”\" OR AlbumId == 1"), control: nil)
    #expect(albums.ids.map(\.key) == [.integer(1), .integer(101)])
    let context = store.context()
    let moved = context.object(with: id(store, "Album", 1))
    #expect(moved.object(forKey: artist)?.objectID.key == .integer(5))
    let playlists = try store.fetch(FetchPlan(entityName: "Playlist"), control: nil).ids
    #expect(playlists.map(\.key) == [.integer(1), .integer(2)])
  }

  @Test(.needs(.odatapy)) func `an OData service is browsed and edited`() throws {
    let service = try RealService(.odatapy, pageSize: 500)
    let store = try service.store()
    try browse(store, album: "Album", artist: "Artist")
    try store.update(["Playlist"])
    try edit(store, album: "Album", artist: "Artist")
    try check(service, artist: "Artist")
    // Another client changes an object: a save of it is a conflict, and the news come.
    let other = try service.store()
    try other.update(["Artist"])
    let context = other.context()
    try context.object(with: id(other, "Artist", 4)).setValue("Theirs", forKey: "Name")
    try context.save()
    let own = store.context()
    try own.object(with: id(store, "Artist", 4)).setValue("Ours", forKey: "Name")
    #expect(throws: (any Error).self) { try own.save() }
    let before = store.connection.requestCount
    try store.update(["Artist"])
    #expect(store.connection.requestCount == before + 1, "the delta link is one request")
    let fresh = store.context()
    #expect(fresh.object(with: id(store, "Artist", 4)).value(forKey: "Name") == "Theirs")
  }

  @Test(.needs(.odatapy)) func `what a filter leads to comes with what it finds`() throws {
    let service = try RealService(.odatapy)
    let store = try service.store()
    var plan = try store.plan("Track", "Album.Artist.Name == \"O'Brien 1\"")
    try store.update(for: plan)
    #expect(store.connection.requestCount == 1)
    let tracks = try store.fetch(plan, control: nil).ids
    #expect(tracks.count == 24)
    let context = store.context()
    let artists = tracks.map {
      context.object(with: $0).object(forKey: "Album")?.object(forKey: "Artist")
    }
    #expect(artists.allSatisfy { $0?.value(forKey: "Name") == "O'Brien 1" })
    // So do the relationships that a fetch names.
    plan = try store.plan("Album", "AlbumId == 9")
    plan.prefetchedPaths = ["Artist"]
    try store.update(for: plan)
    #expect(store.connection.requestCount == 2)
    let album = context.object(with: id(store, "Album", 9))
    #expect(album.object(forKey: "Artist")?.value(forKey: "ArtistId") == 28)
    // A collection may come in pages: its entity is read.
    let albums = try store.plan("Album", "ANY Tracks.TrackId == 3")
    try store.update(for: albums)
    #expect(try store.fetch(albums, control: nil).ids.count == 1)
  }

  @Test(.needs(.odatapy)) func `a service that groups summarizes a column`() throws {
    let service = try RealService(.odatapy)
    defer { withExtendedLifetime(service) {} }
    let store = try service.store()
    let entity = try #require(store.model.entity(named: "Track"))
    let column = try #require(SummaryPlan.Column(["GenreId"], of: entity, in: store.model))
    func summary(_ fetch: FetchPlan) throws -> ColumnSummary {
      try #require(try store.summarize(SummaryPlan(fetch, columns: [column])).first)
    }
    let all = try summary(FetchPlan(entityName: "Track"))
    let long = try summary(store.plan("Track", "Milliseconds > 300000"))
    #expect(store.connection.requestCount == 2)
    // What it does not find itself is read.
    let path = try #require(
      SummaryPlan.Column(["Album", "Artist", "Name"], of: entity, in: store.model))
    let names = try store.summarize(
      SummaryPlan(FetchPlan(entityName: "Track"), columns: [column, path]))
    #expect(names[0].rowCount == all.rowCount && names[0].distinctCount == all.distinctCount)
    #expect(names[0].mostFrequent.map(\.rowCount) == all.mostFrequent.map(\.rowCount))
    #expect(names[0].mean == all.mean && names[0].quartiles == all.quartiles)
    #expect((names[1].distinctCount ?? 0) > 1 && names[1].nullCount < names[1].rowCount)
    #expect(long.rowCount > 0 && long.rowCount < all.rowCount)
  }

  @Test(.needs(.datasette1)) func `a Datasette with a token is browsed and edited`() throws {
    let service = try RealService(.datasette1)
    let token = try service.token()
    let store = try service.store(token: token)
    try browse(store, album: "album", artist: "artist")
    // SQLite would keep the rows of a playlist.
    try store.update(["Playlist"])
    try edit(store, album: "album", artist: "artist")
    try check(service, artist: "artist")
  }

  @Test(.needs(.datasette)) func `a Datasette of today is browsed, and says that it only reads`()
    throws
  {
    let service = try RealService(.datasette)
    let store = try service.store(token: "token")
    try browse(store, album: "album", artist: "artist")
    let context = store.context()
    let artist = context.object(with: id(store, "Artist", 3))
    let error = #expect(throws: (any Error).self) {
      try artist.setValue("Changed", forKey: "Name")
      try context.save()
    }
    #expect("\(try #require(error))".contains("the service only shows them"))
    #expect(try names(of: service)[2] == "Zoe 3")
  }
}
