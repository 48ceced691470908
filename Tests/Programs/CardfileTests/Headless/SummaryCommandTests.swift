import Foundation
import TestSupport
import Testing

/// `cardfile summary` as a person and a script read it.
@Suite struct SummaryCommandTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.database(
      "pets.sqlite",
      """
      CREATE TABLE pet(id INTEGER PRIMARY KEY, name TEXT, age INTEGER, owner_id INTEGER
        REFERENCES person(id));
      CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO person VALUES (1, 'Ana'), (2, 'Björn');
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1999)
        INSERT INTO pet SELECT i + 1, 'Pet ' || (i % 40), nullif(i % 25, 3), i % 2 + 1 FROM n;
      """)
  }

  @Test func `a column has its facts, its frequent values and its distribution`() throws {
    #expect(
      try Program.run("summary", store, "pet", "age").output == """
        pet.age
          rows            2,000
          without value   80
          distinct        24
          least           0
          greatest        24
          sum             23,760
          mean            12.375
          lower quartile  6.75
          median          12.5
          upper quartile  18.25
          most frequent values
            0   80  ██████████████████████████████
            1   80  ██████████████████████████████
            2   80  ██████████████████████████████
            4   80  ██████████████████████████████
            5   80  ██████████████████████████████
            6   80  ██████████████████████████████
            7   80  ██████████████████████████████
            8   80  ██████████████████████████████
            9   80  ██████████████████████████████
            10  80  ██████████████████████████████
          distribution
            0 to 5    320  ████████████████████████
            5 to 10   400  ██████████████████████████████
            10 to 15  400  ██████████████████████████████
            15 to 20  400  ██████████████████████████████
            20 to 25  400  ██████████████████████████████

        """)
  }

  @Test func `all attributes have a line each, related ones and filters are possible`() throws {
    let lines = try Program.run("summary", store, "pet").lines
    #expect(lines.count == 6)
    #expect(lines[2].hasPrefix("id ") && lines[4].hasPrefix("age "))
    #expect(lines[3].hasSuffix("Pet 0 (50)"))
    let json = try Program.run(
      "summary", store, "pet", "owner.name", "--where", "age < 2", "--format", "json")
    #expect(
      json.output == """
        {"entity":"pet","column":"owner.name","rows":160,"null":0,"distinct":2,\
        "isEstimate":false,"least":"Ana","greatest":"Björn",\
        "lengths":{"least":3,"greatest":5,"mean":4.0},\
        "mostFrequent":[{"value":"Ana","rows":80},{"value":"Björn","rows":80}]}

        """)
  }

  @Test func `a name that is no column is refused with one that is near`() throws {
    let wrong = try Program.run("summary", store, "pet", "agee")
    #expect(wrong.status != 0 && wrong.errors.contains("no “agee” in pet"))
    #expect(wrong.errors.contains("age"))
    let many = try Program.run("summary", store, "person", "pets.name")
    #expect(many.status != 0 && !many.errors.isEmpty && many.output.isEmpty)
  }
}
