import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The page of the object under the cursor beside its list, or below it on a narrow screen.
///
/// It is drawn from rows in memory. What needs a query comes when the cursor has rested: titles of
/// other objects, and numbers of objects, which are counted in the background.
final class ListPreview {
  /// The width from which there is room for it beside the list.
  private static let smallestWidth = 100
  /// The least height of the list and the pane together.
  private static let smallestHeight = 16
  /// What is said where there is no room for it; title, message and hints take three lines more.
  static let needs = "The preview needs \(smallestWidth) columns or \(smallestHeight + 3) lines"
  /// How long the cursor rests, in milliseconds, before anything is read.
  private static let rest = 150

  private let session: Session
  /// The numbers of objects of to-many relationships.
  private var counts: [String: Int] = [:]
  private var counting: BackgroundJob<(name: String, count: Int)>?
  private var id: ObjectID?
  private var restsFrom = 0
  /// Whether what needs a query is read for the present object.
  private var isRead = false
  private var readRevision = 0

  init(session: Session) { self.session = session }

  /// Where the pane is in the space of the list: at the right, or below; nil where there is no room.
  static func frame(in size: Size) -> Rect? {
    if size.width >= smallestWidth {
      let columns = min(size.width * 2 / 5, 90)
      return Rect(x: size.width - columns, y: 0, width: columns, height: size.height)
    }
    guard size.height >= smallestHeight else { return nil }
    let lines = size.height * 2 / 5
    return Rect(x: 0, y: size.height - lines, width: size.width, height: lines)
  }

  /// Milliseconds until something is read; nil for nothing to do.
  var delay: Int? {
    guard id != nil, !isRead else { return nil }
    return max(restsFrom + Self.rest - session.clock(), 0)
  }

  /// Stops counting.
  func stop() {
    forgetCounts()
    (id, isRead) = (nil, false)
  }

  private func forgetCounts() {
    counting?.cancel()
    (counting, counts) = (nil, [:])
  }

  /// Draws the page of an object; nil for a list without rows.
  ///
  /// - Parameters:
  ///   - new: The object.
  ///   - isBelow: Whether a line above the page parts it from the list, and not one at its left.
  ///   - canvas: Where to draw.
  func draw(_ new: ObjectID?, isBelow: Bool, in canvas: inout Canvas) {
    if isBelow {
      canvas.rule(x: 0, y: 0, columns: canvas.width, style: canvas.theme.headerRule)
    } else {
      for y in 0..<canvas.height {
        canvas.put(canvas.signs.vertical, x: 0, y: y, style: canvas.theme.headerRule)
      }
    }
    follow(new)
    counting?.takeResults()
    guard let id else { return }
    if !isRead, delay == 0 { read(id) }
    let left = isBelow ? 0 : 1
    let body = Rect(x: left, y: 0, width: canvas.width - left, height: canvas.height)
    canvas.within(body) { part in
      let object = session.context.object(with: id)
      let title = part.signs.cut(session.context.displayName(of: id), to: part.width - 4)
      part.put(" \(title) ", x: 1, y: 0, style: part.theme.title)
      let contents = DetailContents(
        object, session: session,
        options: .init(hidesEmpty: true, known: .init(counts: counts, isRead: isRead)),
        columns: part.width, signs: part.signs)
      let top = isBelow ? 1 : 2
      for (line, y) in zip(contents.lines.indices, top..<max(part.height, top)) {
        contents.draw(line, isCursor: false, isFirst: false, highlighting: [], y: y, in: &part)
      }
    }
  }

  /// Notes which object the cursor is on, and that it may have changed.
  private func follow(_ new: ObjectID?) {
    guard new != id || readRevision != session.revision else { return }
    id = new
    readRevision = session.revision
    isRead = false
    restsFrom = session.clock()
    forgetCounts()
  }

  /// Reads the objects that the present one leads to, and counts in the background.
  private func read(_ id: ObjectID) {
    isRead = true
    let object = session.context.object(with: id)
    let entity = object.entity
    do {
      try session.context.prefetch(
        Set(entity.toOneRelationships.compactMap { object.objectID(forKey: $0.name) }))
      let store = session.store
      let toMany = entity.relationships.filter {
        $0.isToMany && $0.inverseName != nil && !object.isInserted
      }
      let plans = try toMany.map { relationship in
        let predicate = try RelationshipScope.predicate(
          of: relationship, from: object, in: session.model)
        return (
          name: relationship.name,
          plan: FetchPlan(entityName: relationship.destinationEntityName, predicate: predicate)
        )
      }
      counting = BackgroundJob(waker: session.waker) { control, give in
        for (name, plan) in plans {
          if let count = try? store.count(plan, control: control) { give((name, count)) }
        }
      } handle: { [weak self] in
        self?.counts[$0.name] = $0.count
      }
    } catch {
      // Once the cursor has rested again, there may be no lock any more.
      (isRead, restsFrom) = (false, session.clock())
      session.report(error)
    }
  }
}

extension ListScreen {
  /// Shows or hides the object under the cursor beside the list.
  func togglePreview() {
    session.showsPreview.toggle()
    guard session.showsPreview else {
      preview.stop()
      return
    }
    if let app, ListPreview.frame(in: ScreenLayout(app.size).body.size) == nil {
      show(ListPreview.needs)
    }
  }
}
