import CNcurses
import TerminalKit

/// Finds ncurses' number for a style, and remembers it.
struct ColorPairs {
  /// A style as ncurses takes it.
  struct Rendition {
    let attributes: attr_t
    let pair: Int32
  }

  private var known: [Style: Rendition] = [:]

  /// Gives the rendition of a style that was degraded to the terminal already.
  mutating func rendition(of style: Style, support: ColorSupport) -> Rendition {
    if let rendition = known[style] { return rendition }
    // Rows may bring colours of their own without end; ncurses forgets old pairs by itself.
    if known.count > 4096 { known = [:] }
    let shown = style.degraded(to: support)
    let rendition = Rendition(attributes: attributes(of: shown), pair: pair(of: shown, support))
    known[style] = rendition
    return rendition
  }

  private func attributes(of style: Style) -> attr_t {
    let all: [(TextAttributes, attr_t)] = [
      (.bold, CN_BOLD), (.dim, CN_DIM), (.reverse, CN_REVERSE), (.underline, CN_UNDERLINE),
      (.italic, CN_ITALIC),
    ]
    return all.reduce(0) { style.attributes.contains($1.0) ? $0 | $1.1 : $0 }
  }

  private func pair(of style: Style, _ support: ColorSupport) -> Int32 {
    guard support > .none, style.foreground != .standard || style.background != .standard else {
      return 0
    }
    return max(alloc_pair(number(of: style.foreground), number(of: style.background)), 0)
  }

  /// On a terminal with exact colours the number of a colour is its value.
  private func number(of color: Color) -> Int32 {
    switch color {
    case .standard: -1
    case .indexed(let index): Int32(index)
    case .rgb(let red, let green, let blue): Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
    }
  }
}
