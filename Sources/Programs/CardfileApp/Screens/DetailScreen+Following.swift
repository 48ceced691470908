import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension DetailScreen {
  /// Follows the relationship or the foreign key, or opens the value under the cursor.
  func follow() {
    guard let row = currentRow else { return }
    let entity = object.entity
    switch row.property {
    case .relationship(let name):
      if let relationship = entity.relationship(named: name) { return follow(relationship) }
    case .attribute(let name):
      if let leading = entity.toOneRelationships.first(where: {
        $0.foreignKeyAttributes.contains(name)
      }) {
        return follow(leading)
      }
      if let attribute = entity.attribute(named: name) { return view(attribute) }
    case .identity(let name): show("\(name) leads nowhere" + session.advice((.copy, "copies it")))
    }
  }

  /// Opens the value of an attribute in the viewer, whole.
  private func view(_ attribute: AttributeDescription) {
    let name = attribute.name
    let content: ValueContent
    do {
      switch try object.wholeValue(forKey: name) {
      case .string(let text): content = .text(text)
      case .url(let url): content = .text(url.absoluteString)
      case .data(let data):
        if let file = attribute.externalFileName(in: object.storedValue(forKey: name)) {
          return fail("The file \(file) with the value of \(name) is missing")
        }
        content = .bytes(data)
      case .null:
        return show("\(name) is NULL")
      default:
        return show(
          "\(name) is \(ValueText.withArticle(ValueText.typeName(attribute.type))): "
            + "there is nothing more to open")
      }
    } catch {
      session.report(error)
      return
    }
    let path = steps + [session.context.displayName(of: objectID), name]
    app?.push(ViewerScreen(content, path: path, session: session))
  }

  private func follow(_ relationship: RelationshipDescription) {
    let path = steps + [session.context.displayName(of: objectID), relationship.name]
    if relationship.isToMany {
      return openList(of: relationship, path: path)
    } else if let id = object.objectID(forKey: relationship.name) {
      guard session.context.object(with: id).isAccessible || session.context.isUnread(id) else {
        return fail("\(relationship.name) leads to an object that does not exist")
      }
      app?.push(DetailScreen(id, path: path, neighbours: nil, session: session))
    } else if object.danglingID(forKey: relationship.name) != nil {
      fail("\(relationship.name) leads to an object that does not exist")
    } else {
      fail("\(relationship.name) is NULL")
    }
  }

  /// Opens the objects of a to-many relationship.
  private func openList(of relationship: RelationshipDescription, path: [String]) {
    guard let entity = session.model.entity(named: relationship.destinationEntityName) else {
      return fail("There is no entity \(relationship.destinationEntityName)")
    }
    do {
      let scope = try RelationshipScope.predicate(
        of: relationship, from: object, in: session.model)
      app?.push(
        ListScreen(
          entity,
          scope: .init(
            predicate: scope, path: path, inverseName: relationship.inverseName,
            source: .init(objectID: objectID, relationship: relationship)),
          session: session))
    } catch {
      session.report(error)
    }
  }
}
