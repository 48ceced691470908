package import ObjectModel
package import TerminalKit

/// The object under the cursor, and the position of cursor and window.
package struct ListCursor {
  package var id: ObjectID
  package var position: TableView.Position

  package init(id: ObjectID, position: TableView.Position) {
    (self.id, self.position) = (id, position)
  }
}
