import Foundation
import TestSupport
import Testing

/// What clients need is public: their code compiles outside of the package, where nothing is
/// `package`.
@Suite(.serialized)
struct PublicInterfaceTests {
  @Test(arguments: ["TimeStamps", "People", "Colors", "DVDs", "Notes"])
  func `an example program needs only what is public`(name: String) throws {
    // What SwiftPM generates for the resources of a target.
    let folder = try TemporaryFolder()
    let resources = folder.path("Resources.swift")
    try Data(
      """
      import Foundation
      enum PackageResources {
        static let colors_txt: [UInt8] = [], dvds_txt: [UInt8] = [], notes_txt: [UInt8] = []
      }
      extension Bundle { static var module: Bundle { .main } }
      """.utf8
    ).write(to: URL(filePath: resources))
    let files = Repository.files(in: "Sources/Programs/Examples/\(name)", withExtension: "swift")
    #expect(!files.isEmpty)
    let errors = try ClientCompiler.diagnostics(
      of: files.map(\.path) + [resources], ["-typecheck", "-parse-as-library"])
    #expect(errors == [])
  }

  @Test func `programs with Core Data's names need only what is public`() throws {
    let files = Repository.files(in: "Tests/Objects/CoreDataProgramTests", withExtension: "swift")
      .filter { $0.lastPathComponent != "ProgramTests.swift" }
    #expect(files.count >= 11)
    let errors = try ClientCompiler.diagnostics(
      of: files.map(\.path), ["-typecheck", "-parse-as-library"], language: "5")
    #expect(errors == [])
  }

  @Test func `the samples of the documents need only what is public`() throws {
    let folder = try TemporaryFolder()
    let support = folder.path("Support.swift")
    try Data(
      """
      import Foundation
      struct TemporaryFolder { func path(_ name: String) -> String { name } }
      @MainActor func until(_ isTrue: () -> Bool) async throws -> Bool { isTrue() }
      """.utf8
    ).write(to: URL(filePath: support))
    let tests = ["ClientCompiler", "ConfinementTests", "PublicInterfaceTests"]
    let files = Repository.files(in: "Tests/Objects/ClientTests", withExtension: "swift")
      .filter { !tests.contains($0.deletingPathExtension().lastPathComponent) }
    #expect(files.count >= 6)
    // The macros of Testing lie beside the compiler.
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let plugins = path.split(separator: ":").map {
      URL(filePath: "\($0)/swiftc").resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "lib/swift/host/plugins/testing").path
    }
    let errors = try ClientCompiler.diagnostics(
      of: files.map(\.path) + [support],
      ["-typecheck", "-parse-as-library"] + plugins.flatMap { ["-plugin-path", $0] })
    #expect(errors == [])
  }
}
