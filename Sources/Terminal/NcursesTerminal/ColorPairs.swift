import CNcurses
import TerminalKit

/// Converts styles to ncurses attributes and colour pairs, with a cache.
struct ColorPairs {
  /// A style in ncurses' terms.
  struct Rendition {
    let attributes: attr_t
    let pair: Int32
  }

  private var cache: [Style: Rendition] = [:]

  /// Returns the rendition of the nearest style that the terminal can show.
  mutating func rendition(of style: Style, support: ColorSupport) -> Rendition {
    if let rendition = cache[style] { return rendition }
    // Rows may use any number of colours. `alloc_pair` recycles old pairs itself.
    if cache.count > 4096 { cache = [:] }
    let shown = style.degraded(to: support)
    let rendition = Rendition(attributes: attributes(of: shown), pair: pair(of: shown, support))
    cache[style] = rendition
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

  /// Returns ncurses' colour number: -1 for the default, the palette index, or the RGB value on a
  /// terminal with direct colour.
  private func number(of color: Color) -> Int32 {
    switch color {
    case .standard: -1
    case .indexed(let index): Int32(index)
    case .rgb(let red, let green, let blue): Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
    }
  }
}
