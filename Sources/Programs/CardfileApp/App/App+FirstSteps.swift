import TerminalApplications
import TerminalKit

extension App {
  /// What a person who starts the program for the first time may try.
  private var firstSteps: [String] {
    let steps: [[(action: Action, text: String)]] = [
      [(.open, "opens"), (.quit, "goes back, at last out")],
      [(.filter, "filters as you type"), (.jumpToSection, "goes to a letter"), (.sort, "sorts")],
      [(.help, "shows every key and runs it"), (.save, "saves, nothing else does")],
    ]
    return steps.enumerated().map { index, steps in
      let parts = steps.compactMap { step in
        session.keyName(of: step.action).map { "\($0) \(step.text)" }
      }
      return ((index == 0 ? ["↓ ↑ move"] : []) + parts).joined(separator: "    ")
    }
  }

  /// Draws the first steps above the status line, until the first key.
  func drawFirstSteps(in canvas: inout Canvas) {
    let signs = canvas.signs
    let lines = firstSteps.map { signs.own($0) }
    let width = lines.reduce(0) { max($0, displayWidth(of: $1)) } + 4
    guard canvas.width >= width, canvas.height >= lines.count + 9 else { return }
    let frame = Rect(
      x: (canvas.width - width) / 2, y: canvas.height - lines.count - 4, width: width,
      height: lines.count + 2)
    canvas.box(frame, title: "To begin with", style: canvas.theme.frame)
    for (index, line) in lines.enumerated() {
      canvas.put(line, x: frame.minX + 2, y: frame.minY + 1 + index)
    }
  }
}
