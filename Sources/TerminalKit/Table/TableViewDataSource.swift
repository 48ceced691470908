/// Gives a table its sections and rows.
///
/// The table asks for the rows that it draws and no others, so a list of millions costs no more
/// than its visible rows. Counts are asked for when the table is reloaded or a batch is applied.
@MainActor
public protocol TableViewDataSource: AnyObject {
  /// How many sections there are.
  func numberOfSections(in tableView: TableView) -> Int
  /// How many rows a section has.
  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int
  /// What a row shows.
  func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell
  /// The title in the header of a section.
  ///
  /// Nil for the first section means that the table has no headers.
  func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String?
  /// The text at the right of a section's header; by default the number of its rows.
  func tableView(_ tableView: TableView, detailForHeaderInSection section: Int) -> String?
  /// The text below a section; nil for the first section means that the table has no footers.
  func tableView(_ tableView: TableView, titleForFooterInSection section: Int) -> String?
  /// The titles of the index strip, from top to bottom; empty for no strip.
  func sectionIndexTitles(for tableView: TableView) -> [String]
  /// The section that a title of the index strip leads to.
  ///
  /// By default the section at the title's own place.
  func tableView(_ tableView: TableView, sectionForSectionIndexTitle title: String, at index: Int)
    -> Int
}

extension TableViewDataSource {
  /// One section.
  public func numberOfSections(in tableView: TableView) -> Int { 1 }
  /// No headers.
  public func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
    nil
  }
  /// The number of rows in groups of three digits.
  public func tableView(_ tableView: TableView, detailForHeaderInSection section: Int) -> String? {
    groupedDigits(tableView.numberOfRows(inSection: section))
  }
  /// No footers.
  public func tableView(_ tableView: TableView, titleForFooterInSection section: Int) -> String? {
    nil
  }
  /// No strip.
  public func sectionIndexTitles(for tableView: TableView) -> [String] { [] }
  /// The section at the title's place.
  public func tableView(
    _ tableView: TableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int { index }
}
