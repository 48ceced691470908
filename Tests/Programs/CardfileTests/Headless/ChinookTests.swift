import Foundation
import GRDB
import TestSupport
import Testing

/// Chinook is a real database; what is printed of it must be what the database holds.
@Suite(.needsRealStores)
struct ChinookTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.copy(of: RealStores.file("plain/chinook.sqlite"))
  }

  @Test func `json has the stored value of every table, row and column`() throws {
    let entities = try Program.run("entities", store, "--format", "json")
    let names = try #require(
      JSONSerialization.jsonObject(with: Data(entities.output.utf8)) as? [String: [String: Any]])
    #expect(names.count == 11)
    for (name, facts) in names {
      let printed = try Program.run("fetch", store, name, "--format", "json").lines
      let stored = try Database.rows(store, "SELECT * FROM \"\(name)\"")
      #expect(printed.count == stored.count, "\(name)")
      #expect(facts["count"] as? Int == stored.count, "\(name)")
      #expect(Set(printed) == Set(stored.map(json)), "\(name)")
    }
  }

  /// What the sqlite3 shell would give, written by another hand.
  private func json(_ row: Row) -> String {
    let pairs = row.map { name, value in
      switch value.storage {
      case .null: "\"\(name)\":null"
      case .int64(let number): "\"\(name)\":\(number)"
      case .double(let number): "\"\(name)\":\(number)"
      case .string(let text): "\"\(name)\":\(quoted(text))"
      case .blob(let data): "\"\(name)\":\"\(data.base64EncodedString())\""
      }
    }
    return "{\(pairs.joined(separator: ","))}"
  }

  private func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test func `relationships follow foreign keys`() throws {
    let outcome = try Program.run("count", store, "Track", "--where", "album.artist.Name = 'AC/DC'")
    #expect(outcome.output == "18\n", "\(outcome.errors)")
    let artist = try Program.run(
      "fetch", store, "Artist", "--where", "Name = 'AC/DC'", "--columns", "Name,albums", "--format",
      "csv")
    #expect(artist.lines.last?.split(separator: " ").count == 2)
  }

  @Test func `deleting artists cascades to their albums as the foreign keys say`() throws {
    let outcome = try Program.run(
      "delete", store, "Playlist", "--where", "PlaylistId = 1", "--yes")
    #expect(outcome.status == 0 || outcome.errors.contains("refuse"), "\(outcome.errors)")
    #expect(try Database.rows(store, "PRAGMA foreign_key_check").isEmpty)
  }
}
