import Foundation
import Testing

@testable import TerminalKit

/// The colours of the themes, on the backgrounds that terminals have.
@Suite struct ThemeTests {
  /// The least contrast of text that WCAG 2.2 allows at level AA.
  private static let least = 4.5

  struct Case: CustomTestStringConvertible, Sendable {
    let background: TerminalBackground
    let support: ColorSupport
    /// The background as the terminal shows it.
    let paper: Color

    var testDescription: String { "\(support) on \(paper)" }
    var theme: Theme { Theme(support, on: background) }
  }

  /// Black and white, and backgrounds of common themes of terminals. Those choose their own colours
  /// too where there are 16 or fewer, so xterm's are looked at.
  static let cases: [Case] = ColorSupport.allCases.filter { $0 > .none }.flatMap { support in
    let isFixed = support >= .palette
    return (["#000000"] + (isFixed ? ["#1e1e1e", "#282c34", "#20242c"] : [])).compactMap(Color.init)
      .map { Case(background: .dark, support: support, paper: $0) }
      + (["#ffffff"] + (isFixed ? ["#fdf6e3", "#fafafa"] : [])).compactMap(Color.init)
      .map { Case(background: .light, support: support, paper: $0) }
  }

  private func luminance(_ color: Color) -> Double {
    guard let parts = color.components else { return 0 }
    let linear = [parts.red, parts.green, parts.blue].map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  /// The contrast of text in a style, of 1 to 21.
  private func contrast(_ style: Style, _ look: Case) -> Double {
    let text: Color = look.background == .dark ? .indexed(7) : .indexed(0)
    var ink = luminance(style.foreground == .standard ? text : style.foreground)
    var paper = luminance(style.background == .standard ? look.paper : style.background)
    if style.attributes.contains(.reverse) { swap(&ink, &paper) }
    return (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05)
  }

  @Test func `the contrast of black on white is 21, and of the same colour 1`() throws {
    let look = try #require(Self.cases.first { $0.background == .light })
    #expect(abs(contrast(.plain, look) - 21) < 0.01)
    #expect(abs(contrast(Style(foreground: .red, background: .red), look) - 1) < 0.01)
    let gray = Style(foreground: .indexed(243))
    #expect(abs(contrast(gray, look) - 4.6) < 0.1)
  }

  @Test(arguments: cases) func `each style of a theme can be read`(_ look: Case) {
    for (name, path) in Theme.elements {
      let style = look.theme[keyPath: path]
      #expect(contrast(style, look) >= Self.least, "\(name): \(style)")
      #expect(!style.attributes.contains(.dim), "Nobody knows how dim \(name) is.")
    }
  }

  @Test(arguments: cases) func `each field of each kind of row can be read`(_ look: Case) {
    let theme = look.theme
    let flashes = [nil, theme.flashInserted, theme.flashUpdated, theme.flashMoved]
    for (flag, isCursor, isSelected, flash) in combinations(flashes) {
      var cell = TableCell()
      cell.style = .columns
      cell.flag = flag
      cell.fields = [
        TableCell.Field("title"), TableCell.Field("dim", style: theme.dim),
        TableCell.Field("match", matches: [0..<5]),
      ]
      var canvas = Canvas(
        size: Size(width: 40, height: 1), look: Look(theme: theme, signs: .unicode))
      RowDrawing(
        cell: cell, line: 0, y: 0, isCursor: isCursor, isSelected: isSelected, rowHeight: 1,
        flash: flash
      ).draw(
        (0..<3).map { ColumnField(column: $0, x: $0 * 10, width: 8, alignment: .left) },
        marked: 0, in: &canvas)
      for x in 0..<40 where canvas[x, 0].character != " " {
        let style = canvas[x, 0].style
        #expect(
          contrast(style, look) >= Self.least,
          "\(flag) cursor \(isCursor) selected \(isSelected) column \(x): \(style)")
      }
    }
  }

  private func combinations(_ flashes: [Style?]) -> [(TableCell.Flag, Bool, Bool, Style?)] {
    [TableCell.Flag.none, .deleted, .changed, .inserted].flatMap { flag in
      [false, true].flatMap { isCursor in
        [false, true].flatMap { isSelected in
          flashes.map { (flag, isCursor, isSelected, $0) }
        }
      }
    }
  }

  @Test func `all styles of a theme can be chosen`() {
    let theme = Theme(.palette)
    let styles = Mirror(reflecting: theme).children.count { $0.value is Style }
    #expect(styles == Theme.elements.count)
    #expect(Set(Theme.elements.map(\.path)).count == styles)
    #expect(Set(Theme.elements.map(\.name)).count == styles)
  }

  @Test(arguments: [
    "plain", "bold", "bold underline red on #102030", "reverse color208", "cyan on white",
    "strikethrough #ffffff",
  ])
  func `a style is read as it is written`(text: String) {
    #expect((try? Style(text))?.description == text)
  }

  @Test(arguments: ["purple", "bold on", "color256", "#12345", "red on blues"])
  func `a word that is no part of a style is refused`(text: String) {
    // “on” alone leaves the background as it is.
    #expect(((try? Style(text)) == nil) == (text != "bold on"))
  }
}
