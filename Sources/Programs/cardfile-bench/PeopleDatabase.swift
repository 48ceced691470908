/// The database to measure on: a table of people with names in many languages, the same in each
/// run.
enum PeopleDatabase {
  static let columns = ["name", "surname", "email", "city", "born", "notes"]

  /// The columns of the table as it is declared.
  static let declaration = """
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, surname TEXT NOT NULL, email TEXT, city TEXT,
    born DATE, notes TEXT
    """
  static let names = words(
    """
    Ada Bruno Célia Dmitri Eluned Fátima Gustav Hélène Ioana Jiří Katya Lars Małgorzata Nuno
    Ólafur Petra Renée Šárka Théo Uwe Víctor Wanda Xóchitl Yuki Žofie 明 さくら Анна Νίκος أمينة मीरा
    """)
  static let surnames = words(
    """
    Almeida Ångström Bianchi Brânză Čapek Dubois Evans Fernández Górski Hoffmann Ibsen Jánošík
    Kovač Lindström Müller Nowak Ørsted Popescu Quiroga Rasmussen Šimek Tóth Ueda Vondráček
    Wójcik Xu Yamada Żak 鈴木 Петров Δήμου
    """)
  static let cities = words(
    """
    Aarhus Bergen Brno Coimbra Dublin Évora Gdańsk Graz İzmir Köln Liège Málaga Nantes Oulu Porto
    Rīga Split Tōkyō Ürümqi Zürich
    """)
  static let notes = words(
    """
    called back sends postcards prefers mornings likes rowing and coffee moved house façade naïve
    😀 pays late reads much two cats
    """)

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Creates the database; the file must not exist.
  static func create(at path: String, rows: Int) throws {
    let database = try RawDatabase(path: path)
    try database.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;
      CREATE TABLE people(\(declaration))
      """)
    var generator = SeededGenerator(seed: 42)
    let statement = try database.prepare("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?)")
    for id in 1...max(rows, 1) {
      for (index, text) in person(id, &generator).enumerated() {
        statement.bind(text, at: Int32(index + 2))
      }
      statement.bind(Int64(id), at: 1)
      _ = try statement.step()
      statement.reset()
    }
    try database.execute("COMMIT; PRAGMA journal_mode = DELETE")
  }

  /// Returns random values for a person in the order of ``columns``.
  static func person(_ id: Int, _ generator: inout SeededGenerator) -> [String?] {
    var surname = generator.pick(surnames)
    if Int.random(in: 0..<4, using: &generator) == 0 { surname += "-" + generator.pick(surnames) }
    let year = Int.random(in: 1930...2009, using: &generator)
    let month = Int.random(in: 1...12, using: &generator)
    let day = Int.random(in: 1...28, using: &generator)
    let hasNotes = Int.random(in: 0..<5, using: &generator) > 0
    let count = Int.random(in: 3...16, using: &generator)
    let text = (0..<count).map { _ in generator.pick(notes) }.joined(separator: " ")
    return [
      generator.pick(names), surname, "person\(id)@example.org", generator.pick(cities),
      "\(year)-\(padded(month))-\(padded(day))", hasNotes ? text : nil,
    ]
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
