import ObjectModel
import SQLQueries

/// The part of a schema because of which a statement cannot be compiled: SQLite names what is
/// missing, but not the trigger, view or constraint that needs it.
struct SchemaCulprit {
  /// What is missing, as SQLite says it.
  private struct Missing {
    /// The words of SQLite before the name.
    let words: String
    /// What it is, as in "calls the function f".
    let need: String
    /// What is wrong with it.
    let state: String

    static let all = [
      Missing(words: "no such function: ", need: "calls the function", state: unavailable),
      Missing(words: "unknown function: ", need: "calls the function", state: unavailable),
      Missing(
        words: "no such collation sequence: ", need: "needs the collation", state: unavailable),
      Missing(words: "no such module: ", need: "needs the module", state: unavailable),
      Missing(words: "unknown tokenizer: ", need: "needs the tokenizer", state: unavailable),
      Missing(words: "no such tokenizer: ", need: "needs the tokenizer", state: unavailable),
      Missing(words: "no such table: ", need: "refers to the table", state: gone),
      Missing(words: "no such view: ", need: "refers to the view", state: gone),
      Missing(words: "no such column: ", need: "refers to the column", state: gone),
    ]

    private static let unavailable = "which is not available here"
    private static let gone = "which does not exist"
  }

  /// The sentence, such as “the trigger t of album calls the function f, which is not available
  /// here”.
  let detail: String
  /// What to do about it.
  let remedy: String

  /// Finds what needs the thing that an error says is missing; nil if the error is another, or
  /// nothing in the schema names the thing.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - tables: The tables that the statement was to change or to read: what is theirs comes
  ///     first.
  ///   - connection: A connection.
  init?(of error: StoreError, tables: Set<String>, on connection: Connection) {
    guard
      let (missing, range) = Missing.all.lazy.compactMap({ missing in
        error.detail.firstRange(of: missing.words).map { (missing, $0) }
      }).first
    else { return nil }
    let named = error.detail[range.upperBound...].prefix { !$0.isWhitespace && !"()".contains($0) }
    // "main.gone" and "NEW.gone" are written as `gone` where they are needed.
    let name = named.split(separator: ".").last.map(String.init) ?? ""
    guard !name.isEmpty, let found = Self.first(needing: name, tables, on: connection) else {
      return nil
    }
    detail = "\(found.phrase) \(missing.need) \(name), \(missing.state)"
    remedy =
      "change it with the program that made the database"
      + (found.type == "table" ? "" : ", or DROP \(found.type.uppercased()) \(found.name)")
  }

  private struct Part {
    let type: String
    let name: String
    let table: String

    var phrase: String {
      switch type {
      case "trigger", "index": "the \(type) \(name) of \(table)"
      case "table": "the declaration of \(name)"
      default: "the \(type) \(name)"
      }
    }
  }

  /// The first part of the schema with a name in its text, those of some tables before others and
  /// triggers before indexes.
  private static func first(needing name: String, _ tables: Set<String>, on connection: Connection)
    -> Part?
  {
    let sql: SQL = """
      SELECT s.type, s.name, s.tbl_name, s.sql FROM main.sqlite_schema s \
      WHERE instr(lower(s.sql), lower(\(.string(name)))) \
      ORDER BY s.type <> 'trigger', s.type <> 'view', s.type, s.name
      """
    var first: Part?
    for row in (try? connection.rows(sql, doing: "reading the schema")) ?? [] {
      guard let text = row[3].text, text.hasWord(name) else { continue }
      let part = Part(type: row[0].text ?? "", name: row[1].text ?? "", table: row[2].text ?? "")
      // The declaration of what is missing itself needs nothing.
      if part.name.isSameName(as: name) { continue }
      if tables.contains(part.table.nameKey) { return part }
      first = first ?? part
    }
    return first
  }
}

extension String {
  /// Whether a word is somewhere in the text, not as a part of a longer word; the case of ASCII
  /// letters is ignored.
  fileprivate func hasWord(_ word: String) -> Bool {
    let (text, word) = (Array(nameKey.utf8), Array(word.nameKey.utf8))
    guard !word.isEmpty, text.count >= word.count else { return false }
    func isWordByte(_ index: Int) -> Bool {
      guard text.indices.contains(index) else { return false }
      let byte = text[index]
      return byte >= 0x80 || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
        || (0x61...0x7A).contains(byte)
    }
    return (0...text.count - word.count).contains { start in
      text[start..<start + word.count].elementsEqual(word) && !isWordByte(start - 1)
        && !isWordByte(start + word.count)
    }
  }
}

extension StoreError {
  /// The error, naming the part of the schema that needs what is missing, if there is one.
  func namingCulprit(tables: Set<String>, on connection: Connection) -> StoreError {
    guard reason == .other,
      let culprit = SchemaCulprit(of: self, tables: tables, on: connection)
    else { return self }
    var named = self
    (named.detail, named.remedy, named.sql) = (culprit.detail, culprit.remedy, "")
    return named
  }
}
