import ManagedObjects
import ObjectModel
import TerminalKit

/// The page of one object: attributes, relationships, identity.
final class DetailScreen: Screen {
  /// The list that the object was opened from.
  struct Neighbours {
    /// The index of an object in the list and the number of objects; nil if it is not in the list.
    let place: (ObjectID) -> (place: Int, count: Int)?
    /// The object at a distance from another; nil beyond the ends.
    let step: (ObjectID, Int) -> ObjectID?
    /// Moves the list's cursor to an object.
    let show: (ObjectID) -> Void
  }

  let session: Session
  private let path: [String]
  private let neighbours: Neighbours?
  private(set) var objectID: ObjectID
  private var page = LineScroll()
  private var contents: DetailContents?
  /// The revision and the width that ``contents`` were made for.
  private var contentsKey: [Int] = []
  private var bodyTop = 0
  private(set) var hardwareCursor: Point?

  init(_ objectID: ObjectID, path: [String], neighbours: Neighbours?, session: Session) {
    self.objectID = objectID
    self.path = path
    self.neighbours = neighbours
    self.session = session
  }

  private var object: ManagedObject { session.context.object(with: objectID) }

  var keys: KeyTable { .detail }
  var helpTitle: String { "\(objectID.entityName) object" }

  var title: TitleLine {
    var facts: [String] = []
    if let (place, count) = neighbours?.place(objectID) {
      facts.append("\(groupedDigits(place + 1)) of \(groupedDigits(count))  ◂ K  J ▸")
    }
    return TitleLine(path: path + [session.context.displayName(of: objectID)], facts: facts)
  }

  var status: ScreenStatus {
    var status = ScreenStatus()
    let object = object
    let name = object.displayName
    if session.marks.contains(objectID) {
      status.text = "\(name) is marked for deletion — x takes the mark off"
    } else if object.isDeleted {
      status.text = "\(name) is deleted, not saved"
    } else if object.isInserted {
      status.text = "\(name) is new, not saved"
    } else if object.isUpdated {
      let keys = object.changedKeys.sorted().joined(separator: ", ")
      status.text = "\(keys) changed, not saved"
    } else if !object.isAccessible {
      status.text = "This object was deleted from the store"
    } else if let contents, contents.items.indices.contains(page.cursor) {
      status.text = contents.explanation(of: contents.items[page.cursor].item)
    }
    let counters = session.flagCounters
    status.counters = counters.isEmpty ? "" : "unsaved \(counters)"
    return status
  }

  // MARK: Keys

  func perform(_ action: Action, count: Int?) -> ScreenOutcome {
    switch action {
    case .rowDown, .rowUp, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .last:
      page.move(action, count: count ?? 1)
    case .open: return follow()
    case .nextObject: step(by: count ?? 1)
    case .previousObject: step(by: -(count ?? 1))
    case .delete: return .markForDeletion([objectID])
    case .unmark: return .unmark([objectID])
    case .row: return showRow()
    case .refresh:
      contents = nil
      return .passOn
    default: return .passOn
    }
    return .done
  }

  private func step(by count: Int) {
    guard let neighbours, let next = neighbours.step(objectID, count) else {
      session.message = .failed("There is no \(count > 0 ? "next" : "previous") object")
      return
    }
    objectID = next
    contents = nil
    neighbours.show(next)
  }

  /// Follows the relationship or opens the value under the cursor.
  private func follow() -> ScreenOutcome {
    guard let contents, contents.items.indices.contains(page.cursor) else { return .done }
    let entity = object.entity
    switch contents.items[page.cursor].item {
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
          scope: .init(predicate: scope, path: path, inverseName: relationship.inverseName),
          session: session))
    } catch {
      session.report(error)
      return .done
    }
  }

  func handle(_ event: MouseEvent) -> ScreenOutcome {
    page.handle(event, pageTop: bodyTop)
    return event.kind == .doublePress ? follow() : .done
  }

  func appear() { contents = nil }

  func storeChanged() { contents = nil }

  // MARK: Drawing

  func drawBody(in canvas: inout Canvas) {
    hardwareCursor = nil
    let air = canvas.height >= 12 ? 1 : 0
    bodyTop = air + 1
    let key = [session.revision, canvas.width]
    if contents == nil || contentsKey != key {
      contents = DetailContents(
        object, session: session, columns: canvas.width, signs: canvas.signs)
      contentsKey = key
    }
    guard let contents else { return }
    page.setPage(items: contents.items.map(\.lines), lineCount: contents.lines.count)
    page.setHeight(canvas.height - air)
    let body = Rect(x: 0, y: air, width: canvas.width, height: canvas.height - air)
    let current =
      contents.items.indices.contains(page.cursor) ? contents.items[page.cursor].lines : 0..<0
    canvas.within(body) { part in
      for y in 0..<page.height where contents.lines.indices.contains(page.top + y) {
        let line = page.top + y
        contents.draw(line, isCursor: current.contains(line), y: y, in: &part)
        if line == current.lowerBound { hardwareCursor = Point(x: 0, y: bodyTop + y) }
      }
    }
  }
}
