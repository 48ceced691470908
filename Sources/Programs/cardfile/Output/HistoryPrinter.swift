import Foundation
import ObjectModel
import SQLiteStore
import RowOutput

/// Prints the transactions of a store's persistent history in one format.
///
/// A long transaction is passed in several pieces; ``HistoryTransaction/isContinuation`` is true
/// for all but the first.
protocol HistoryPrinter {
  mutating func write(_ transaction: HistoryTransaction, to output: inout StandardOutput) throws
  /// Called once, after the last transaction.
  mutating func finish(_ output: inout StandardOutput) throws
}

extension HistoryTransaction.Change {
  /// The kind of change in a word.
  var word: String {
    switch kind {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
    case .unknown(let number): "kind \(number)"
    }
  }
}

/// Prints a table with one line per change; a transaction's own columns are in its first line.
struct HistoryTablePrinter: HistoryPrinter {
  private var table = TextTable(
    columns: [
      .init(title: "No", isNumeric: true), .init(title: "When (UTC)", isNumeric: false),
      .init(title: "Author", isNumeric: false), .init(title: "Bundle", isNumeric: false),
      .init(title: "Change", isNumeric: false), .init(title: "Object", isNumeric: false),
      .init(title: "Properties", isNumeric: false),
    ], widestCell: 120)

  mutating func write(_ transaction: HistoryTransaction, to output: inout StandardOutput) throws {
    var head = ["", "", "", ""]
    if !transaction.isContinuation {
      head = [
        "\(transaction.number)", transaction.date.map { Value.date($0).description } ?? "",
        transaction.author ?? "", transaction.bundle ?? transaction.process ?? "",
      ]
      if transaction.changes.isEmpty { try table.write(head + ["", "", ""], to: &output) }
    }
    for change in transaction.changes {
      try table.write(
        head + [change.word, "\(change.entityName) p\(change.key)", properties(of: change)],
        to: &output)
      head = ["", "", "", ""]
    }
  }

  mutating func finish(_ output: inout StandardOutput) throws { try table.finish(&output) }

  /// Returns the properties changed by an update, or the tombstone values kept by a deletion.
  private func properties(of change: HistoryTransaction.Change) -> String {
    var words = change.changedProperties
    if change.unknownPropertyCount > 0 {
      words.append("\(change.unknownPropertyCount) not in the model")
    }
    words += change.tombstone.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return words.joined(separator: ", ")
  }
}

/// Prints one JSON object per line and transaction.
struct HistoryJSONPrinter: HistoryPrinter {
  private var isOpen = false
  private var hasChanges = false

  mutating func write(_ transaction: HistoryTransaction, to output: inout StandardOutput) throws {
    if !transaction.isContinuation { try begin(transaction, to: &output) }
    for change in transaction.changes {
      output.bytes.append(contentsOf: (hasChanges ? "," : "").utf8)
      hasChanges = true
      append(change, to: &output.bytes)
      try output.flushIfLarge()
    }
  }

  mutating func finish(_ output: inout StandardOutput) throws {
    if isOpen { try output.writeUnchanged("]}") }
    isOpen = false
  }

  private mutating func begin(
    _ transaction: HistoryTransaction, to output: inout StandardOutput
  ) throws {
    try finish(&output)
    (isOpen, hasChanges) = (true, false)
    let facts: [(String, Value)] = [
      ("transaction", .integer(transaction.number)),
      ("date", transaction.date.map(Value.date) ?? .null),
      ("author", transaction.author.map(Value.string) ?? .null),
      ("bundle", transaction.bundle.map(Value.string) ?? .null),
      ("process", transaction.process.map(Value.string) ?? .null),
      ("context", transaction.contextName.map(Value.string) ?? .null),
    ]
    append(facts, to: &output.bytes)
    output.bytes.append(contentsOf: ",\"changes\":[".utf8)
  }

  private func append(_ change: HistoryTransaction.Change, to bytes: inout [UInt8]) {
    append(
      [
        ("kind", .string(change.word)), ("entity", .string(change.entityName)),
        ("key", .integer(change.key)),
        ("objectID", change.objectID.map { .string($0.uriRepresentation) } ?? .null),
      ], to: &bytes)
    bytes.append(contentsOf: ",\"properties\":[".utf8)
    for (index, name) in change.changedProperties.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONText.append(name, to: &bytes)
    }
    bytes.append(
      contentsOf: "],\"unknownProperties\":\(change.unknownPropertyCount),\"tombstone\":".utf8)
    let kept = change.tombstone.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    if kept.isEmpty { bytes.append(UInt8(ascii: "{")) } else { append(kept, to: &bytes) }
    bytes.append(contentsOf: "}}".utf8)
  }

  /// Appends `{"first":1,"second":2` without the closing brace.
  private func append(_ facts: [(String, Value)], to bytes: inout [UInt8]) {
    for (index, (name, value)) in facts.enumerated() {
      bytes.append(UInt8(ascii: index == 0 ? "{" : ","))
      JSONText.append(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      JSONText.append(ValueForm.forJSON(value), to: &bytes)
    }
  }
}
