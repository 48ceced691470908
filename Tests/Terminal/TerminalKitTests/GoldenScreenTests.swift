import TerminalKit
import TestSupport
import Testing

/// The list of the main golden screen: people in sections, with flags.
@MainActor
private final class People: TableViewDataSource {
  static let rows:
    [(section: String, count: Int, people: [(TableCell.Flag, String, String, String, String)])] = [
      (
        "H", 51_003,
        [
          (.none, "Hansen, Ingrid", "Oslo", "1961-04-02", "ingrid.hansen@example.com"),
          (.none, "Horváth, Noah", "Brno", "1954-01-08", "noah.horvath@example.net"),
        ]
      ),
      (
        "I", 41_877,
        [
          (.none, "Ibrahim, Yasmin", "東京", "1977-11-20", "yasmin.ibrahim@example.org"),
          (.none, "Ito, さくら", "大阪", "1990-10-07", "sakura.ito@example.com"),
          (.none, "Ito, 太郎", "東京", "1938-02-26", "taro.ito@example.com"),
        ]
      ),
      (
        "J", 40_902,
        [
          (.none, "Jensen, Søren", "Tromsø", "1942-07-09", "soren.jensen@example.net"),
          (.deleted, "Jensen, Viktor", "Kraków", "1996-03-20", "viktor.jensen@example.com"),
          (.none, "Jónsdóttir, Þór", "Reykjavík", "1963-12-17", "thor.jons@example.com"),
          (.none, "Jónsdóttir-Adams, María", "Zürich", "1941-05-10", "maria.ja@example.net"),
        ]
      ),
      (
        "K", 82_114,
        [
          (.none, "Kim, José", "Boston", "1991-08-11", "jose.kim@example.org"),
          (.changed, "Kowalski, Łukasz", "Łódź", "2004-07-14", "lukasz.kowalski@example.com"),
          (.inserted, "Kowalski, Quentin", "Lyon", "1973-07-20", "quentin.kowalski@example.com"),
        ]
      ),
      (
        "L", 61_390,
        [
          (.none, "Larsen, Siân", "London", "1950-09-07", "sian.larsen@example.org"),
          (.none, "Larsen, 伟", "北京", "1948-07-22", "wei.larsen@example.com"),
          (.none, "Łuczak, Ruth\u{1B}[31m", "Zürich", "2005-09-09", "ruth.luczak@example.com"),
        ]
      ),
    ]

  func numberOfSections(in tableView: TableView) -> Int { Self.rows.count }

  func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    Self.rows[section].people.count
  }

  func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
    let (flag, name, city, born, mail) = Self.rows[path.section].people[path.row]
    return TableCell(fields: [name, city, born, mail].map { .init($0) }, flag: flag)
  }

  func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
    Self.rows[section].section
  }

  func tableView(_ tableView: TableView, detailForHeaderInSection section: Int) -> String? {
    groupedDigits(Self.rows[section].count)
  }

  func sectionIndexTitles(for tableView: TableView) -> [String] {
    ["^", "#"] + "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { String($0) }
  }

  func tableView(
    _ tableView: TableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    Self.rows.firstIndex { $0.section >= title } ?? Self.rows.count - 1
  }
}

@MainActor
@Suite struct GoldenScreenTests {
  private let people = People()

  private func peopleTable() -> TableView {
    let table = TableView()
    table.dataSource = people
    table.columns = [
      TableColumn("Name", idealWidth: 26, sorting: .ascending), TableColumn("City", idealWidth: 11),
      TableColumn("Born", idealWidth: 10), TableColumn("Email"),
    ]
    table.reloadData()
    table.move(.row(8))
    table.setSelected(true, rows: 3..<5)
    return table
  }

