import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// Tests with the Chinook database, if it is available.
@Suite(.needsRealStores)
struct ChinookTests {
  let store: SQLiteStore

  init() throws {
    let stores = try #require(RealStores.folder)
    store = try SQLiteStore.open(path: stores.appendingPathComponent("plain/chinook.sqlite").path)
  }

  @Test func `foreign keys become relationships and their inverses`() throws {
    let picture = store.model.entities.map { entity in
      entity.relationships.map { relationship in
        "\(entity.name).\(relationship.name) \(relationship.isToMany ? "->>" : "->") "
          + "\(relationship.destinationEntityName).\(relationship.inverseName ?? "") "
          + "\(relationship.deleteRule)"
      }.joined(separator: "\n")
    }.filter { !$0.isEmpty }.joined(separator: "\n")
    #expect(
      picture == """
        Album.artist -> Artist.albums nullify
        Album.tracks ->> Track.album deny
        Artist.albums ->> Album.artist deny
        Customer.supportRep -> Employee.customers nullify
        Customer.invoices ->> Invoice.customer deny
        Employee.reportsTo -> Employee.reports nullify
        Employee.customers ->> Customer.supportRep deny
        Employee.reports ->> Employee.reportsTo deny
        Genre.tracks ->> Track.genre deny
        Invoice.customer -> Customer.invoices nullify
        Invoice.invoiceLines ->> InvoiceLine.invoice deny
        InvoiceLine.invoice -> Invoice.invoiceLines nullify
        InvoiceLine.track -> Track.invoiceLines nullify
        MediaType.tracks ->> Track.mediaType deny
        Playlist.playlistTracks ->> PlaylistTrack.playlist deny
        Playlist.tracks ->> Track.playlists noAction
        PlaylistTrack.playlist -> Playlist.playlistTracks nullify
        PlaylistTrack.track -> Track.playlistTracks nullify
        Track.album -> Album.tracks nullify
        Track.genre -> Genre.tracks nullify
        Track.mediaType -> MediaType.tracks nullify
        Track.invoiceLines ->> InvoiceLine.track deny
        Track.playlistTracks ->> PlaylistTrack.track deny
        Track.playlists ->> Playlist.tracks noAction
        """)
  }

  @Test func `every table can be fetched and read`() throws {
    for entity in store.model.entities {
      let fetched = try store.fetch(FetchPlan(entityName: entity.name), control: nil)
      let first = Array(fetched.ids.prefix(50))
      #expect(!first.isEmpty)
      let snapshots = try store.snapshots(of: first)
      #expect(snapshots.count == first.count)
      #expect(snapshots.values.allSatisfy { $0.values.count == entity.attributes.count })
      for relationship in entity.relationships {
        _ = try store.destinations(of: relationship.name, from: first)
      }
    }
  }

  @Test func `ISO dates in text become dates and NUMERIC prices decimals`() throws {
    let invoice = try #require(store.model.entity(named: "Invoice"))
    #expect(invoice.attribute(named: "InvoiceDate")?.type == .date)
    #expect(invoice.attribute(named: "InvoiceDate")?.encoding == .isoText)
    #expect(invoice.attribute(named: "Total")?.type == .decimal)
    #expect(invoice.keyAttributes == ["InvoiceId"])
  }

  @Test func `a relationship returns the objects its foreign keys refer to`() throws {
    let plan = FetchPlan(
      entityName: "Artist",
      predicate: try FetchPredicate(format: "Name == 'AC/DC'")
        .validated(forEntity: "Artist", in: store.model))
    let artists = Array(try store.fetch(plan, control: nil).ids)
    #expect(artists.map(\.key) == [.integer(1)])
    let albums = try store.destinations(of: "albums", from: artists)
    #expect(albums.values.flatMap { $0 }.map(\.key) == [.integer(1), .integer(4)])
  }
}
