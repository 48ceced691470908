import ManagedObjects
import TerminalApplications
import TerminalKit

/// The choices after `y`: what is copied.
final class CopyOverlay: Overlay, BottomBar {
  /// A text that can be copied.
  struct Choice {
    let key: Character
    let label: String
    /// What is copied, named for the message; the text is made when it is chosen.
    let make: () throws -> (what: String, text: String)
  }

  private let choices: [Choice]
  private let session: Session

  init(_ choices: [Choice], session: Session) {
    self.choices = choices
    self.session = session
  }

  private var hints: [Hint] {
    choices.map { Hint(String($0.key), $0.label) } + [Hint("Esc", "cancel")]
  }

  // MARK: BottomBar

  var bottomBar: (any BottomBar)? { self }

  var height: Int { Self.lines(hints, width: (session.app?.size.width ?? 80) - 2).count + 1 }

  func draw(in canvas: inout Canvas) -> Point? {
    canvas.rule(x: 0, y: 0, columns: canvas.width - 1, style: canvas.theme.headerRule)
    canvas.put(" Copy ", x: 1, y: 0, style: canvas.theme.headerTitle)
    for (y, line) in Self.lines(hints, width: canvas.width - 2).enumerated() {
      var x = 1
      for hint in line {
        x += canvas.put(hint.key, x: x, y: y + 1, style: canvas.theme.hintKey)
        x += canvas.put(" " + hint.text, x: x, y: y + 1) + 3
      }
    }
    return canvas.height > 1 ? Point(x: 1, y: 1) : nil
  }

  /// The hints in as many lines as they need.
  private static func lines(_ hints: [Hint], width: Int) -> [[Hint]] {
    var lines: [[Hint]] = [[]]
    var used = 0
    for hint in hints {
      let columns = displayWidth(of: "\(hint.key) \(hint.text)")
      if used + columns > width, used > 0 {
        lines.append([])
        used = 0
      }
      lines[lines.count - 1].append(hint)
      used += columns + 3
    }
    return lines
  }

  func handle(_ key: Key) -> OverlayReply {
    guard case .character(let character) = key,
      let choice = choices.first(where: { $0.key == character })
    else {
      if case .character("q") = key { return .close }
      if case .character = key {
        let keys = choices.map { String($0.key) }.joined(separator: " ")
        return .perform { [session] in
          let first = session.keyName(of: .copy) ?? ""
          session.app?.message = .failed("\(first) \(key) copies nothing — after \(first): \(keys)")
        }
      }
      return .close
    }
    return .perform { [session] in
      session.app?.persistently("Copying", refusal: "Not copied") {
        // A value that cannot be read is not copied as an empty one.
        let (what, text) = try session.context.throwingReports(choice.make)
        session.app?.message = session.clipboard.copy(text, what: what)
      }
    }
  }
}
