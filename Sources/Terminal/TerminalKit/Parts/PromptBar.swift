/// A line of text typed at the bottom of a screen: what to find, the name of a file.
@MainActor
package final class PromptBar: BottomBar {
  /// The title of the rule above the line.
  private let title: String
  /// What the keys do, at the right of the rule.
  private let keys: String
  package private(set) var prompt: Prompt
  /// A remark under the line, such as an error; empty for none.
  package var note = ""

  package init(
    _ title: String, label: String, text: String = "", history: [String] = [], keys: String
  ) {
    self.title = title
    self.keys = keys
    prompt = Prompt(label: label, text: text, history: history)
  }

  /// The typed text.
  package var text: String { prompt.text }

  /// Handles a key press.
  package func handle(_ key: Key) -> Prompt.Outcome { prompt.handle(key) }

  /// Inserts pasted text.
  package func paste(_ text: String) { prompt.paste(text) }

  package var height: Int { 3 }

  package func draw(in canvas: inout Canvas) -> Point? {
    let y = canvas.height - 2
    if canvas.height >= 3 { canvas.promptRule(title, keys: keys, y: y - 1) }
    let point = prompt.draw(in: &canvas, y: max(y, 0))
    let note = note.isEmpty ? prompt.pasteNote ?? "" : note
    if canvas.height >= 2, !note.isEmpty {
      canvas.put(
        canvas.signs.cut(canvas.signs.own(note), to: canvas.width - 4), x: 3, y: y + 1,
        style: canvas.theme.error)
    }
    return point
  }
}
