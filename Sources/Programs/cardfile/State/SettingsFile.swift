import CardfileApp
import Foundation
import ObjectModel
import Yams

/// The settings file, `config.yaml` in the program's folder of the user's config.
struct SettingsFile {
  /// A value in the file.
  struct Entry: Hashable {
    /// The name of the setting: names of nested maps are joined by dots.
    var name: String
    var text: String
    /// The line, counted from 1.
    var line: Int
  }

  /// What is wrong in the file.
  struct Problem: Error, Hashable {
    var path: String
    /// The line, counted from 1; nil for the file as a whole.
    var line: Int?
    var message: String

    /// The message for the person, which begins with the file and the line.
    var text: String { line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)" }
  }

  /// The most values of a file: more come from a mistake, such as aliases within aliases.
  private static let limit = 10_000

  let url: URL

  init(url: URL = UserDirectory.config.folder.appendingPathComponent("config.yaml")) {
    self.url = url
  }

  /// The settings of the file on top of the defaults, and what is wrong with it.
  ///
  /// A value that is wrong leaves its setting as it is; the others are used.
  @MainActor func settings() -> (settings: Settings, problems: [Problem]) {
    var settings = Settings()
    var problems: [Problem] = []
    do {
      let entries = try entries()
      let wrong = settings.set(
        entries.map { .init($0.name, to: $0.text, from: .file(path: url.path, line: $0.line)) })
      problems = wrong.map { problem($0.error, at: entries[$0.index].line) }
    } catch {
      problems.append(error)
    }
    return (settings, problems)
  }

  private func problem(_ error: TypedTextError, at line: Int) -> Problem {
    var message = error.message
    if let near = error.suggestions.first {
      message += "; write \(near)"
    } else if !error.expected.isEmpty {
      message += "; write \(error.expected)"
    }
    return Problem(path: url.path, line: line, message: message)
  }

  /// The values in the order of the file; none if there is no file.
  func entries() throws(Problem) -> [Entry] {
    let data: Data?
    do {
      data = try PrivateFile(url: url).read()
    } catch {
      throw Problem(path: url.path, message: "it cannot be read: \(error.reason)")
    }
    guard let data else { return [] }
    guard let text = String(data: data, encoding: .utf8) else {
      throw Problem(path: url.path, message: "it is not UTF-8")
    }
    guard Self.aliasCount(in: text) <= Self.mostAliases else {
      throw Problem(path: url.path, message: "there are too many aliases (*NAME) in it")
    }
    let node: Node?
    do {
      node = try Yams.compose(yaml: text)
    } catch {
      throw problem(error)
    }
    guard let node, node.null == nil else { return [] }
    var entries: [Entry] = []
    try add(node, name: "", depth: 0, to: &entries)
    return entries
  }

  /// The most aliases of a file.
  ///
  /// Yams reads what an alias stands for each time anew, and in keys
  /// before anything of it can be counted: aliases within aliases would take for ever.
  private static let mostAliases = 12

  /// How many words look like an alias; also in comments and texts, which only Yams tells apart.
  private static func aliasCount(in text: String) -> Int {
    let bytes = Array(text.utf8)
    return bytes.indices.count { index in
      guard bytes[index] == UInt8(ascii: "*"), index + 1 < bytes.count, bytes[index + 1] > 0x20
      else { return false }
      return index == 0 || bytes[index - 1] <= 0x20 || " ,[{:?-".utf8.contains(bytes[index - 1])
    }
  }

  private func problem(_ error: any Error) -> Problem {
    switch error as? YamlError {
    case .scanner(_, let text, let mark, _), .parser(_, let text, let mark, _),
      .composer(_, let text, let mark, _):
      return Problem(path: url.path, line: mark.line, message: "\(text); write NAME: VALUE")
    case .duplicatedKeysInMapping(let keys, let context):
      let names = keys.joined(separator: ", ")
      return Problem(
        path: url.path, line: context.mark.line,
        message: "\(names) is there twice; write it once")
    default: return Problem(path: url.path, message: "it is not YAML; write NAME: VALUE")
    }
  }

  private func add(_ node: Node, name: String, depth: Int, to entries: inout [Entry])
    throws(Problem)
  {
    let line = node.mark?.line
    guard depth < 8, entries.count < Self.limit else {
      throw Problem(path: url.path, line: line, message: "there is too much in it")
    }
    switch node {
    case .mapping(let mapping):
      for (key, value) in mapping {
        guard let part = key.string else {
          throw Problem(
            path: url.path, line: key.mark?.line, message: "a name is no text; write NAME: VALUE")
        }
        try add(
          value, name: name.isEmpty ? part : "\(name).\(part)", depth: depth + 1, to: &entries)
      }
    case .scalar(let scalar) where !name.isEmpty:
      entries.append(Entry(name: name, text: scalar.string, line: line ?? 1))
    case .sequence(let items) where !name.isEmpty:
      let texts = items.prefix(100).compactMap(\.string)
      guard texts.count == items.count else {
        throw Problem(
          path: url.path, line: line, message: "\(name) is a list of lists; write words")
      }
      entries.append(Entry(name: name, text: texts.joined(separator: " "), line: line ?? 1))
    default:
      throw Problem(path: url.path, line: line, message: "there is no name; write NAME: VALUE")
    }
  }
}
