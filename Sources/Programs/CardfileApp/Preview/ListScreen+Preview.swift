import TerminalApplications
import TerminalKit

extension ListScreen {
  /// Shows or hides the object under the cursor beside the list.
  func togglePreview() {
    session.showsPreview.toggle()
    guard session.showsPreview else {
      preview.stop()
      return
    }
    if let app, ListPreview.columns(on: app.size.width) == 0 {
      say(
        "The preview needs \(ListPreview.smallestWidth) columns: it is shown on a wider screen")
    }
  }
}
