import ManagedObjects
import ObjectModel
import TerminalKit

extension DetailScreen {
  /// Follows the relationship or the foreign key, or opens the value under the cursor.
  func follow() -> ScreenOutcome {
    guard let contents, let row = currentRow else { return .done }
    let entity = object.entity
    switch row.property {
    case .relationship(let name):
      if let relationship = entity.relationship(named: name) { return follow(relationship) }
    case .attribute(let name):
      let leading = entity.toOneRelationships.first { $0.foreignKeyAttributes.contains(name) }
      let lines = entity.attribute(named: name).map(contents.description) ?? []
      if let leading {
        return follow(leading)
      } else if !lines.isEmpty {
        return .present(TextOverlay(name, lines: lines))
      } else {
        session.message = .failed("\(name) is not a relationship; Enter follows relationships")
      }
    case .identity: session.message = .failed("Enter follows relationships")
    }
    return .done
  }

  private func follow(_ relationship: RelationshipDescription) -> ScreenOutcome {
    let path = path + [session.context.displayName(of: objectID), relationship.name]
    if relationship.isToMany {
      return openList(of: relationship, path: path)
    } else if let id = object.objectID(forKey: relationship.name) {
      guard session.context.object(with: id).isAccessible else {
        session.message = .failed("\(relationship.name) leads to an object that does not exist")
        return .done
      }
      return .push(DetailScreen(id, path: path, neighbours: nil, session: session))
    } else {
      session.message = .failed("\(relationship.name) is NULL")
    }
    return .done
  }

  /// Opens the objects of a to-many relationship.
  private func openList(of relationship: RelationshipDescription, path: [String]) -> ScreenOutcome {
    guard let entity = session.model.entity(named: relationship.destinationEntityName) else {
      session.message = .failed("There is no entity \(relationship.destinationEntityName)")
      return .done
    }
    do {
      let scope = try RelationshipScope.predicate(
        of: relationship, from: object, in: session.model)
      return .push(
        ListScreen(
          entity,
          scope: .init(
            predicate: scope, path: path, inverseName: relationship.inverseName,
            source: .init(objectID: objectID, relationship: relationship)),
          session: session))
    } catch {
      session.report(error)
      return .done
    }
  }
}
