import Cardfile

/// The notes by date, title or file name (`s`), each on its colour (`c`).
///
/// `f` finds in titles and texts, `n` and `N` go from note to note; Enter opens a note at the first
/// match, where they go from match to match.
final class NoteList: ListScreen<Note>, TableViewProviderDelegate {
  private static let colors = [
    ("none", nil), ("yellow", "#FFE9A8"), ("blue", "#BFDDF2"), ("green", "#CDEAC0"),
    ("pink", "#F7C6D0"), ("violet", "#D9CCF0"), ("orange", "#FFD3A8"),
  ]

  init(context: ManagedObjectContext) {
    let provider = TableViewProvider<Note>(display: Note.title, context: context)
    provider.cellStyle = .subtitle
    super.init(title: "Notes", provider: provider)
    provider.delegate = self
    searchAttributes = ["title", "text"]
    orders = [
      ListOrder("date", Note.date.descending, sectionKey: SectionKey("date", .month)),
      ListOrder(
        "title", Note.title.ascending(by: .localized), sectionKey: SectionKey("title", .initial)),
      ListOrder("file", Note.fileName.ascending),
    ]
    order = orders.first
  }

  func provider(
    _ provider: TableViewProvider<Note>, configureCell cell: inout TableCell, for note: Note
  ) {
    let day = note[Note.date].formatted(.iso8601.year().month().day())
    cell.detailText = order?.title == "file" ? note[Note.fileName] : "\(day)  \(note[Note.text])"
    cell.swatch = note.color
  }

  func provider(
    _ provider: TableViewProvider<Note>, indexTitleForSection name: String
  ) -> String? {
    order?.title == "date" ? name : String(name.prefix(1)).uppercased()
  }

  func provider(_ provider: TableViewProvider<Note>, didSelect note: Note) {
    let screen = TextScreen(
      title: note[Note.title], text: note[Note.text],
      finding: searchedText)
    screen.tintColor = note.color
    push(screen)
  }

  override var keyCommands: [KeyCommand] {
    super.keyCommands + [
      KeyCommand("o", "+", help: "new note", hint: "new") { [weak self] in
        self?.prompt("New note") { [weak self] title in
          try self?.insert("Insert \(title)") { try Note.insert(title: title, into: $0) }
        }
      },
      KeyCommand("e", help: "edit", hint: "edit") { [weak self] in
        guard let note = self?.provider.cursorObject else { return }
        self?.push(ObjectScreen(title: note[Note.title], object: note))
      },
      KeyCommand("c", help: "colour", hint: "colour") { [weak self] in self?.chooseColor() },
    ]
  }

  private func chooseColor() {
    guard let note = provider.cursorObject else { return }
    choose(
      "Colour", from: Self.colors.map { Menu.Item($0.0) },
      selected: Self.colors.firstIndex { $0.1 == note[Note.hex] } ?? 0
    ) { [weak self] index in
      self?.showingErrors {
        try self?.change("Colour \(note[Note.title])") { note[Note.hex] = Self.colors[index].1 }
      }
    }
  }
}
