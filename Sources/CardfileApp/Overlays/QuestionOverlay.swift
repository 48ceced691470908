import TerminalKit

/// A dialog with a few answers; Enter and Esc choose the last one, cancel.
final class QuestionOverlay: Overlay {
  /// An answer and what it does.
  struct Answer {
    let key: Character
    let label: String
    /// Whether a number must be typed before it can be chosen.
    var isGuarded = false
    let reply: () -> OverlayReply
  }

  private(set) var dialog: TerminalKit.Dialog
  private let answers: [Answer]
  var dropsTypeAhead: Bool { true }

  /// Asks a question, with answers besides cancel, and a confirmation that must be typed before a
  /// guarded answer.
  init(
    _ title: String, lines: [Dialog.Line], answers: [Answer],
    confirmation: String? = nil, cancel: (() -> Void)? = nil
  ) {
    let safe = Answer(key: "n", label: "cancel") { cancel.map { .perform($0) } ?? .close }
    self.answers = answers + [safe]
    dialog = Dialog(
      title, lines: lines,
      buttons: self.answers.map {
        Dialog.Button($0.key, $0.label, requiresConfirmation: $0.isGuarded)
      },
      confirmation: confirmation)
  }

  func draw(in canvas: inout Canvas) -> Point? {
    var shown = dialog
    for line in shown.lines.indices {
      shown.lines[line].text = canvas.signs.own(shown.lines[line].text)
    }
    return shown.draw(in: &canvas)
  }

  func handle(_ key: Key) -> OverlayReply {
    guard let place = dialog.handle(key), answers.indices.contains(place) else { return .stay }
    return answers[place].reply()
  }
}