  private func screen(_ width: Int, _ height: Int, _ look: Look, _ table: TableView) -> Canvas {
    var canvas = Canvas(size: Size(width: width, height: height), look: look)
    let lines = height < 8 ? 1 : 2
    canvas.within(Rect(x: 0, y: 0, width: width, height: height - lines)) { table.draw(in: &$0) }
    StatusLine("Jensen, Viktor marked", counters: "D3 *1 +1   J  392,118/1,000,000  39%")
      .draw(in: &canvas, y: height - lines)
    if lines == 2 {
      HintLine(testKeys.hints(look.signs)).draw(in: &canvas, y: height - 1)
    }
    return canvas
  }

  @Test(
    arguments: [(12, 4), (40, 10), (80, 24), (200, 50)], TestTerminal.allCases)
  func `a list matches its golden screen at every size`(size: (Int, Int), terminal: TestTerminal)
    throws
  {
    let canvas = screen(size.0, size.1, terminal.look, peopleTable())
    try expectGolden(canvas, "list-\(size.0)x\(size.1)-\(terminal)")
  }

  @Test func `the index strip widens to show counts`() throws {
    let table = peopleTable()
    table.showsSectionIndexCounts = true
    try expectGolden(screen(80, 24, TestTerminal.color.look, table), "list-80x24-jump")
  }

  @Test(arguments: TestTerminal.allCases)
  func `a dialog is drawn on top of the list`(terminal: TestTerminal) throws {
    var canvas = screen(80, 24, terminal.look, peopleTable())
    var dialog = Dialog(
      "Save changes?",
      lines: [
        .init("3 Person deleted    Jensen, Viktor · Kim, José · Larsen, 伟"),
        .init("5 Pet deleted       cascade from Person.pets"), .init(),
        .init("! Jensen, Viktor has 4 Invoices (deny): refused", style: canvas.theme.error),
      ],
      buttons: [
        .init("y", "save", requiresConfirmation: true), .init("v", "view SQL"),
        .init("n", "cancel"),
      ],
      confirmation: "120")
    dialog.draw(in: &canvas)
    try expectGolden(canvas, "dialog-80x24-\(terminal)")
  }

  @Test func `help and menu are drawn on top of the list`() throws {
    var canvas = screen(80, 24, TestTerminal.color.look, peopleTable())
    let help = HelpOverlay("Person list", map: testKeys)
    help.draw(in: &canvas)
    try expectGolden(canvas, "help-80x24-color")
    canvas = screen(40, 10, TestTerminal.ascii.look, peopleTable())
    let menu = Menu(
      "Sort by", items: [.init("surname", detail: "text"), .init("born", detail: "date")]
    ) { _ in }
    menu.draw(in: &canvas)
    try expectGolden(canvas, "menu-40x10-ascii")
  }

  @Test func `cells are drawn in every cell style`() throws {
    final class Styles: TableViewDataSource {
      func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { 5 }
      func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
        let swatch = Style(
          foreground: .rgb(red: 255, green: 255, blue: 255),
          background: .rgb(red: 0x1F, green: 0x75, blue: 0xFE))
        return [
          TableCell("plain text", accessory: .disclosure),
          TableCell("Blue", detailText: "#1F75FE", style: .value1, textStyle: swatch),
          TableCell("surname", detailText: "Jónsdóttir", style: .value2, accessory: .checkmark),
          TableCell(
            "Blade Runner", detailText: "lent to Rex", style: .subtitle, accessory: .detail),
          TableCell(
            "a text that is far too long for the line", detailText: "and so is its detail text",
            style: .value1, flag: .changed),
        ][path.row]
      }
    }
    let source = Styles()
    let table = TableView()
    table.dataSource = source
    table.reloadData()
    try expectGolden(table.picture(width: 40, height: 6), "cells-40x6-color")
    table.rowHeight = 2
    table.reloadData()
    try expectGolden(table.picture(width: 40, height: 10), "cells-40x10-subtitle")
  }

  @Test func `an empty list shows its empty text`() throws {
    let source = ListDataSource([])
    let table = TableView.over(source)
    table.emptyText = ["No Tag matches", "name beginswith \"q\"", "", "Esc clear the filter"]
    try expectGolden(table.picture(width: 40, height: 10), "empty-40x10-color")
  }
}
