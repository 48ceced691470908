import TerminalKit

/// The summary of a column; Enter on a value or a step shows only the rows that have it.
final class SummaryOverlay: ItemOverlay {
  private let title: String
  private let lines: [SummaryLine]
  private let choose: (String) -> Void
  private var list = PanelList()

  /// Shows a summary.
  ///
  /// - Parameters:
  ///   - title: The name of the column.
  ///   - lines: The lines.
  ///   - choose: Called with the condition of the line that was chosen.
  init(title: String, lines: [SummaryLine], choose: @escaping (String) -> Void) {
    (self.title, self.lines, self.choose) = (title, lines, choose)
  }

  private var texts: [String] { lines.map { "\($0.label) \($0.text)" } }

  func handle(_ key: Key) -> OverlayReply {
    if list.handle(key, texts) { return .stay }
    switch key {
    case .enter, .right, .character("l"):
      guard let line = list.item(texts), let condition = lines[line].condition else {
        return .stay
      }
      return .perform { [choose] in choose(condition) }
    case .escape, .character("q"), .character("="), .left, .control("c"): return .close
    default: return .stay
    }
  }

  func paste(_ text: String) { list.paste(text) }

  func press(_ item: Int, isDouble: Bool) -> OverlayReply {
    list.setCursor(on: item, texts)
    return isDouble ? handle(.enter) : .stay
  }

  private static let widestLabel = 32
  private static let barWidth = 24

  func draw(in canvas: inout Canvas) -> Point? {
    let signs = canvas.signs
    func width(of kind: SummaryLine.Kind, _ text: (SummaryLine) -> String, atMost: Int) -> Int {
      lines.filter { $0.kind == kind }.reduce(0) {
        min(max($0, displayWidth(of: signs.visible(text($1), columns: atMost))), atMost)
      }
    }
    let names = width(of: .fact, \.label, atMost: Self.widestLabel)
    let facts = width(of: .fact, \.text, atMost: canvas.width)
    let labels = width(of: .share, \.label, atMost: Self.widestLabel)
    let counts = width(of: .share, \.text, atMost: 12)
    let wanted = max(names + facts + 7, labels + counts + Self.barWidth + 10, 40)
    let height = min(canvas.height, lines.count + 2 + (list.filter.prompt == nil ? 0 : 1))
    let hint = "   \(signs.enter) only these, / narrow"
    return canvas.withinCenteredBox(
      width: min(canvas.width, wanted), height: height, title: title + hint
    ) { part in
      let labelWidth = max(min(labels, part.width - counts - 8), 1)
      // On a narrow screen the value comes first.
      let nameWidth = min(names, max(part.width - 3 - facts, part.width / 3, 1))
      return list.draw(texts, in: &part) { item, y, style, part in
        let line = lines[item]
        switch line.kind {
        case .heading:
          part.put(line.label, x: 2, y: y, style: style == .plain ? part.theme.dim : style)
        case .fact:
          part.putField(line.label, x: 2, y: y, columns: nameWidth, style: style)
          let x = nameWidth + (nameWidth < names ? 3 : 5)
          part.putField(
            line.text, x: x, y: y, columns: max(part.width - x - 1, 0), style: style)
        case .share:
          part.putField(line.label, x: 4, y: y, columns: labelWidth, style: style)
          part.putField(
            line.text, x: labelWidth + 5, y: y, columns: counts, alignment: .right, style: style)
          let room = part.width - labelWidth - counts - 8
          guard room > 0 else { return }
          let length = Int((line.part * Double(room)).rounded(.up))
          part.put(
            String(repeating: signs.bar, count: length), x: labelWidth + counts + 6, y: y,
            style: style)
        }
      }
    }
  }
}
