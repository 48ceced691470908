import Testing

@testable import TerminalKit

/// The titles of the strip, which take room from the columns.
@Suite struct IndexTitlesTests {
  @Test(arguments: [
    (["A", "B", "#"], ["A", "B", "#"]),
    (["Blues", "Classical", "Jazz"], ["B", "C", "J"]),
    (["Blues", "Classical", "Comedy", "Jazz"], ["Bl", "Cl", "Co", "Ja"]),
    (["Alternative", "Alternative & Punk", "Rock"], ["Alte", "Alte", "Rock"]),
    // Numbers and dates are told apart by their ends.
    (["2009-01", "2009-02", "2010-01"], ["2009-01", "2009-02", "2010-01"]),
    (["Track 10", "Track 11"], ["10", "11"]),
    (["no", "yes"], ["n", "y"]),
  ])
  func `words are cut to what tells them apart, at most four cells`(
    titles: [String], shown: [String]
  ) {
    #expect(IndexTitles.shortened(titles) == shown)
  }

  @Test(arguments: [
    ("2021-07", 4, "2021"), ("2021-07", 7, "2021-07"), ("Alternative", 4, "Alternative"),
    ("Tel Aviv", 5, "Tel Aviv"), ("-1234-5", 4, "-1234-5"),
  ])
  func `of a date that is too wide the year is shown`(
    _ title: String, _ columns: Int, _ shown: String
  ) {
    #expect(IndexTitles.fitting(title, columns: columns) == shown)
  }
}
