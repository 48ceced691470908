import ObjectModel
import RowOutput
import Transfers

/// Prints the differences of two stores as they are found: lines for people, or JSON.
struct DifferencePrinter {
  let format: ListFormat
  /// The models of the stores, for names of objects.
  let models: (old: ManagedObjectModel, new: ManagedObjectModel)
  private(set) var (added, removed, changed) = (0, 0, 0)

  init(_ format: ListFormat, from old: ManagedObjectModel, to new: ManagedObjectModel) {
    self.format = format
    models = (old, new)
  }

  private static let longest = 60

  mutating func write(
    _ change: StoreDifference.Change, to output: inout StandardOutput
  ) throws {
    switch change {
    case .added(let row):
      added += 1
      try write("added", "+", row.id, name(of: row, in: models.new), [], to: &output)
    case .removed(let row):
      removed += 1
      try write("removed", "-", row.id, name(of: row, in: models.old), [], to: &output)
    case .changed(let id, let changes):
      changed += 1
      try write("changed", "~", id, "", changes, to: &output)
    }
  }

  private func write(
    _ word: String, _ sign: String, _ id: ObjectID, _ name: String,
    _ changes: [StoreDifference.PropertyChange], to output: inout StandardOutput
  ) throws {
    guard format == .json else {
      try output.writeLine("\(sign) \(id)\(name.isEmpty ? "" : "  \(name)")")
      for change in changes {
        try output.writeLine("    \(change.name): \(text(change.old)) → \(text(change.new))")
      }
      return
    }
    var bytes = Array("{\"change\":\"\(word)\",\"object\":".utf8)
    JSONText.append(id.uriRepresentation, to: &bytes)
    if !changes.isEmpty {
      for (index, change) in changes.enumerated() {
        bytes.append(contentsOf: (index == 0 ? ",\"properties\":{" : ",").utf8)
        JSONText.append(change.name, to: &bytes)
        bytes.append(contentsOf: ":[".utf8)
        append(change.old, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        append(change.new, to: &bytes)
        bytes.append(UInt8(ascii: "]"))
      }
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(UInt8(ascii: "}"))
    try output.writeUnchanged(String(decoding: bytes, as: UTF8.self))
  }

  /// The number of differences, in one line.
  var summary: String {
    [(added, "added"), (removed, "removed"), (changed, "changed")].filter { $0.0 > 0 }
      .map { "\(Value.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  /// What an object is known by, of its first text.
  private func name(of row: RowSnapshot, in model: ManagedObjectModel) -> String {
    guard let entity = model.entity(named: row.id.entityName) else { return "" }
    let names = entity.displayCandidates.lazy.compactMap(entity.attributeIndex)
    guard let index = names.first(where: { !row.values.isNull(at: $0) }) else { return "" }
    return cut(entity.attributes[index].decode(row.values[index]).description)
  }

  private func text(_ side: StoreDifference.Side) -> String {
    switch side {
    case .value(.null): "NULL"
    case .value(.string(let text)): "“\(cut(text))”"
    case .value(let value): cut(value.description)
    case .long(let count): "\(Value.grouped(count)) bytes"
    case .objects(let ids):
      ids.isEmpty ? "nothing" : cut(ids.map(\.description).joined(separator: ", "))
    }
  }

  private func cut(_ text: String) -> String {
    text.count > Self.longest ? text.prefix(Self.longest - 1) + "…" : text
  }

  private func append(_ side: StoreDifference.Side, to bytes: inout [UInt8]) {
    switch side {
    case .value(let value): JSONText.append(ValueForm.forJSON(value), to: &bytes)
    case .long(let count): bytes.append(contentsOf: "{\"bytes\":\(count)}".utf8)
    case .objects(let ids): JSONText.append(ids, to: &bytes)
    }
  }
}
