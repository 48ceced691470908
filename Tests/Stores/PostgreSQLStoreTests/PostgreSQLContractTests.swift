import Foundation
import ObjectModel
import PostgreSQLStore
import TestSupport
import Testing

/// What every store promises, by a PostgreSQL server.
@Suite(.enabled(if: TestServer.shared != nil, Comment(rawValue: TestServer.reason)))
struct PostgreSQLContractTests {
  /// Values of many types, with NULLs, ties and what only some of them have.
  static let types = #"""
    CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
    CREATE DOMAIN postcode AS text CHECK (length(VALUE) = 5);
    CREATE TABLE thing (
      id serial PRIMARY KEY, flag boolean, small smallint, number integer, big bigint, price numeric(9,2),
      share real, ratio double precision, name text, code varchar(8), padded char(4), day date,
      moment timestamptz, local timestamp, at time, span interval, uid uuid, bytes bytea, mood mood,
      labels text[], extra jsonb, address inet, zip postcode, twice integer GENERATED ALWAYS AS (number * 2) STORED,
      parent_id integer REFERENCES thing(id));
    INSERT INTO thing (flag, small, number, big, price, share, ratio, name, code, padded, day, moment, local, at,
      span, uid, bytes, mood, labels, extra, address, zip, parent_id) VALUES
     (true, 1, 5, 9007199254740993, 9.99, 0.1, 0.1, 'Ada', 'a', 'ab', '2024-05-01',
      '2024-05-01 13:45:00+02', '2024-05-01 13:45:00.25', '10:00', '1 day 2 hours', '6f9619ff-8b86-d011-b42d-00c04fc964ff',
      '\x0102', 'happy', '{a,"b c"}', '{"a": 1}', '10.0.0.1', '12345', NULL),
     (false, -1, 5, -5, 0.10, 2.5, 1e300, 'ada', NULL, 'x', '1999-12-31', '1999-12-31 23:59:59.999999+00',
      NULL, NULL, NULL, NULL, '\x', 'sad', '{}', '[]', NULL, NULL, 1),
     (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      NULL, NULL, NULL, 1),
     (true, 32767, 1073741823, 9223372036854775807, 'NaN', 'NaN', 'Infinity', '', 'É', 'zzzz', 'infinity', '-infinity',
      '0044-03-15 BC', '23:59:59.5', '-1 mon', '00000000-0000-0000-0000-000000000001', '\xff', 'ok', NULL, 'null',
      '::1', '00000', 2),
     (false, 0, 0, 0, 100, -0.0, 'NaN', 'Émile', 'e', '', '0001-01-01', '9999-12-31', '2024-05-01', '00:00', '0',
      'ffffffff-ffff-ffff-ffff-ffffffffffff', NULL, 'ok', '{NULL,"\""}', '1', '10.0.0.2', '99999', 5);
    """#

  @Test func `columns of many types`() throws {
    let store = try open(Self.types)
    let violations = try StoreContract(store).violations()
    #expect(violations == [])
    let thing = try #require(store.model.entity(named: "thing"))
    #expect(thing.attribute(named: "moment")?.type == .date)
    #expect(thing.attribute(named: "twice")?.isReadOnly == true)
    #expect(thing.relationship(named: "children")?.isToMany == true)
    let row = try #require(try store.rows(of: [id(store, "thing", 1)])[0])
    func value(_ name: String) -> Value {
      guard let index = thing.attributeIndex(name) else { return .null }
      return thing.attributes[index].decode(row.values[index])
    }
    #expect(value("flag") == .bool(true))
    #expect(value("price") == .decimal(Decimal(string: "9.99") ?? 0))
    #expect(value("moment") == .date(Date(timeIntervalSince1970: 1_714_563_900)))
    #expect(value("bytes") == .data(Data([1, 2])))
    #expect(value("padded") == "ab  ")
    #expect(value("labels") == #"{a,"b c"}"#)
    #expect(value("span") == "P1DT2H")
  }

  /// Small schemas in the shape of public applications.
  @Test func `keys of every kind`() throws {
    let store = try open(
      #"""
      CREATE SCHEMA shop; CREATE SCHEMA "Weird Schema";
      CREATE TABLE shop.country (code char(2) PRIMARY KEY, name text NOT NULL UNIQUE);
      CREATE TABLE shop.city (id uuid PRIMARY KEY, name text, country_code char(2) NOT NULL REFERENCES shop.country);
      CREATE TABLE "order" (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "user" text, "select" integer DEFAULT 7);
      CREATE TABLE "Weird Schema"."Table ""x""" ("Key" integer PRIMARY KEY, "Text" text);
      CREATE TABLE line (order_id bigint REFERENCES "order" ON DELETE CASCADE, number integer, text text,
        PRIMARY KEY (order_id, number));
      CREATE TABLE note (order_id bigint, number integer, body text, id serial PRIMARY KEY,
        FOREIGN KEY (order_id, number) REFERENCES line ON DELETE CASCADE);
      CREATE TABLE tag (id serial PRIMARY KEY, label text UNIQUE);
      CREATE TABLE order_tag (order_id bigint REFERENCES "order", tag_id integer REFERENCES tag,
        PRIMARY KEY (order_id, tag_id));
      CREATE TABLE log (at timestamptz, message text);
      CREATE VIEW totals AS SELECT order_id, count(*) AS lines FROM line GROUP BY order_id;
      CREATE TABLE part (id integer, kind text, PRIMARY KEY (id, kind)) PARTITION BY LIST (kind);
      CREATE TABLE part_a PARTITION OF part FOR VALUES IN ('a');
      CREATE TABLE part_b PARTITION OF part FOR VALUES IN ('b');
      INSERT INTO shop.country VALUES ('DE', 'Germany'), ('AT', 'Austria');
      INSERT INTO shop.city VALUES ('6f9619ff-8b86-d011-b42d-00c04fc964ff', 'Graz', 'AT'),
        ('00000000-0000-0000-0000-000000000001', 'Bonn', 'DE');
      INSERT INTO "order" ("user") VALUES ('ada'), ('bo'), (NULL);
      INSERT INTO "Weird Schema"."Table ""x""" VALUES (-1, 'x'), (2, NULL);
      INSERT INTO line VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, NULL);
      INSERT INTO note (order_id, number, body) VALUES (1, 2, 'n'), (NULL, NULL, 'm');
      INSERT INTO tag (label) VALUES ('red'), ('green');
      INSERT INTO order_tag VALUES (1, 1), (1, 2), (2, 1);
      INSERT INTO log VALUES (now(), 'x'), (NULL, 'y');
      INSERT INTO part VALUES (1, 'a'), (1, 'b'), (2, 'b');
      """#)
    let violations = try StoreContract(store).violations()
    #expect(violations == [])
    #expect(
      store.model.entities.map(\.name) == [
        "Weird Schema.Table \"x\"", "line", "log", "note", "order", "order_tag", "part",
        "shop.city", "shop.country", "tag", "totals",
      ])
    #expect(store.model.entity(named: "log")?.readOnlyReason?.hasPrefix("log has no key") == true)
    #expect(store.model.entity(named: "order")?.relationship(named: "tags")?.isToMany == true)
    #expect(store.model.entity(named: "line")?.relationship(named: "order")?.isToMany == false)
    #expect(store.model.entity(named: "line")?.keyAttributes == ["order_id", "number"])
  }

  private func open(_ script: String) throws -> PostgreSQLStore {
    let server = try #require(TestServer.shared)
    return try PostgreSQLStore(address: server.makeDatabase(script))
  }

  private func id(_ store: PostgreSQLStore, _ entityName: String, _ key: Int64) -> ObjectID {
    ObjectID(storeIdentifier: store.identifier, entityName: entityName, key: .integer(key))
  }
}
