import CardfileApp

/// How the demo store's lists open, and what to try in them.
enum DemoTour {
  /// The lists as a person finds them: colours as a grid, notes by month, the newest first.
  static let entityDefaults: [String: EntityPreferences] = [
    "Color": EntityPreferences(isGrid: true),
    "DVD": EntityPreferences(sort: [.init("title")]),
    "Moment": EntityPreferences(
      sort: [.init("timeStamp", ascending: false)], section: "timeStamp:day",
      insertionDate: "timeStamp"),
    "Note": EntityPreferences(
      columns: [.init("title"), .init("date"), .init("color"), .init("text")],
      sort: [.init("date", ascending: false)], section: "date:month"),
  ]

  /// A line for each list that says what to try.
  static let tips = [
    "Color": "'s goes to S · V list · /blue · E other lists",
    "DVD": "⏎ opens a film: owner, genre, loans · s sorts",
    "Genre": "⏎ then DVDs of a genre · ← back",
    "Loan": "d marks a loan, u undoes it",
    "Moment": "o adds this moment · d u W delete, undo, save",
    "Note": "/coffee finds in all texts · ] next month · ⏎ reads",
    "Person": "⏎ a person's DVDs · d W shows what goes with them",
  ]
}
