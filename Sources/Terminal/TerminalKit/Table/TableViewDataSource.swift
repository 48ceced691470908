/// Provides the sections and rows of a table.
///
/// Cells are requested for visible rows only, so the cost does not depend on the number of rows.
/// Counts are requested when the table is reloaded or a batch update is applied.
@MainActor
public protocol TableViewDataSource: AnyObject {
  /// Returns the number of sections; by default 1.
  func numberOfSections(in tableView: TableView) -> Int
  /// Returns the number of rows in a section.
  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int
  /// Returns the contents of a row; called for visible rows only, each time they are drawn.
  func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell
  /// Returns the title in a section's header; by default nil.
  ///
  /// Nil for the first section means that the table has no headers at all.
  func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String?
  /// Returns the text at the right of a section's header; by default the number of its rows.
  func tableView(_ tableView: TableView, detailForHeaderInSection section: Int) -> String?
  /// Returns the text below a section's rows; by default nil.
  ///
  /// Nil for the first section means that the table has no footers at all.
  func tableView(_ tableView: TableView, titleForFooterInSection section: Int) -> String?
  /// Returns the titles of the index strip from top to bottom; by default empty, for no strip.
  func sectionIndexTitles(for tableView: TableView) -> [String]
  /// Returns the section that a title of the index strip leads to.
  ///
  /// By default the section with the same index as the title.
  func tableView(_ tableView: TableView, sectionForSectionIndexTitle title: String, at index: Int)
    -> Int
}

extension TableViewDataSource {
  /// Returns 1.
  public func numberOfSections(in tableView: TableView) -> Int { 1 }
  /// Returns nil, for no headers.
  public func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
    nil
  }
  /// Returns the number of rows, such as `1,234`.
  public func tableView(_ tableView: TableView, detailForHeaderInSection section: Int) -> String? {
    groupedDigits(tableView.numberOfRows(inSection: section))
  }
  /// Returns nil, for no footers.
  public func tableView(_ tableView: TableView, titleForFooterInSection section: Int) -> String? {
    nil
  }
  /// Returns an empty array, for no index strip.
  public func sectionIndexTitles(for tableView: TableView) -> [String] { [] }
  /// Returns the index of the title.
  public func tableView(
    _ tableView: TableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int { index }
}
