extension Signs {
  /// A text of the application, its signs replaced by ASCII on an ASCII terminal.
  package func own(_ text: String) -> String {
    guard !isUnicode else { return text }
    let names: [Character: String] = [
      "↑": ascending, "↓": descending, "●": live, "∅": null, "…": "...", "—": "-", "–": "-",
      "·": separator,
      "›": path, "◂": "<", "▸": ">", "“": "\"", "”": "\"", "×": "x", "⏎": enter,
      "≠": "!=",
    ]
    return text.reduce(into: "") { $0 += names[$1] ?? String($1) }
  }
}
