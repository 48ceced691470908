import ArgumentParser
import ObjectModel
import SQLiteStore

/// What the shell's Tab completes from the store that stands before in the command line.
enum StoreCompletion {
  /// The names of its entities.
  static let entities = CompletionKind.custom { words, _, typed in
    matching(typed, model(of: words)?.entities.map(\.name) ?? [])
  }

  /// The names of the attributes and to-one relationships of the entity that stands there too; after
  /// a comma the next one.
  static let properties = CompletionKind.custom { words, _, typed in
    guard let (_, entity) = entity(of: words) else { return [] }
    let names = entity.attributes.map(\.name) + entity.toOneRelationships.map(\.name)
    let before = typed.lastIndex(of: ",").map { String(typed[...$0]) } ?? ""
    return matching(typed, names.map { before + $0 })
  }

  /// What can stand at the end of a predicate on that entity: its names, operators, functions.
  static let condition = CompletionKind.custom { words, _, typed in
    guard let (model, entity) = entity(of: words) else { return [] }
    // The shell passes the quote that the predicate is begun with, and keeps it.
    let text = typed.first.map { "\"'".contains($0) } == true ? String(typed.dropFirst()) : typed
    let found = PredicateCompletion(before: text, for: entity, in: model)
    let (before, word) = (text.dropLast(found.typedCount), text.suffix(found.typedCount))
    let ends = found.written.isEmpty ? [found.completion].compactMap(\.self) : found.written
    // The shell takes only what begins as it was typed; operators are read in any case.
    return ends.map { before + ($0.hasPrefix(word) ? $0 : $0.lowercased()) }
  }

  private static func entity(of words: [String]) -> (ManagedObjectModel, EntityDescription)? {
    guard let model = model(of: words),
      let entity = words.lazy.compactMap(model.entity(named:)).first
    else { return nil }
    return (model, entity)
  }

  private static func matching(_ typed: String, _ names: [String]) -> [String] {
    names.filter { $0.hasPrefix(typed) }.sorted()
  }

  private static func model(of words: [String]) -> ManagedObjectModel? {
    guard let path = words.dropFirst().first(where: { StoreFileKind(path: $0) != nil }) else {
      return nil
    }
    var options = SQLiteStore.Options()
    options.isReadOnly = true
    return try? SQLiteStore.open(path: path, options: options).model
  }
}
