import TerminalKit

/// A list of sections of numbers, that counts what it is asked for.
@MainActor
final class ListDataSource: TableViewDataSource {
  var sections: [[Int]]
  var hasHeaders = true
  var askedCells: [TablePath] = []

  init(_ sections: [[Int]]) {
    self.sections = sections
  }

  func numberOfSections(in tableView: TableView) -> Int { sections.count }

  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].count
  }

  func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
    askedCells.append(path)
    return TableCell("object \(sections[path.section][path.row])")
  }

  func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
    hasHeaders ? "S\(section)" : nil
  }

  func sectionIndexTitles(for tableView: TableView) -> [String] {
    hasHeaders ? sections.indices.map { "S\($0)" } : []
  }
}

extension TableView {
  /// A table over a list, drawn once so that it knows its height.
  static func over(_ source: ListDataSource, width: Int = 30, height: Int = 10) -> TableView {
    let table = TableView()
    table.dataSource = source
    table.reportInvalidUpdate = { _ in }
    table.clock = { 0 }
    table.reloadData()
    _ = table.picture(width: width, height: height)
    return table
  }

  func picture(width: Int = 30, height: Int = 10, look: Look = TestTerminal.color.look) -> Canvas {
    var canvas = Canvas(size: Size(width: width, height: height), look: look)
    draw(in: &canvas)
    return canvas
  }
}
