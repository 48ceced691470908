import Foundation
import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// Columns that hold values of every kind, whatever their attribute is.
struct DirtyDataTests {
  /// What people and programs store in a column.
  private static let values = [
    "NULL", "''", "'n/a'", "'abc'", "'É'", "'é'", "'e' || char(769)", "'E' || char(769)", "'~'",
    "'#'", "'10'", "'2'", "'true'", "'FALSE'", "' '", "'≠ text'", "'≠ number'", "0", "1", "2",
    "-1", "1.0", "1.5", "2.0", "9007199254740993", "9007199254740992.0", "1e300", "9e999",
    "-9e999", "1.0e-300", "x''", "x'00'", "x'ff'", "x'00112233445566778899aabbccddeeff'",
    "x'ffffffffffffffffffffffffffffffff'", "x'0102'", "'2020-01-01'", "'2020-01-01T10:00:00Z'",
    "'2020-13-45'", "'01/02/2020'", "'1.0'", "'1.00'", "'1.00000000000000000001'",
    "'1e999'", "'00112233-4455-6677-8899-AABBCCDDEEFF'", "'http://a/b'", "'not a url'",
    "775656350.0135", "1577836800", "1577836800000", "2458849.5", "CAST(x'ff41' AS TEXT)",
  ]

  /// How authors are stored.
  enum Layout: CaseIterable {
    case plain, coreData
  }

  /// Authors with every value in every column, each twice.
  private func library(_ layout: Layout) throws -> Library {
    let library = try Library()
    try fill(library)
    return layout == .plain ? library : try CoreDataLibrary.make(from: library)
  }

  private func fill(_ library: Library) throws {
    let names = Library.authorAttributes.map(\.name).filter { $0 != "id" && $0 != "mentor_id" }
    for _ in 0..<2 {
      for value in Self.values {
        try library.execute(
          """
          INSERT INTO author (\(names.joined(separator: ", ")))
          VALUES (\(names.map { _ in value }.joined(separator: ", ")))
          """)
      }
    }
  }

  private static let names = Library.authorAttributes.map(\.name).filter { $0 != "id" }

  @Test(arguments: names, Layout.allCases)
  func `every list opens, in the order that memory gives, with other kinds last`(
    name: String, layout: Layout
  ) throws {
    let library = try library(layout)
    let rows = try LibraryRows(library)
    let author = try #require(library.layout.model.entity(named: "Author"))
    let attribute = try #require(author.attribute(named: name))
    for transform in SectionKey.Transform.allCases {
      try check(attribute, transform, library, rows)
    }
  }

  private func check(
    _ attribute: AttributeDescription, _ transform: SectionKey.Transform, _ library: Library,
    _ rows: LibraryRows
  ) throws {
    let key = SectionKey(attribute.name, transform)
    let comparisons: [FetchSortDescriptor.Comparison] =
      transform == .initial
      ? [.localized, .localized(numeric: true)] : [.binary, .caseInsensitive, .localized]
    for comparison in comparisons {
      for isAscending in [true, false] {
        let descriptor = FetchSortDescriptor(
          attribute.name, ascending: isAscending, comparison: comparison)
        let found = try library.fetch(
          FetchPlan(entityName: "Author", sortDescriptors: [descriptor], sectionKey: key))
        #expect(found.sections.reduce(0) { $0 + $1.count } == 2 * Self.values.count)
        #expect(Set(found.sections.map(\.name)).count == found.sections.count)
        let ids = Array(found.ids)
        let isForeign = ids.map { id in
          attribute.isForeign(LibraryRow(id: id, all: rows).value(at: attribute.name))
        }
        let foreign = isForeign.count { $0 }
        #expect(isForeign.suffix(foreign).allSatisfy { $0 }, "\(descriptor)")
        if foreign > 0 {
          #expect(found.sections.last?.count == foreign, "\(descriptor): \(found.sections)")
          #expect(found.sections.last?.name.hasPrefix("≠ ") == true)
        }
        // Each object is in the section that memory names.
        var index = 0
        for section in found.sections {
          // A repeated name has invisible spaces at its end.
          let name = String(
            String.UnicodeScalarView(section.name.unicodeScalars.filter { $0 != "\u{200B}" }))
          for id in ids[index..<index + section.count] {
            let value = LibraryRow(id: id, all: rows).value(at: attribute.name)
            #expect(key.name(of: value, attribute) == name, "\(descriptor)")
          }
          index += section.count
        }
        guard attribute.encoding != .decimalText else { continue }
        let expected = rows.subjects("Author").sorted { $0.precedes($1, [descriptor]) }.map(\.id)
        #expect(ids == expected, "\(descriptor)")
      }
    }
  }

