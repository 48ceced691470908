import TerminalKit

@MainActor
extension TypedTextError {
  /// What is wrong and what Tab or the person can do about it, in one line.
  var note: String {
    if let mended = suggestions.first { return "\(message); Tab: \(mended)" }
    return expected.isEmpty ? message : "\(message): \(expected)"
  }

  /// Draws carets under the wrong part of a prompt's text, and the note beside them.
  func draw(under prompt: Prompt, y: Int, in canvas: inout Canvas) {
    let count = prompt.text.count
    let range = range.clamped(to: 0..<count)
    let start = prompt.column(of: min(self.range.lowerBound, count), in: canvas) ?? 3
    let after = prompt.column(of: range.upperBound, in: canvas) ?? canvas.width
    let caret = String(repeating: "^", count: max(min(after, canvas.width - 2) - start, 1))
    let end = start + caret.count + 1
    let note = canvas.signs.own(note)
    let columns = displayWidth(of: canvas.signs.visible(note))
    let style = canvas.theme.error
    canvas.put(caret, x: start, y: y, style: style)
    if end + columns < canvas.width || start < columns + 4 {
      canvas.put(canvas.signs.cut(note, to: canvas.width - end - 1), x: end, y: y, style: style)
    } else {
      // There is more room before the caret than after it.
      canvas.put(note, x: start - columns - 1, y: y, style: style)
    }
  }
}
