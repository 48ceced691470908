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
    guard let model = model(of: words),
      let entity = words.lazy.compactMap(model.entity(named:)).first
    else { return [] }
    let names = entity.attributes.map(\.name) + entity.toOneRelationships.map(\.name)
    let before = typed.lastIndex(of: ",").map { String(typed[...$0]) } ?? ""
    return matching(typed, names.map { before + $0 })
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