  @Test(arguments: Layout.allCases, [31, 32] as [UInt64])
  func `conditions on every value hold for the same objects in memory and in SQL`(
    layout: Layout, seed: UInt64
  ) throws {
    let library = try library(layout)
    let authors = try LibraryRows(library).subjects("Author")
    var generator = Generator(seed: seed)
    for _ in 0..<200 {
      let node = generator.node(depth: 2)
      let expected = try authors.filter { try FetchPredicate(node).matches($0) }.map(\.id.key)
      let found = try library.ids("Author", where: node).map(\.key)
      #expect(found == expected, "\(node)")
    }
  }

  @Test func `a Core Data store with bad values has a section for them`() throws {
    let model = ManagedObjectModel {
      Entity("Person") {
        Attribute("name", .string)
        Attribute("born", .date)
        Attribute("age", .integer32)
        Attribute("active", .boolean)
        Attribute("code", .uuid)
      }
    }
    let database = try TemporaryDatabase()
    _ = try SQLiteStore.create(
      path: database.path, model: model, layout: .coreData(CoreDataCreation()))
    try database.run(
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBORN, ZAGE, ZACTIVE, ZCODE) VALUES
        (1, 1, 1, 'Ada', 0, 1, 1, x'00112233445566778899aabbccddeeff'),
        (2, 1, 1, x'ff00', 'n/a', '', 2, x'01'), (3, 1, 1, '', '', 'x', 'yes', 'text'),
        (4, 1, 1, NULL, NULL, NULL, NULL, NULL), (5, 1, 1, 'Bo', x'00', x'', '', x''),
        (6, 1, 1, 'Cy', 31536000.5, 2.5, 0, x'ffffffffffffffffffffffffffffffff');
      """)
    let store = try database.open()
    func sections(_ text: String) throws -> [String] {
      let key = try #require(SectionKey(text))
      return try store.fetch(
        FetchPlan(
          entityName: "Person",
          sortDescriptors: [FetchSortDescriptor(key.keyPath, comparison: .localized)],
          sectionKey: key), control: nil
      ).sections.map { "\($0.name) \($0.count)" }
    }
    #expect(try sections("born:year") == [" 1", "2001 1", "2002 1", "≠ date 3"])
    #expect(try sections("name:initial") == [" 2", "A 1", "B 1", "C 1", "≠ text 1"])
    #expect(try sections("age") == [" 1", "1 1", "2.5 1", "≠ number 3"])
    #expect(try sections("active") == [" 1", "false 1", "true 1", "≠ boolean 3"])
    #expect(try sections("code").last == "≠ UUID 3")
  }

  @Test func `one bad value in a million good ones is one section`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, born DATE, active BOOLEAN);
      INSERT INTO person (name, born, active) VALUES
        ('Ada', '1815-12-10', 1), ('Bo', '', 0), ('Cy', 'n/a', 'yes'), (x'ff00', '1999-01-02', 2),
        (NULL, NULL, NULL), ('Di', '1815-12-11', 'no');
      """)
    let store = try database.open()
    func sections(_ text: String) throws -> [String] {
      let key = try #require(SectionKey(text))
      return try store.fetch(
        FetchPlan(
          entityName: "person",
          sortDescriptors: [FetchSortDescriptor(key.keyPath, comparison: .localized)],
          sectionKey: key), control: nil
      ).sections.map { "\($0.name) \($0.count)" }
    }
    #expect(try sections("born:year") == [" 1", "1815 2", "1999 1", "≠ date 2"])
    #expect(
      try sections("born") == [" 1", "1815-12-10 1", "1815-12-11 1", "1999-01-02 1", "≠ date 2"])
    #expect(try sections("name:initial") == [" 1", "A 1", "B 1", "C 1", "D 1", "≠ text 1"])
    #expect(try sections("active") == [" 1", "0 1", "1 1", "2 1", "≠ number 2"])
  }
}
