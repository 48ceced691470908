import TerminalKit

/// A data source over sections of numbers that records which cells are requested.
@MainActor
final class ListDataSource: TableViewDataSource {
  var sections: [[Int]]
  var hasHeaders = true
  var requestedCells: [TablePath] = []

  init(_ sections: [[Int]]) {
    self.sections = sections
  }

  func numberOfSections(in tableView: TableView) -> Int { sections.count }

  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].count
  }

  func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
    requestedCells.append(path)
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
  /// Creates a table over a list, and draws it once so that it knows its height.
  static func over(
    _ source: ListDataSource, on table: TableView = TableView(), width: Int = 30, height: Int = 10
  ) -> TableView {
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
