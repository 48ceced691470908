import ObjectModel
import SQLQueries
import SQLiteStore
import Testing

/// Tests of the relationships derived from foreign keys.
struct RelationshipTests {
  /// Returns the relationships of a schema, one per line.
  private func relationships(_ schema: String) throws -> String {
    try TemporaryDatabase(schema).open().model.entities.flatMap { entity in
      entity.relationships.map { relationship in
        "\(entity.name).\(relationship.name) \(relationship.isToMany ? "->>" : "->") "
          + "\(relationship.destinationEntityName).\(relationship.inverseName ?? "") "
          + "\(relationship.deleteRule)\(relationship.isOrdered ? " ordered" : "")"
      }
    }.joined(separator: "\n")
  }

  @Test func `a relationship gets another name if a column has its name`() throws {
    let found = try relationships(
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY);
      CREATE TABLE artist (id INTEGER PRIMARY KEY);
      CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author REFERENCES people,
        artist REFERENCES Artist(ID));
      """)
    #expect(
      found == """
        artist.books ->> books.artist_object deny
        books.author_person -> people.books nullify
        books.artist_object -> artist.books nullify
        people.books ->> books.author_person deny
        """)
  }

  @Test func `the inverses of several foreign keys to one table have different names`() throws {
    #expect(
      try relationships(
        """
        CREATE TABLE Team (Id INTEGER PRIMARY KEY);
        CREATE TABLE Match (Id INTEGER PRIMARY KEY, HomeTeamId REFERENCES Team ON DELETE CASCADE,
          AwayTeamID REFERENCES Team ON DELETE SET NULL, Played TEXT);
        """) == """
          Match.homeTeam -> Team.matchesAsHomeTeam nullify
          Match.awayTeam -> Team.matchesAsAwayTeam nullify
          Team.matchesAsHomeTeam ->> Match.homeTeam cascade
          Team.matchesAsAwayTeam ->> Match.awayTeam nullify
          """)
  }

  @Test func `the inverse of a parent relationship is named children`() throws {
    #expect(
      try relationships(
        """
        CREATE TABLE category (id INTEGER PRIMARY KEY,
          parent_id REFERENCES category(id) ON DELETE RESTRICT)
        """)
          == """
          category.parent -> category.children nullify
          category.children ->> category.parent deny
          """)
  }

  @Test func `join tables become many-to-many relationships and remain entities`() throws {
    #expect(
      try relationships(
        """
        CREATE TABLE person (id INTEGER PRIMARY KEY);
        CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL);
        CREATE TABLE person_tag (person_id REFERENCES person ON DELETE CASCADE, tag REFERENCES tag,
          position INTEGER, created_at TEXT);
        CREATE TABLE follow (follower_id REFERENCES person, followed_id REFERENCES person,
          PRIMARY KEY (follower_id, followed_id));
        """) == """
          follow.follower -> person.follows_as_follower nullify
          follow.followed -> person.follows_as_followed nullify
          person.follows_as_follower ->> follow.follower deny
          person.follows_as_followed ->> follow.followed deny
          person.person_tags ->> person_tag.person cascade
          person.followed ->> person.followers noAction
          person.followers ->> person.followed noAction
          person.tags ->> tag.people noAction ordered
          person_tag.person -> person.person_tags nullify
          person_tag.tag_object -> tag.person_tags nullify
          tag.person_tags ->> person_tag.tag_object deny
          tag.people ->> person.tags noAction
          """)
  }

  @Test func `a unique foreign key has a to-one inverse`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY);
      CREATE TABLE passport (number TEXT PRIMARY KEY NOT NULL,
        person_id UNIQUE REFERENCES person ON DELETE CASCADE);
      CREATE TABLE photo (id INTEGER PRIMARY KEY REFERENCES person);
      INSERT INTO person VALUES (1), (2); INSERT INTO passport VALUES ('P9', 2);
      INSERT INTO photo VALUES (1);
      """)
    let store = try database.open()
    let person = try #require(store.model.entity(named: "person"))
    #expect(
      person.picture == """
        person key id
          id: integer64
          passport -> passport <- person cascade
          photo -> photo <- person deny
        """)
    let ids = Array(try store.fetch(FetchPlan(entityName: "person"), control: nil).ids)
    let passports = try store.destinations(of: "passport", from: ids)
    #expect(
      passports == [
        ids[1]: [
          ObjectID(
            storeIdentifier: store.identifier, entityName: "passport", key: .composite(["P9"]))
        ]
      ])
    let snapshots = try store.snapshots(of: ids)
    #expect(snapshots[ids[1]]?.toOne.compactMap { $0?.key } == [.composite(["P9"])])
    #expect(snapshots[ids[0]]?.toOne.compactMap { $0?.key } == [.integer(1)])
  }

  @Test func `the columns of a composite foreign key follow the order of the primary key`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE orderLine (orderNo INTEGER NOT NULL, line INTEGER NOT NULL,
        PRIMARY KEY (orderNo, line));
      CREATE TABLE shipment (id INTEGER PRIMARY KEY, l INTEGER, o INTEGER,
        FOREIGN KEY (l, o) REFERENCES orderLine (line, orderNo));
      INSERT INTO orderLine VALUES (7, 1), (7, 2); INSERT INTO shipment VALUES (1, 2, 7);
      """)
    let store = try database.open()
    let relationship = store.model.entity(named: "shipment")?.relationship(named: "orderLine")
    #expect(relationship?.foreignKeyAttributes == ["o", "l"])
    let ids = Array(try store.fetch(FetchPlan(entityName: "shipment"), control: nil).ids)
    let lines = try store.destinations(of: "orderLine", from: ids)
    #expect(lines.values.flatMap { $0 }.map(\.key) == [.composite([7, 2])])
  }

  @Test func `foreign keys to missing tables or columns are ignored`() throws {
    #expect(
      try relationships(
        """
        CREATE TABLE keyless (a);
        CREATE TABLE t (id INTEGER PRIMARY KEY, a REFERENCES missing(x), b REFERENCES keyless,
          c REFERENCES t(nowhere));
        """) == "")
  }

  @Test(arguments: [
    ("ArtistId", "Artist", "artist"), ("SupportRepId", "Employee", "supportRep"),
    ("owner_id", "people", "owner"),
    ("ReportsTo", "Employee", "reportsTo"), ("id_owner", "people", "owner"),
    ("fk_owner", "people", "owner"),
    ("ARTIST_ID", "ARTIST", "artist"), ("artistid", "artists", "artist"),
    ("id", "person", "person"),
    ("parentID", "Node", "parent"), ("URLId", "Url", "url"),
    ("paid_by", "person", "paid_by_person"),
    ("genre uuid", "genres", "genre"),
  ])
  func `a relationship is named after its foreign key column`(
    _ column: String, _ parent: String, _ name: String
  )
    throws
  {
    let schema = """
      CREATE TABLE "\(parent)" (id INTEGER PRIMARY KEY);
      CREATE TABLE child (k INTEGER PRIMARY KEY, "\(column)" INTEGER REFERENCES "\(parent)");
      """
    let child = try TemporaryDatabase(schema).open().model.entity(named: "child")
    #expect(child?.relationships.map(\.name) == [name])
  }

  @Test(arguments: [
    ("Album", "albums"), ("InvoiceLine", "invoiceLines"), ("Category", "categories"),
    ("Person", "people"),
    ("items", "items"), ("order_item", "order_items"), ("Address", "addresses"), ("Box", "boxes"),
    ("Day", "days"),
    ("Status", "statuses"), ("MediaType", "mediaTypes"), ("Child", "children"), ("news", "news"),
    ("ALBUM", "albums"),
  ])
  func `a to-many inverse is named after its table in the plural`(_ table: String, _ name: String)
    throws
  {
    let schema = """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE "\(table)" (k INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parent);
      """
    let parent = try TemporaryDatabase(schema).open().model.entity(named: "parent")
    #expect(parent?.relationships.map(\.name) == [name])
  }
}
