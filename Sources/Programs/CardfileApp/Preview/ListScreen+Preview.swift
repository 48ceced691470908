import TerminalKit

extension ListScreen {
  /// Shows or hides the object under the cursor beside the list.
  func togglePreview() {
    session.showsPreview.toggle()
    guard session.showsPreview else {
      preview.stop()
      return
    }
    if ListPreview.columns(on: session.screenWidth) == 0 {
      session.message = .done(
        "The preview needs \(ListPreview.smallestWidth) columns: it is shown on a wider screen")
    }
  }

  /// Draws the list, with the preview beside it where that is on and there is room.
  func drawBody(in canvas: inout Canvas) {
    let columns = session.showsPreview ? ListPreview.columns(on: canvas.width) : 0
    let list = Rect(x: 0, y: 0, width: canvas.width - columns, height: canvas.height)
    canvas.within(list) { drawList(in: &$0) }
    guard columns > 0 else { return }
    canvas.within(
      Rect(x: list.maxX, y: 0, width: columns, height: canvas.height)
    ) { preview.draw(cursorID, in: &$0) }
  }
}
