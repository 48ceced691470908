/// A dialog with a few answers; Enter and Esc choose the last one, cancel.
@MainActor
package final class QuestionOverlay: Overlay {
  /// An answer and what it does.
  package struct Answer {
    let key: Character
    let label: String
    /// Whether a number must be typed before it can be chosen.
    let isGuarded: Bool
    /// Whether the question stays open.
    let staysOpen: Bool
    let action: () -> Void

    package init(
      key: Character, label: String, isGuarded: Bool = false, staysOpen: Bool = false,
      action: @escaping () -> Void
    ) {
      (self.key, self.label, self.isGuarded) = (key, label, isGuarded)
      (self.staysOpen, self.action) = (staysOpen, action)
    }
  }

  package private(set) var dialog: Dialog
  private let answers: [Answer]
  package var dropsTypeAhead: Bool { true }

  /// Asks a question, with answers besides cancel, and a confirmation that must be typed before a
  /// guarded answer.
  package init(
    _ title: String, lines: [Dialog.Line], answers: [Answer],
    confirmation: String? = nil, cancel: (() -> Void)? = nil
  ) {
    self.answers = answers + [Answer(key: "n", label: "cancel", action: cancel ?? {})]
    dialog = Dialog(
      title, lines: lines,
      buttons: self.answers.map {
        Dialog.Button($0.key, $0.label, requiresConfirmation: $0.isGuarded)
      },
      confirmation: confirmation)
  }

  package func draw(in canvas: inout Canvas) -> Point? {
    for line in dialog.lines.indices {
      dialog.lines[line].text = canvas.signs.own(dialog.lines[line].text)
    }
    return dialog.draw(in: &canvas)
  }

  package func paste(_ text: String) { dialog.paste(text) }

  package func handle(_ key: Key) -> OverlayReply {
    guard let index = dialog.handle(key), answers.indices.contains(index) else { return .stay }
    guard answers[index].staysOpen else { return .perform(answers[index].action) }
    answers[index].action()
    return .stay
  }
}
