/// Which new objects of a migration were made of which objects of the store, by which mapping.
struct MigrationAssociations {
  private struct Association {
    let source: ObjectID
    let object: Int32
    let mapping: Int32
    /// The next association of the source, and of the object; -1 for none.
    var nextOfSource: Int32 = -1
    var nextOfObject: Int32 = -1
  }

  private var associations: [Association] = []
  private var ofSource: [ObjectID: (first: Int32, last: Int32)] = [:]
  /// The first association of each object; -1 for none.
  private var ofObject: [Int32] = []
  private var byMapping: [[Int32]] = []
  private var mappings: [String: Int32] = [:]

  mutating func add(_ object: Int32, of source: ObjectID, by mapping: String) {
    let own = Int32(associations.count)
    let number = mappings[mapping] ?? Int32(mappings.count)
    if number == mappings.count {
      mappings[mapping] = number
      byMapping.append([])
    }
    associations.append(Association(source: source, object: object, mapping: number))
    byMapping[Int(number)].append(own)
    if let known = ofSource[source] {
      associations[Int(known.last)].nextOfSource = own
      ofSource[source] = (known.first, own)
    } else {
      ofSource[source] = (own, own)
    }
    while ofObject.count <= object { ofObject.append(-1) }
    guard ofObject[Int(object)] >= 0 else { return ofObject[Int(object)] = own }
    var last = ofObject[Int(object)]
    while associations[Int(last)].nextOfObject >= 0 { last = associations[Int(last)].nextOfObject }
    associations[Int(last)].nextOfObject = own
  }

  /// What was made of an object, by a mapping; nil for all.
  func objects(of source: ObjectID, by mapping: String?) -> [Int32] {
    guard var next = ofSource[source]?.first else { return [] }
    let number = mapping.map { mappings[$0] ?? -1 }
    var found: [Int32] = []
    while next >= 0 {
      let association = associations[Int(next)]
      if number == nil || association.mapping == number { found.append(association.object) }
      next = association.nextOfSource
    }
    return found
  }

  /// What an object was made of.
  func sources(of object: Int32) -> [ObjectID] {
    var found: [ObjectID] = []
    var next = ofObject.indices.contains(Int(object)) ? ofObject[Int(object)] : -1
    while next >= 0 {
      found.append(associations[Int(next)].source)
      next = associations[Int(next)].nextOfObject
    }
    return found
  }

  /// What a mapping has made, in its order.
  func numbers(of mapping: String) -> [Int32] {
    mappings[mapping].map { byMapping[Int($0)] } ?? []
  }

  func source(_ number: Int32) -> ObjectID { associations[Int(number)].source }
  func object(_ number: Int32) -> Int32 { associations[Int(number)].object }
}
