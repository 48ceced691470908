import ObjectModel
import SQLQueries

extension ServerSave {
  /// The insertions, each after those that it refers to.
  var orderedInsertions: [RowChange] {
    let indices = Dictionary(
      firstOf: request.inserted.indices.map { (request.inserted[$0].id, $0) })
    var ordered: [RowChange] = []
    var isSeen = request.inserted.map { _ in false }
    for start in request.inserted.indices where !isSeen[start] {
      // The objects on the way, each with those that it waits for; no recursion, for long chains.
      var path: [(index: Int, waitsFor: [Int])] = []
      func enter(_ index: Int) {
        isSeen[index] = true
        let change = request.inserted[index]
        let table = store.schema.layout.tables[change.id.entityName]
        path.append(
          (
            index,
            change.toOne.compactMap { name, destination in
              table?.toOne[name]?.isInverse == false ? destination.flatMap { indices[$0] } : nil
            }
          ))
      }
      enter(start)
      while let last = path.last {
        if let next = last.waitsFor.last {
          path[path.count - 1].waitsFor.removeLast()
          if !isSeen[next] { enter(next) }
        } else {
          ordered.append(request.inserted[last.index])
          path.removeLast()
        }
      }
    }
    return ordered
  }

  /// The deletions, those of entities that refer to others first.
  var orderedDeletions: [RowDeletion] {
    let names = request.deletedEntityNames
    var depths: [String: Int] = [:]
    // As often as there are entities: longer chains are circles.
    for _ in names {
      for name in names {
        let parents = (store.model.entity(named: name)?.relationships ?? [])
          .filter { !$0.isToMany && !$0.foreignKeyAttributes.isEmpty }
          .map(\.destinationEntityName).filter { $0 != name && names.contains($0) }
        depths[name] = min((parents.map { depths[$0] ?? 0 }.max() ?? -1) + 1, names.count)
      }
    }
    return request.deleted.enumerated().sorted {
      let (left, right) = (
        depths[$0.element.id.entityName] ?? 0, depths[$1.element.id.entityName] ?? 0
      )
      return left != right ? left > right : $0.offset < $1.offset
    }.map(\.element)
  }
}
