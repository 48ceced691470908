import CardfileApp
import Foundation
import TestSupport
import Testing

@testable import cardfile

/// The file that keeps the choices for a store.
@MainActor @Suite struct StateFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ store: String = "people.sqlite") -> StateFile {
    StateFile(storePath: folder.path(store), folder: folder.url("state"))
  }

  /// The paths of the files that were written.
  private func written() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.url("state/stores"), includingPropertiesForKeys: nil)
  }

  @Test func `what was kept is read again by the next run`() throws {
    file().update { $0.lastEntity = "Person" }
    file().update { $0.entities["Person"] = EntityPreferences(section: "none") }
    let state = file().load()
    #expect(state.lastEntity == "Person")
    #expect(state.entities["Person"]?.section == "none")
    #expect(file("other.sqlite").load() == StoreState())
    #expect(file().takeProblem() == nil)
    let modes = try FileManager.default.attributesOfItem(atPath: try #require(written().first).path)
    #expect((modes[.posixPermissions] as? Int) == 0o600)
  }

  @Test func `a store that is reached by a link has one state`() throws {
    try Data().write(to: folder.url("people.sqlite"))
    try FileManager.default.createSymbolicLink(
      at: folder.url("link"), withDestinationURL: folder.url("people.sqlite"))
    file("link").update { $0.lastEntity = "Person" }
    #expect(file().load().lastEntity == "Person")
  }

  @Test(arguments: ["", "{", "[]", "{\"version\":1}", "{\"version\":\"x\"}", "\u{0}\u{0}"])
  func `a damaged file is reported once and made anew`(contents: String) throws {
    file().update { $0.lastEntity = "Person" }
    try Data(contents.utf8).write(to: try #require(written().first))
    let state = file()
    #expect(state.load() == StoreState())
    #expect(state.takeProblem()?.contains("is damaged") == true)
    state.update { $0.lastEntity = "Pet" }
    #expect(state.takeProblem() == nil)
    #expect(file().load().lastEntity == "Pet")
  }

  @Test(arguments: ["\"version\" : 1", "\"store\" : \""])
  func `a file of a later version or of another store is left as it is`(part: String) throws {
    file().update { $0.lastEntity = "Person" }
    let url = try #require(written().first)
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains(part))
    let foreign = text.replacing(part, with: part.hasSuffix("1") ? part + "7" : part + "/x")
    try Data(foreign.utf8).write(to: url)
    let state = file()
    #expect(state.load() == StoreState())
    #expect(state.takeProblem()?.contains("is left as it is") == true)
    state.update { $0.lastEntity = "Pet" }
    #expect(try String(contentsOf: url, encoding: .utf8) == foreign)
  }

  @Test func `a folder that is a file, and a file that is a pipe or a folder, stop nothing`() throws
  {
    try Data().write(to: folder.url("state"))
    let blocked = file()
    #expect(blocked.load() == StoreState())
    blocked.update { $0.lastEntity = "Person" }
    #expect(blocked.takeProblem()?.contains("cannot be kept") == true)
    blocked.update { $0.lastEntity = "Pet" }
    #expect(blocked.takeProblem() == nil, "it is reported once")

    try FileManager.default.removeItem(at: folder.url("state"))
    file().update { $0.lastEntity = "Person" }
    let url = try #require(written().first)
    try FileManager.default.removeItem(at: url)
    #expect(mkfifo(url.path, 0o600) == 0)
    let piped = file()
    #expect(piped.load() == StoreState())
    #expect(piped.takeProblem()?.contains("not a file") == true)
    try FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let nested = file()
    nested.update { $0.lastEntity = "Pet" }
    #expect(nested.takeProblem() != nil)
    #expect(try written().count == 1, "no draft is left")
  }
}
