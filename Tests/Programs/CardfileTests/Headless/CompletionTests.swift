import Foundation
import TestSupport
import Testing

/// What Tab completes in bash.
struct CompletionTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database("people.sqlite", Database.people)
  }

  /// What bash offers for the last of some words.
  private func offered(_ words: String...) throws -> Set<String> {
    let outcome = try Program.shell(
      """
      export PATH="$(dirname "$CARDFILE"):$PATH"; cd '\(folder.url.path)'
      source <(cardfile --generate-completion-script bash) || exit 1
      COMP_WORDS=(cardfile \(words.map { "'\($0)'" }.joined(separator: " ")))
      COMP_CWORD=\(words.count); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      COMP_TYPE=9; _cardfile cardfile "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"; printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return Set(outcome.lines.map { $0.trimmingCharacters(in: .whitespaces) })
  }

  @Test func `commands and files`() throws {
    #expect(try offered("ent") == ["entities"])
    #expect(try offered("count", "peop") == ["people.sqlite"])
  }

  @Test func `entities of the store that stands before`() throws {
    #expect(try offered("count", "people.sqlite", "") == ["person", "pet", "invoice"])
    #expect(try offered("fetch", "people.sqlite", "pe") == ["person", "pet"])
    #expect(try offered("fetch", "none.sqlite", "pe").isEmpty)
  }

  @Test func `attributes and relationships of the entity, after a comma too`() throws {
    #expect(try offered("fetch", "people.sqlite", "person", "--columns", "b") == ["born"])
    #expect(
      try offered("fetch", "people.sqlite", "person", "--columns", "name,h") == ["name,height"])
  }

  @Test func `names, operators and functions of a predicate, as far as it is typed`() throws {
    #expect(try offered("count", "people.sqlite", "person", "--where", "bo") == ["born"])
    #expect(
      try offered("count", "people.sqlite", "person", "--where", "\"name == nil and hei")
        == ["name == nil and height"])
    #expect(
      try offered("count", "people.sqlite", "person", "--where", "\"name beg")
        == ["name beginswith"])
    #expect(
      try offered("fetch", "people.sqlite", "person", "--sort", "born,he") == ["born,height"])
  }
}
