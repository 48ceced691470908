import Testing

@testable import TerminalKit

/// Sections of one row each, with titles of their own.
@MainActor
private final class Titles: TableViewDataSource {
  let titles: [String]

  init(_ titles: [String]) { self.titles = titles }

  func numberOfSections(in tableView: TableView) -> Int { titles.count }
  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { 1 }
  func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
    TableCell("object")
  }
  func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
    titles[section]
  }
  func sectionIndexTitles(for tableView: TableView) -> [String] { titles }
}

@MainActor
@Suite struct SectionTitleTests {
  /// The first and the last title of the strip on a screen of 80×24.
  private func strip(_ titles: [String]) -> (first: String, last: String, width: Int) {
    let source = Titles(titles)
    let table = TableView()
    table.dataSource = source
    table.reloadData()
    let lines = table.picture(width: 80, height: 24).lines.prefix(table.drawn.strip.count)
    let start = table.drawn.stripStart
    return (
      String(lines.first?.dropFirst(start) ?? ""), String(lines.last?.dropFirst(start) ?? ""),
      80 - start
    )
  }

  @Test(arguments: [
    ((1...200).map { "Section \($0 + 100)" }, "101", "300"),
    ((1...200).map { "https://example.com/a/\($0 + 100)" }, "101", "300"),
    (["Anna", "Annika", "Anton"], "Anna", "Anto"),
    (["#", "Track 10", "Track 11", "Track 12"], "#", "12"),
    (["2024-01", "2024-02", "2025-01"], "2024-01", "2025-01"),
    (["internationalisation", "internationalist"], "a", "t"),
    (["only one title"], "only on…", "only on…"),
  ])
  func `the strip leaves out what its titles have in common`(
    _ titles: [String], _ first: String, _ last: String
  ) {
    let strip = strip(titles)
    #expect(strip.first == first)
    #expect(strip.last == last)
  }

  @Test func `a long title does not widen the strip beyond 8 cells`() {
    let strip = strip(["2023", "2024", "2025", "-1234567-08-09T10:11:12.000Z"])
    #expect(strip.first == "2023")
    #expect(strip.last == "-123456…")
    #expect(strip.width == 8)
  }

  @Test(arguments: [[[1], [2], [3], [4], [5], [6]], [[1, 2], [3, 4], [5, 6], [7, 8]]])
  func `a pinned header does not hide the last row of its section`(_ sections: [[Int]]) throws {
    let source = ListDataSource(sections)
    let table = TableView.over(source, height: 4)
    let last = try #require(sections.first?.count)
    table.scroll(byLines: last)
    let picture = table.picture(height: 4)
    #expect(picture.lines.first?.contains("object \(last)") == true)
    #expect(
      table.hit(at: Point(x: 5, y: 0)) == .row(TablePath(section: 0, row: last - 1)))
    // Over a row with another one below it the header stays.
    table.scroll(byLines: -1)
    #expect(table.picture(height: 4).lines.first?.contains("S0") == true)
    #expect(table.hit(at: Point(x: 5, y: 0)) == .header(0))
  }

  @Test func `g and G go to the first and the last key of the help`() {
    let help = HelpOverlay("list", map: testKeys)
    _ = help.handle(.character("G"))
    let last = help.selected
    #expect(last == testKeys.commands.count - 1)
    _ = help.handle(.character("g"))
    #expect(help.selected == 0)
    _ = help.handle(.end)
    #expect(help.selected == last)
  }
}
