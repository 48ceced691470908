import TerminalKit

/// All sections of a list with their counts and bars; Enter goes to one.
final class SectionsOverlay: ItemOverlay {
  /// A section.
  struct Section {
    let title: String
    /// How many rows it has; nil if that is not known.
    let count: Int?
  }

  private let sections: () -> (sections: [Section], isComplete: Bool)
  private let choose: (Int) -> Void
  private var list = PanelList()
  private var isPlaced = false
  private let current: Int

  /// Shows sections.
  ///
  /// - Parameters:
  ///   - current: The section of the cursor.
  ///   - sections: The sections, and whether all of them are fetched; asked at each drawing.
  ///   - choose: Called with the section to go to.
  init(
    current: Int, sections: @escaping () -> (sections: [Section], isComplete: Bool),
    choose: @escaping (Int) -> Void
  ) {
    self.current = current
    self.sections = sections
    self.choose = choose
  }

  private var titles: [String] { sections().sections.map(\.title) }

  func handle(_ key: Key) -> OverlayReply {
    let titles = titles
    if list.handle(key, titles) { return .stay }
    switch key {
    case .enter, .right, .character("l"):
      guard let section = list.item(titles) else { return .stay }
      return .perform { [choose] in choose(section) }
    case .escape, .character("q"), .character("#"), .left, .control("c"): return .close
    default: return .stay
    }
  }

  func paste(_ text: String) { list.paste(text) }

  func press(_ item: Int, isDouble: Bool) -> OverlayReply {
    list.setCursor(on: item, titles)
    return handle(.enter)
  }

  func draw(in canvas: inout Canvas) -> Point? {
    let (sections, isComplete) = sections()
    let titles = sections.map(\.title)
    if !isPlaced {
      isPlaced = true
      list.setCursor(on: current, titles)
    }
    let signs = canvas.signs
    let widest = titles.prefix(1000).reduce(8) {
      max($0, displayWidth(of: signs.visible($1, columns: 40)))
    }
    let most = sections.compactMap(\.count).max() ?? 0
    let digits = groupedDigits(most).utf8.count
    let width = min(canvas.width, max(min(widest, 40) + digits + 32, 40))
    let height = min(canvas.height, sections.count + 2 + (list.filter.prompt == nil ? 0 : 1))
    let count = counted(sections.count, "section")
    let title =
      "\(count)\(isComplete ? "" : " so far")   \(signs.enter) go there, / narrow"
    return canvas.withinCenteredBox(width: width, height: height, title: title) { part in
      let titleWidth = max(min(widest, part.width - digits - 8), 1)
      let room = part.width - titleWidth - digits - 6
      return list.draw(titles, in: &part) { item, y, style, part in
        let section = sections[item]
        part.putField(section.title, x: 2, y: y, columns: titleWidth, style: style)
        part.putField(
          section.count.map(groupedDigits) ?? "", x: titleWidth + 3, y: y, columns: digits,
          alignment: .right,
          style: style)
        guard room > 0, most > 0, let count = section.count else { return }
        let length = (count * room + most - 1) / most
        part.put(
          String(repeating: signs.bar, count: length), x: titleWidth + digits + 5, y: y,
          style: style)
      }
    }
  }
}
