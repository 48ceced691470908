import Foundation
import TerminalApplications
import TerminalKit

extension ViewerScreen {
  /// Shows what `y` offers: the value, the part under the cursor.
  func copy() {
    let form = forms[current]
    var choices: [CopyOverlay.Choice] = [
      .init(key: "y", label: "all") { ("the value", Self.text(form.content)) }
    ]
    if let part = form.view.current {
      choices.append(.init(key: "c", label: "this part") { ("this part", Self.text(part)) })
    }
    app?.present(CopyOverlay(choices, session: session))
  }

  /// A text as it is, bytes in base64.
  private static func text(_ content: ValueContent) -> String {
    switch content {
    case .text(let text): text
    case .bytes(let data): data.base64EncodedString()
    }
  }
}
