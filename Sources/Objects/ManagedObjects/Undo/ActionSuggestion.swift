/// The default name of an undo group, made from what was done in it.
struct ActionSuggestion {
  enum Verb: Int { case change, insert, delete }

  var verb: Verb
  var entityName: String
  var name: String
  var count = 1

  /// Combines two: the sum if both are of the same kind, else the more important one (delete,
  /// insert, change).
  func joined(with other: ActionSuggestion) -> ActionSuggestion {
    guard verb == other.verb else { return verb.rawValue > other.verb.rawValue ? self : other }
    if verb == .change, entityName == other.entityName, name == other.name { return self }
    var joined = self
    joined.count += other.count
    joined.entityName = entityName == other.entityName ? entityName : "objects"
    return joined
  }

  var title: String {
    let word =
      switch verb {
      case .change: "Change"
      case .insert: "Insert"
      case .delete: "Delete"
      }
    return count == 1 ? "\(word) \(name)" : "\(word) \(count) \(entityName)"
  }
}
