import Foundation
import GRDB
import TestSupport
import Testing

/// `cardfile migrate`.
struct MigrateTests {
  private let folder: TemporaryFolder

  /// Four versions of a model.
  init() throws {
    folder = try TemporaryFolder()
    let text = #"optional="YES" attributeType="String""#
    for (version, entities) in [
      (
        "People",
        """
        <entity name="Person"><attribute name="name" \(text)/><attribute name="note" \(text)/></entity>
        """
      ),
      (
        "People 2",
        """
        <entity name="Album"><attribute name="title" \(text)/></entity>
        <entity name="Person"><attribute name="fullName" \(text) elementID="name"/></entity>
        """
      ),
      (
        "People 3",
        """
        <entity name="Person"><attribute name="name" optional="YES" attributeType="Date"/>
        <attribute name="mail" attributeType="String"/></entity>
        """
      ),
    ] {
      let path = folder.url("People.xcdatamodeld/\(version).xcdatamodel")
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(entities)</model>
        """
      try Data(contents.utf8).write(to: path.appending(path: "contents"))
    }
  }

  private var model: String { folder.path("People.xcdatamodeld") }
  private var store: String { folder.path("people.sqlite") }

  /// Makes a store of the first version with two people.
  private func make(_ layout: String = "coredata") throws {
    let made = try Program.run(
      "create", store, "--model", model, "--version", "People", "--layout", layout)
    #expect(made.status == 0, "\(made)")
    try run(
      layout == "coredata"
        ? """
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE)
        VALUES (1, 1, 1, 'Ada', 'x'), (2, 1, 3, 'Bob', NULL);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 7;
        """
        : "INSERT INTO Person (id, name, note) VALUES (1, 'Ada', 'x'), (2, 'Bob', NULL)")
  }

  private func run(_ sql: String) throws { try Database.write(store, sql) }

  private func texts(_ sql: String) throws -> [String] {
    try Database.rows(store, sql).map {
      $0.databaseValues.map(\.description).joined(separator: " ")
    }
  }

  private func migrate(_ version: String, _ arguments: String...) throws -> Program.Outcome {
    try Program.run(["migrate", store, "--model", model, "--version", version] + arguments)
  }

  @Test func `what is lost is shown, and nothing is changed without a yes`() throws {
    try make()
    let before = try Data(contentsOf: URL(filePath: store))
    let dry = try migrate("People 2", "--dry-run")
    #expect(dry.status == 0, "\(dry)")
    #expect(
      dry.lines == [
        "+ Album", "~ Person", "  ~ fullName (was name)",
        "  - note  type: string; value: optional", "Lost: 1 value of Person.note",
        "ZALBUM is created", "ZPERSON is rewritten (2 rows)",
        "The version hashes of the model are not known: an app will migrate the store again.",
      ])
    let unasked = try migrate("People 2")
    #expect(unasked.status == 1 && unasked.errors.contains("--yes"), "\(unasked)")
    #expect(try Data(contentsOf: URL(filePath: store)) == before)
  }

  @Test func `a Core Data store is migrated after a backup, and checked`() throws {
    try make()
    let done = try migrate("People 2", "--yes")
    #expect(done.status == 0, "\(done)")
    #expect(done.lines.last == "The store is migrated, and a check finds nothing new.")
    #expect(
      try texts("SELECT Z_PK, Z_ENT, Z_OPT, ZFULLNAME FROM ZPERSON") == [
        #"1 2 1 "Ada""#, #"2 2 3 "Bob""#,
      ])
    #expect(
      try texts("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == [
        #"1 "Album" 0"#, #"2 "Person" 7"#,
      ])
    let backup = try #require(done.errors.split(separator: " ").last).trimmingCharacters(
      in: .whitespacesAndNewlines)
    let old = try Program.run("fetch", backup, "Person", "--columns", "name,note")
    #expect(old.status == 0 && old.output.contains("Ada"), "\(done.errors) \(old)")
    let again = try migrate("People 2", "--yes")
    #expect(again.status == 0 && again.output.contains("has this model already"), "\(again)")
  }

  @Test func `a store of plain tables is migrated`() throws {
    try make("plain")
    try run("DELETE FROM Person WHERE id = 2")
    let done = try migrate("People 2", "--yes", "--no-backup")
    #expect(done.status == 0 && done.errors.isEmpty, "\(done)")
    #expect(try texts("SELECT id, fullName FROM Person") == [#"1 "Ada""#])
    // Keys of deleted objects are not used again.
    #expect(try texts("SELECT seq FROM sqlite_sequence WHERE name = 'Person'") == ["2"])
  }

  @Test func `each reason for a refusal has a line`() throws {
    try make()
    let refused = try migrate("People 3", "--yes")
    #expect(refused.status == 1)
    #expect(
      refused.errors.split(separator: "\n").suffix(2).map(String.init) == [
        "  Person.mail is required and has no default",
        "  Person.name cannot become date without losing values of string",
      ], "\(refused.errors)")
    #expect(try texts("SELECT ZNOTE FROM ZPERSON WHERE Z_PK = 1") == [#""x""#])
    let unknown = try migrate("People 9", "--yes")
    #expect(unknown.status == 2 && unknown.errors.contains("People 2"), "\(unknown)")
  }

  @Test func `a locked store is left alone`() throws {
    try make()
    let queue = try DatabaseQueue(path: store)
    try queue.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        let locked = try migrate("People 2", "--yes", "--no-backup")
        #expect(locked.status == 3)
        #expect(locked.errors.contains("close the other program"), "\(locked)")
        return .rollback
      }
    }
    try queue.close()
    #expect(try texts("SELECT ZNOTE FROM ZPERSON WHERE Z_PK = 1") == [#""x""#])
  }

  @Test func `what cannot be migrated is named`() throws {
    try make()
    let bytes = try Data(contentsOf: URL(filePath: store))
    let none = try Program.run(
      "migrate", folder.path("none"), "--model", model, "--version", "People 2", "--yes")
    #expect(none.status == 3 && none.errors.contains("none"), "\(none)")
    let itself = try Program.run("migrate", store, "--model", store, "--yes")
    #expect(itself.status == 2 && itself.errors.contains("not a model"), "\(itself)")

    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: store))
    let damaged = try migrate("People 2", "--yes")
    #expect(damaged.status == 3 && damaged.errors.contains("damaged"), "\(damaged)")

    try FileManager.default.removeItem(atPath: store)
    try run("CREATE TABLE Person (name TEXT)")
    let plain = try migrate("People 2", "--yes")
    #expect(plain.status == 1 && plain.errors.contains("ALTER TABLE"), "\(plain)")
  }

  // MARK: Mapping models

  /// `FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Person",
  /// "name != 'Bob'")` in a fetch, as Xcode archives it.
  private static let fetch = """
    YnBsaXN0MDDUAQIDBAUGREdZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZX
    KvEBAHCBEaGyEmJy0xNjc6PT5BVSRudWxs1AkKCwwNDg8QViRjbGFzc18QD05TQ291bnRPbmx5RmxhZ18QEE5TRXhw
    cmVzc2lvblR5cGVeTlNGUkV4cHJlc3Npb26ADggQMoAC1QkSCxMUFRYXGBlbTlNBcmd1bWVudHNZTlNPcGVyYW5kXk
    5TU2VsZWN0b3JOYW1lgAiABBAEgAmAA18QMWZldGNoUmVxdWVzdEZvclNvdXJjZUVudGl0eU5hbWVkOnByZWRpY2F0
    ZVN0cmluZzrSCRwdHlpOUy5vYmplY3RzgAeiHyCABYAM0wkiCyMkJV8QD05TQ29uc3RhbnRWYWx1ZYAPgAYQAFZQZX
    Jzb27SKCkqK1gkY2xhc3Nlc1okY2xhc3NuYW1loissV05TQXJyYXlYTlNPYmplY3TSKCkuL6MvMCxfEBROU0Z1bmN0
    aW9uRXhwcmVzc2lvblxOU0V4cHJlc3Npb27TCQsyMzQ1Wk5TVmFyaWFibGWACxACgApXbWFuYWdlctIoKTg5ozkwLF
    8QFE5TVmFyaWFibGVFeHByZXNzaW9u0wkiCzs8JYAPgA1dbmFtZSAhPSAnQm9iJ9IoKT9Ao0AwLF8QGE5TRmV0Y2hS
    ZXF1ZXN0RXhwcmVzc2lvbtIoKUJDo0MwLF8QGU5TQ29uc3RhbnRWYWx1ZUV4cHJlc3Npb27RRUZUcm9vdIABEgABhq
    AACAARABsAJAApADIARABXAF0AZgBtAH8AkgChAKMApACmAKgAswC/AMkA2ADaANwA3gDgAOIBFgEbASYBKAErAS0B
    LwE2AUgBSgFMAU4BVQFaAWMBbgFxAXkBggGHAYsBogGvAbYBwQHDAcUBxwHPAdQB2AHvAfYB+AH6AggCDQIRAiwCMQ
    I1AlECVAJZAlsAAAAAAAACAQAAAAAAAABIAAAAAAAAAAAAAAAAAAACYA==
    """

  /// Writes a mapping model as Xcode does: names become full names, and notes are lost.
  private func writeMapping(
    _ name: String = "People", version: String = "People 2", policy: String = "",
    hasFetch: Bool = false
  ) throws {
    let path = folder.url("\(name).xcmappingmodel")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    func object(_ type: String, _ id: String, _ texts: [String: String], _ links: String = "")
      -> String
    {
      let attributes = texts.map { "<attribute name=\"\($0)\" type=\"string\">\($1)</attribute>" }
      return "<object type=\"XDDEV\(type)\" id=\"\(id)\">\(attributes.joined())\(links)</object>"
    }
    func links(_ name: String, _ ids: String) -> String {
      "<relationship name=\"\(name)\" type=\"0/0\" destination=\"X\" idrefs=\"\(ids)\"></relationship>"
    }
    let xml =
      """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database>
      """
      + object(
        "MAPPINGMODEL", "z1",
        [
          "sourcemodelpath": "App/People.xcdatamodeld/People.xcdatamodel",
          "destinationmodelpath": "App/People.xcdatamodeld/\(version).xcdatamodel",
        ], links("entitymappings", "z2"))
      + object(
        "ENTITYMAPPING", "z2",
        [
          "sourcename": "Person", "destinationname": "Person",
          "migrationpolicyclassname": policy,
          hasFetch ? "sourceexpressiondata" : "sourcefilterpredicatestring":
            hasFetch ? Self.fetch : "name != 'Bob'",
        ], links("attributemappings", "z3"))
      + object("ATTRIBUTEMAPPING", "z3", ["name": "fullName", "sourcekeypath": "name"])
      + "</database>"
    try Data(xml.utf8).write(to: path.appending(path: "xcmapping.xml"))
  }

  @Test(arguments: [false, true])
  func `a mapping model is found beside the model, or named`(isNamed: Bool) throws {
    try make()
    try writeMapping(isNamed ? "elsewhere/Mine" : "People", hasFetch: isNamed)
    let named = ["--mapping", folder.path("elsewhere/Mine.xcmappingmodel")]
    let done = try Program.run(
      ["migrate", store, "--model", model, "--version", "People 2", "--yes"]
        + (isNamed ? named : []))
    #expect(done.status == 0, "\(done)")
    #expect(done.lines.contains("= Person → Person  by PersonToPerson"), "\(done)")
    #expect(try texts("SELECT Z_PK, Z_ENT, ZFULLNAME FROM ZPERSON") == [#"1 2 "Ada""#])
    #expect(
      try texts("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == [
        #"1 "Album" 0"#, #"2 "Person" 7"#,
      ])
  }

  @Test func `a mapping model between other versions is not used`() throws {
    try make()
    try writeMapping(version: "People 3")
    let done = try migrate("People 2", "--yes")
    #expect(done.status == 0 && !done.output.contains("PersonToPerson"), "\(done)")
    #expect(try texts("SELECT ZFULLNAME FROM ZPERSON") == [#""Ada""#, #""Bob""#])
  }

  @Test func `a policy that is code of an app is named`() throws {
    try make()
    try writeMapping(policy: "App.PersonPolicy")
    let before = try Data(contentsOf: URL(filePath: store))
    let path = folder.path("People.xcmappingmodel")
    let named = try migrate("People 2", "--yes", "--mapping", path)
    #expect(named.status == 1 && named.errors.contains("needs the policy App.PersonPolicy"))
    #expect(try Data(contentsOf: URL(filePath: store)) == before)
    let found = try migrate("People 2", "--yes")
    #expect(found.status == 0, "\(found)")
    #expect(found.errors.contains("is not used, the mapping is inferred"), "\(found)")
  }

  // MARK: Stores of other kinds

  @Test func `an XML store gets another model, and keeps its identity`() throws {
    let xml = """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>A-B-C</UUID>
              <nextObjectID>109</nextObjectID>
              <metadata>
                  <plist version="1.0">
                      <dict>
                          <key>Mine</key>
                          <string>kept</string>
                          <key>NSStoreModelVersionHashes</key>
                          <dict>
                              <key>Person</key>
                              <data>AAAA</data>
                          </dict>
                      </dict>
                  </plist>
              </metadata>
          </databaseInfo>
          <object type="PERSON" id="z102">
              <attribute name="name" type="string">Ada</attribute>
              <attribute name="note" type="string">x</attribute>
          </object>
      </database>

      """
    try Data(xml.utf8).write(to: URL(filePath: store))
    let done = try migrate("People 2", "--yes")
    #expect(done.status == 0, "\(done)")
    #expect(done.lines.contains("Lost: 1 value of Person.note"), "\(done)")
    let text = try String(contentsOf: URL(filePath: store), encoding: .utf8)
    #expect(text.contains("<UUID>A-B-C</UUID>") && text.contains("<string>kept</string>"))
    #expect(text.contains("<nextObjectID>109</nextObjectID>"))
    #expect(!text.contains("AAAA") && !text.contains("note"))
    #expect(
      text.contains(
        """
            <object type="PERSON" id="z102">
                <attribute name="fullname" type="string">Ada</attribute>
            </object>
        """), "\(text)")
    let again = try migrate("People 2", "--yes")
    #expect(again.output.contains("has this model already"), "\(again)")
  }

  // MARK: Kills

  /// `make crash` and a script of the reviewers kill it 500 times.
  @Test(arguments: ["coredata", "plain"])
  func `a kill leaves the store as it was, or with the new model`(layout: String) throws {
    try make(layout)
    try writeMapping(version: "People 2")
    let table = layout == "coredata" ? "ZPERSON" : "Person"
    let columns = layout == "coredata" ? "(Z_PK, Z_ENT, Z_OPT, ZNAME)" : "(id, name)"
    let values = layout == "coredata" ? "i, 1, 1, 'p' || i" : "i, 'p' || i"
    try run(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO \(table) \(columns) SELECT \(values) FROM n;
      """)
    let copy = folder.path("copy.sqlite")
    try FileManager.default.copyItem(atPath: store, toPath: copy)
    var outcomes: Set<String> = []
    for milliseconds in stride(from: 100, through: 900, by: 100) {
      for end in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: store + end)
      }
      try FileManager.default.copyItem(atPath: copy, toPath: store)
      let seconds = Double(milliseconds) / 1000
      _ = try Program.shell(
        """
        timeout -s KILL \(seconds) "$CARDFILE" migrate '\(store)' --model '\(model)' \
          --version 'People 2' --yes --no-backup
        """)
      #expect(try texts("PRAGMA integrity_check") == [#""ok""#])
      let found = try texts("SELECT group_concat(name) FROM pragma_table_info('\(table)')")
      let isNew = found.first?.lowercased().contains("fullname") == true
      outcomes.insert(isNew ? "new" : "old")
      // Those that the mapping leaves out are there or not, as the model is the old or the new one.
      #expect(try texts("SELECT count(*) FROM \(table)") == [isNew ? "2992" : "2993"])
    }
    #expect(!outcomes.isEmpty)
  }
}
