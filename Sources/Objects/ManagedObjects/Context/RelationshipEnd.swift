import ObjectModel

/// One end of a relationship: an object and the name of its relationship.
struct RelationshipEnd: Hashable, Sendable {
  let id: ObjectID
  let name: String

  init(_ id: ObjectID, _ name: String) {
    self.id = id
    self.name = name
  }
}

extension RelationshipEnd: Comparable {
  static func < (lhs: RelationshipEnd, rhs: RelationshipEnd) -> Bool {
    lhs.id == rhs.id ? lhs.name < rhs.name : lhs.id < rhs.id
  }
}
