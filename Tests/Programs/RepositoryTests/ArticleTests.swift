import Foundation
import TestSupport
import Testing

/// What the articles and the README say of the code is true.
@Suite struct ArticleTests {
  private static let articles = "Sources/Cardfile.docc"

  @Test func `every section of the store format that a comment cites exists`() throws {
    let document = try Repository.text("\(Self.articles)/core-data-stores.md")
    let sections = Set(
      document.matches(of: #/(?m)^##+ (\d+(?:\.\d+)?)\.? /#).map { String($0.1) })
    let citation = /core-data-stores (\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)/
    var count = 0
    for file in swiftFiles {
      // A citation may be wrapped.
      let text = try String(contentsOf: file, encoding: .utf8)
        .replacing(/\n *\/\/\/? ?/, with: " ")
      for match in text.matches(of: citation) {
        for section in match.1.split(separator: #/, | and /#) {
          count += 1
          #expect(sections.contains(String(section)), "\(file.lastPathComponent): \(section)")
        }
      }
    }
    #expect(count > 50)
  }

  @Test func `every Swift sample of the documents is compiled in a test`() throws {
    let samples = try samples
    var count = 0
    for document in try documents {
      for match in document.text.matches(of: /(?s)```swift\n(.*?\n)```/) {
        count += 1
        let sample = String(match.1)
        #expect(samples.contains(sample), "\(document.name) shows code that no test has: \(sample)")
      }
    }
    #expect(count >= 2)
  }

  @Test func `every example in a comment of the libraries is compiled in a test`() throws {
    let samples = try samples
    var count = 0
    for file in Repository.files(in: "Sources", withExtension: "swift") {
      let text = try String(contentsOf: file, encoding: .utf8)
      // After a blank line; else it goes on with an item of a list.
      for match in text.matches(of: /\n *\/\/\/\n((?: *\/\/\/     .*\n)+)/) {
        count += 1
        let sample = String(match.1).replacing(#/(?m)^ *///     /#, with: "")
        #expect(
          samples.contains(sample),
          "\(file.lastPathComponent) shows code that no test has: \(sample)")
      }
    }
    #expect(count >= 10)
  }

  @Test func `the architecture lists every module with what it imports`() throws {
    let rows = try Repository.text("\(Self.articles)/architecture.md").split(separator: "\n")
      .filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.split(separator: #/[, ]+/#) } }
    let package = try Repository.text("Package.swift").components(separatedBy: "    .testTarget(")[
      0]
    let target = /\.(target|executableTarget|systemLibrary)\(\s*name: "([A-Za-z-]+)"/
    let starts = package.matches(of: target)
    for (index, start) in starts.enumerated() {
      let name = start.2
      let row = try #require(rows.first { $0[0].contains(name) }, "\(name) is missing")
      // The programs import everything.
      guard start.1 == "target" else { continue }
      let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : package.endIndex
      let description = package[start.range.upperBound..<end]
      let dependencies = description.firstMatch(of: /dependencies: \[([^\]]*)\]/)
      for module in (dependencies?.1 ?? "").matches(of: /"([A-Za-z]+)"/).map(\.1) {
        #expect(row[2].contains(module), "\(name) imports \(module)")
      }
    }
  }

  @Test func `every public type has its place in an article`() throws {
    var words = Set<Substring>()
    for document in try documents
    where !["CONTRIBUTING.md", "CHANGELOG.md"].contains(document.name) {
      words.formUnion(document.text.matches(of: /\w+/).map(\.0))
    }
    let declaration =
      /\b(?:public|open) (?:final |indirect )*(?:struct|enum|class|protocol|typealias) (\w+)/
    var count = 0
    for file in Repository.files(in: "Sources", withExtension: "swift") {
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: declaration) {
        count += 1
        #expect(
          words.contains(match.1), "\(match.1) (\(file.lastPathComponent)) is in no article")
      }
    }
    #expect(count > 200)
  }

  @Test func `a module imports only from its own floor and those below`() throws {
    let below = [
      "Programs": ["Programs", "Terminal", "Objects", "Stores", "Model", "C"],
      "Terminal": ["Terminal", "Objects", "Model", "C"],
      "Objects": ["Objects", "Model"],
      "Stores": ["Stores", "Model", "C"],
      "Model": ["Model"],
    ]
    var floors: [Substring: String] = [:]
    for floor in below.keys.sorted() + ["C"] {
      for name in try FileManager.default.contentsOfDirectory(
        atPath: Repository.root.appendingPathComponent("Sources/\(floor)").path)
      {
        floors[Substring(name)] = floor
      }
    }
    // These join the two floors that stand side by side; Cardfile re-exports what an application
    // needs.
    let joining = [
      "PersistentContainers": ["Stores"], "CoreDataNames": ["Stores"],
      "Cardfile": ["Terminal", "Stores"],
    ]
    var count = 0
    for (floor, allowed) in below {
      for file in Repository.files(in: "Sources/\(floor)", withExtension: "swift") {
        let module = file.pathComponents[Repository.root.pathComponents.count + 2]
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /(?m)^(?:[@\w]\S* )*import (?:\w+ )?(\w+)/) {
          guard let imported = floors[match.1] else { continue }
          count += 1
          #expect(
            allowed.contains(imported) || joining[module]?.contains(imported) == true,
            "\(file.lastPathComponent) of \(floor) imports \(match.1) of \(imported)")
        }
      }
    }
    #expect(count > 500)
  }

  @Test func `the example programs import Cardfile and nothing else`() throws {
    let files = Repository.files(in: "Sources/Programs/Examples", withExtension: "swift")
    #expect(files.count >= 13)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard !text.hasPrefix("// Generated by `cardfile generate`") else { continue }
      let imports = text.matches(of: /(?m)^import (\w+)$/).map(\.1)
      #expect(imports == ["Cardfile"], "\(file.lastPathComponent)")
    }
  }

  @Test func `every environment variable of tests and package is in CONTRIBUTING`() throws {
    let described = try Repository.text("CONTRIBUTING.md")
    var used: Set<Substring> = []
    for text in try swiftFiles.map({ try String(contentsOf: $0, encoding: .utf8) })
      + [Repository.text("Package.swift")]
    {
      used.formUnion(text.matches(of: /environment\["(CARDFILE_[A-Z]+)"\]/).map(\.1))
    }
    #expect(used.count >= 4)
    for name in used.sorted() { #expect(described.contains("`\(name)"), "\(name)") }
    for match in described.matches(of: /`(CARDFILE_[A-Z]+)/) {
      #expect(used.contains(match.1), "\(match.1) is described but not used")
    }
  }

  @Test func `links between the documents lead to files`() throws {
    for document in try documents {
      for match in document.text.matches(of: /\]\(([^)#:]+)\)/) {
        let file = Repository.root.appendingPathComponent(document.folder + match.1)
        #expect(
          FileManager.default.fileExists(atPath: file.path), "\(document.name): \(match.1)")
      }
    }
  }

  // MARK: What there is

  /// What stands between `// sample` and `// end of sample` in the tests.
  private var samples: Set<String> {
    get throws {
      var samples: Set<String> = []
      for file in Repository.files(in: "Tests", withExtension: "swift") {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /(?s)\n( *)\/\/ sample\n(.*?\n) *\/\/ end of sample\n/) {
          let indent = String(match.1)
          let lines = match.2.split(separator: "\n", omittingEmptySubsequences: false)
          samples.insert(
            lines.map { $0.hasPrefix(indent) ? String($0.dropFirst(indent.count)) : String($0) }
              .joined(separator: "\n"))
        }
      }
      return samples
    }
  }

  private var swiftFiles: [URL] {
    Repository.files(in: "Sources", withExtension: "swift")
      + Repository.files(in: "Tests", withExtension: "swift")
  }

  private var documents: [(name: String, folder: String, text: String)] {
    get throws {
      let articles = Repository.files(in: Self.articles, withExtension: "md").map {
        (name: $0.lastPathComponent, folder: Self.articles + "/")
      }
      let others = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map { (name: $0, folder: "") }
      return try (others + articles).map {
        ($0.name, $0.folder, try Repository.text($0.folder + $0.name))
      }
    }
  }
}
