import Foundation
import ObjectModel
import SQLiteStore
import Testing

/// Tests of what columns of other programs' databases are taken for.
struct ColumnTypingTests {
  /// A database, and what is expected of its columns: `table.column=kind`.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let sql: String
    let expected: String

    init(_ name: String, _ sql: String, _ expected: String) {
      (self.name, self.sql, self.expected) = (name, sql, expected)
    }

    var testDescription: String { name }
  }

  static func kinds(_ sql: String, _ options: SQLiteStore.Options = .init()) throws -> [String:
    String]
  {
    let model = try TemporaryDatabase(sql).open(options).model
    var kinds: [String: String] = [:]
    for entity in model.entities {
      for attribute in entity.attributes {
        kinds["\(entity.name).\(attribute.name)"] = attribute.reading?.kind.rawValue
      }
    }
    return kinds
  }

  private static func check(_ test: Case) throws {
    let kinds = try kinds(test.sql)
    for expectation in test.expected.split(separator: " ") {
      let parts = expectation.split(separator: "=").map(String.init)
      #expect(kinds[parts[0]] == parts[1], "\(parts[0])")
    }
  }

  @Test(arguments: [
    Case(
      "Safari",
      """
      CREATE TABLE history_items(id INTEGER PRIMARY KEY, url TEXT, visit_count INTEGER);
      CREATE TABLE history_visits(id INTEGER PRIMARY KEY, history_item INTEGER NOT NULL,
        visit_time REAL NOT NULL, title TEXT, score INTEGER);
      INSERT INTO history_visits VALUES(1, 1, 770000000, 'x', 100), (2, 1, 531955414.79, 'y', 5);
      """, "history_visits.visit_time=date2001 history_visits.score=number"),
    Case(
      "REAL seconds whose fraction tells the epoch",
      """
      CREATE TABLE modern(id INTEGER PRIMARY KEY, visit_time REAL NOT NULL, created DATETIME,
        delivered_date REAL, n INTEGER);
      INSERT INTO modern VALUES(1,770000000.5,770000000.5,770000000.5,1),
        (2,770000001.5,770000001.5,770000001.5,2);
      """,
      "modern.visit_time=date2001 modern.created=date2001 modern.delivered_date=date2001 modern.n=number"
    ),
    Case(
      "names that only look like dates",
      """
      CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO users VALUES(1121163421,'ann');
      CREATE TABLE chat(id INTEGER PRIMARY KEY, title TEXT, first_unread_message INTEGER,
        last_msg_seq INTEGER, last_size INTEGER, updated_by INTEGER,
        created_by INTEGER REFERENCES users(id), start INTEGER, last_row INTEGER);
      INSERT INTO chat VALUES(1,'a',1121163421,1121163421,734003200,1121163421,1121163421,4000000000,700000000);
      """,
      "chat.first_unread_message=number chat.last_msg_seq=number chat.last_size=number chat.updated_by=number chat.created_by=number chat.start=number chat.last_row=number"
    ),
    Case(
      "Messages",
      """
      CREATE TABLE message(ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT,
        handle_id INTEGER DEFAULT 0, date INTEGER, date_read INTEGER, is_from_me INTEGER, error INTEGER);
      CREATE TABLE chat(ROWID INTEGER PRIMARY KEY, chat_identifier TEXT, last_read_message_timestamp INTEGER);
      CREATE TABLE attachment(ROWID INTEGER PRIMARY KEY, created_date INTEGER DEFAULT 0, total_bytes INTEGER);
      INSERT INTO message VALUES(1,'A','hi',3,738000000123456789,0,0,0),(2,'B','ho',3,638400000000000000,638400000000000000,1,0);
      INSERT INTO chat VALUES(1,'+491',738000000123456789);
      INSERT INTO attachment VALUES(1,738000000,734003200);
      """,
      "message.date=date2001ns message.date_read=date2001ns message.handle_id=number chat.last_read_message_timestamp=date2001ns attachment.created_date=date2001 attachment.total_bytes=number"
    ),
    Case(
      "Messages of an older system",
      """
      CREATE TABLE message(ROWID INTEGER PRIMARY KEY, guid TEXT, date INTEGER, is_from_me INTEGER);
      CREATE TABLE chat(ROWID INTEGER PRIMARY KEY, chat_identifier TEXT);
      INSERT INTO message VALUES(1,'A',400000000,0),(2,'B',450000000,1);
      """, "message.date=date2001 message.is_from_me=number"),
    Case(
      "Chromium",
      """
      CREATE TABLE urls(id INTEGER PRIMARY KEY, url LONGVARCHAR, visit_count INTEGER, last_visit_time INTEGER NOT NULL, hidden INTEGER);
      CREATE TABLE visits(id INTEGER PRIMARY KEY, url INTEGER, visit_time INTEGER NOT NULL, from_visit INTEGER, visit_duration INTEGER);
      CREATE TABLE downloads(id INTEGER PRIMARY KEY, start_time INTEGER, end_time INTEGER, received_bytes INTEGER);
      INSERT INTO urls VALUES(1,'http://a',3,13350000000000000,0),(2,'http://b',0,0,1);
      INSERT INTO visits VALUES(1,1,13350000000000000,0,1700000000);
      """,
      "urls.last_visit_time=webkit visits.visit_time=webkit visits.visit_duration=number urls.visit_count=number downloads.start_time=webkit downloads.received_bytes=number"
    ),
    Case(
      "cookies that never expire",
      """
      CREATE TABLE cookies(creation_utc INTEGER NOT NULL, host_key TEXT, expires_utc INTEGER, last_access_utc INTEGER, is_secure INTEGER);
      INSERT INTO cookies VALUES(13350000000000000,'.a',0,13350000000000000,1),(13350000000000001,'.b',13384560000000000,13350000000000000,0);
      """,
      "cookies.creation_utc=webkit cookies.expires_utc=webkit cookies.last_access_utc=webkit cookies.is_secure=number"
    ),
    Case(
      "WebKit's microseconds in a database that nobody knows",
      """
      CREATE TABLE page(id INTEGER PRIMARY KEY, last_visit INTEGER, hash INTEGER);
      INSERT INTO page VALUES(1,13350000000000000,13350000000000000);
      """, "page.last_visit=webkit page.hash=number"),
    Case(
      "Firefox",
      """
      CREATE TABLE moz_places(id INTEGER PRIMARY KEY, url LONGVARCHAR, rev_host LONGVARCHAR, visit_count INTEGER,
        frecency INTEGER, last_visit_date INTEGER, guid TEXT, url_hash INTEGER);
      CREATE TABLE moz_bookmarks(id INTEGER PRIMARY KEY, fk INTEGER, position INTEGER, dateAdded INTEGER, lastModified INTEGER);
      INSERT INTO moz_places VALUES(1,'http://a','a.',4,1700000000,1717200000000000,'abcdefghijkl',47357795150914);
      INSERT INTO moz_bookmarks VALUES(1,1,0,1717200000000000,1717200000000000);
      """,
      "moz_places.last_visit_date=date1970us moz_places.frecency=number moz_places.url_hash=number moz_bookmarks.dateAdded=date1970us moz_bookmarks.lastModified=date1970us moz_bookmarks.position=number"
    ),
    Case(
      "Signal",
      """
      CREATE TABLE message(_id INTEGER PRIMARY KEY, date_sent INTEGER, date_received INTEGER, date_server INTEGER DEFAULT -1,
        thread_id INTEGER, quote_id INTEGER, expires_in INTEGER, receipt_timestamp INTEGER);
      INSERT INTO message VALUES(1,1717200000123,1717200000456,-1,4,1717200000123,604800000,-1);
      """,
      "message.date_sent=date1970ms message.date_received=date1970ms message.date_server=date1970ms message.thread_id=number message.quote_id=number message.expires_in=number"
    ),
    Case(
      "Signal's counter that is called received_at",
      """
      CREATE TABLE messages(id TEXT PRIMARY KEY, json TEXT, sent_at INTEGER, received_at INTEGER, conversationId TEXT, received_at_ms INTEGER);
      INSERT INTO messages VALUES('a','{}',1717200000123,1650000000123,'c',1717200000456);
      """,
      "messages.sent_at=date1970ms messages.received_at=number messages.received_at_ms=date1970ms"),
    Case(
      "Telegram",
      """
      CREATE TABLE messages_v2(mid INTEGER, uid INTEGER, read_state INTEGER, date INTEGER, data BLOB, PRIMARY KEY(mid, uid));
      INSERT INTO messages_v2 VALUES(1700000001,777000,1,1717200000,x'00');
      """,
      "messages_v2.date=date1970 messages_v2.uid=number messages_v2.mid=number messages_v2.read_state=number"
    ),
    Case(
      "Health",
      """
      CREATE TABLE samples(data_id INTEGER PRIMARY KEY, start_date REAL, end_date REAL, data_type INTEGER);
      CREATE TABLE quantity_samples(data_id INTEGER PRIMARY KEY, quantity REAL, original_quantity REAL);
      CREATE TABLE workouts(data_id INTEGER PRIMARY KEY, total_distance REAL, duration REAL, total_time REAL);
      INSERT INTO samples VALUES(1,738000000,738000060,7),(2,738000100.25,738000160,7);
      INSERT INTO quantity_samples VALUES(1,770000000.5,770000000.5);
      INSERT INTO workouts VALUES(1,770000000.5,770000000.5,770000000.5);
      """,
      "samples.start_date=date2001 samples.end_date=date2001 samples.data_type=number quantity_samples.quantity=number workouts.duration=number workouts.total_time=number"
    ),
    Case(
      "iOS's calendar, whose integers are seconds since 2001",
      """
      CREATE TABLE CalendarItem(ROWID INTEGER PRIMARY KEY, summary TEXT, start_date REAL, start_tz TEXT, end_date REAL,
        calendar_id INTEGER, last_modified REAL, sequence_num INTEGER, birthday_id INTEGER, creation_date INTEGER);
      INSERT INTO CalendarItem VALUES(1,'x',700000000,'Europe/Berlin',700003600,2,700000000.1,700000000,700000000,700000000);
      """,
      "CalendarItem.start_date=date2001 CalendarItem.end_date=date2001 CalendarItem.last_modified=date2001 CalendarItem.creation_date=date2001 CalendarItem.sequence_num=number CalendarItem.birthday_id=number"
    ),
    Case(
      "Android's calendar",
      """
      CREATE TABLE Events(_id INTEGER PRIMARY KEY, title TEXT, dtstart INTEGER, dtend INTEGER, rrule TEXT, lastDate INTEGER, eventTimezone TEXT, eventColor INTEGER);
      CREATE TABLE Instances(_id INTEGER PRIMARY KEY, begin INTEGER, end INTEGER, startDay INTEGER, endDay INTEGER, startMinute INTEGER);
      INSERT INTO Events VALUES(1,'x',1717200000000,1717203600000,NULL,2145916800000,'UTC',-1717200);
      INSERT INTO Instances VALUES(1,1717200000000,1717203600000,2460463,2460463,600);
      """,
      "Events.dtstart=date1970ms Events.dtend=date1970ms Events.lastDate=date1970ms Events.eventColor=number Instances.begin=date1970ms Instances.end=date1970ms Instances.startDay=number Instances.startMinute=number"
    ),
    Case(
      "podcasts",
      """
      CREATE TABLE FeedMedia(id INTEGER PRIMARY KEY, duration INTEGER, position INTEGER, filesize INTEGER, playback_completion_date INTEGER, last_played_time INTEGER);
      CREATE TABLE FeedItems(id INTEGER PRIMARY KEY, title TEXT, pubDate INTEGER, feed INTEGER, read INTEGER);
      INSERT INTO FeedMedia VALUES(1,1717200000,1717200000,734003200,1717200000000,0);
      INSERT INTO FeedItems VALUES(1,'a',1717200000000,3,1);
      """,
      "FeedMedia.duration=number FeedMedia.position=number FeedMedia.filesize=number FeedMedia.playback_completion_date=date1970ms FeedMedia.last_played_time=date1970ms FeedItems.pubDate=date1970ms FeedItems.read=number"
    ),
    Case(
      "mail",
      """
      CREATE TABLE messages(ROWID INTEGER PRIMARY KEY, remote_id INTEGER, sender INTEGER, date_sent INTEGER, date_received INTEGER, mailbox INTEGER, size INTEGER, flags INTEGER, conversation_id INTEGER);
      INSERT INTO messages VALUES(1,1717200000,1717200000,1717200000,1717200050,1717200000,1717200000,1717200000,1717200000);
      """,
      "messages.date_sent=date1970 messages.date_received=date1970 messages.remote_id=number messages.sender=number messages.size=number messages.flags=number messages.conversation_id=number"
    ),
    Case(
      "flash cards",
      """
      CREATE TABLE notes(id INTEGER PRIMARY KEY, mod INTEGER, usn INTEGER, flds TEXT, csum INTEGER);
      CREATE TABLE cards(id INTEGER PRIMARY KEY, nid INTEGER, mod INTEGER, due INTEGER, ivl INTEGER);
      CREATE TABLE revlog(id INTEGER PRIMARY KEY, cid INTEGER, ivl INTEGER, factor INTEGER, time INTEGER);
      INSERT INTO notes VALUES(1717200000123,1717200000,-1,'a',1717200000);
      INSERT INTO cards VALUES(1717200000124,1717200000123,1717200000,1717200000,10);
      """,
      "notes.mod=date1970 cards.mod=date1970 cards.due=number notes.csum=number revlog.time=number"),
    Case(
      "FILETIME, .NET's ticks, spreadsheets, Julian days and days as numbers",
      """
      CREATE TABLE w(id INTEGER PRIMARY KEY, LastAccessTime INTEGER, created_ticks INTEGER, day_date REAL, mtime REAL, date INTEGER, due_date INTEGER, total INTEGER);
      INSERT INTO w VALUES(1,133600000000000000,638400000000000000,45413.57,2460431.5,20240501,20241231,20240501);
      """,
      "w.LastAccessTime=filetime w.created_ticks=ticks w.day_date=ole w.mtime=julian w.date=yyyymmdd w.due_date=yyyymmdd w.total=number"
    ),
    Case(
      "nanoseconds since 1970 and a snowflake",
      """
      CREATE TABLE log(id INTEGER PRIMARY KEY, timestamp INTEGER, last_message_id INTEGER, created INTEGER);
      INSERT INTO log VALUES(1,1717200000123456789,1717200000123456789,1717200000);
      """, "log.timestamp=date1970ns log.last_message_id=number log.created=date1970"),
    Case(
      "counts, phones, sizes and durations in the range of seconds",
      """
      CREATE TABLE c(id INTEGER PRIMARY KEY, phone INTEGER, last_count INTEGER, update_seq INTEGER, bytes_sent INTEGER,
        play_time INTEGER, timezone INTEGER, date_format INTEGER, time_id INTEGER, first_page INTEGER, depends_on INTEGER, end_offset INTEGER, candidate INTEGER, last_read INTEGER);
      INSERT INTO c VALUES(1,1717200000,1717200000,1717200000,1717200000,1717200000,1717200000,1717200000,1717200000,1717200000,1717200000,1717200000,1717200000,1717200000);
      """,
      "c.phone=number c.last_count=number c.update_seq=number c.bytes_sent=number c.play_time=number c.timezone=number c.date_format=number c.time_id=number c.first_page=number c.depends_on=number c.end_offset=number c.candidate=number c.last_read=number"
    ),
    Case(
      "one value in the middle that no date is",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, created_at INTEGER, seen_at INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i, CASE WHEN i BETWEEN 1000 AND 4000 THEN i ELSE 1700000000 + i END, 1700000000 + i FROM n;
      """, "t.created_at=number t.seen_at=date1970"),
    Case(
      "the smallest and the greatest by an index",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, created_at INTEGER, seen_at INTEGER);
      CREATE INDEX c ON t(created_at); CREATE INDEX s ON t(seen_at);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i, 1700000000 + i, 1700000000 + i FROM n;
      UPDATE t SET created_at = 12 WHERE id = 777; UPDATE t SET seen_at = NULL WHERE id = 777;
      """, "t.created_at=number t.seen_at=date1970"),
    Case(
      "integers of either epoch: a declared date counts from 1970, others like it",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, created_at INTEGER, modified DATETIME, birthday INTEGER);
      INSERT INTO t VALUES(1,770000000,770000000,700000000);
      """, "t.modified=date1970 t.birthday=date1970 t.created_at=date1970"),
    Case(
      "integers of either epoch beside a certain one",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, created_at INTEGER); INSERT INTO t VALUES(1,770000000);
      CREATE TABLE u(id INTEGER PRIMARY KEY, visit_time REAL); INSERT INTO u VALUES(1,770000000.25);
      """, "t.created_at=date2001 u.visit_time=date2001"),
    Case(
      "integers of either epoch alone",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, created_at INTEGER); INSERT INTO t VALUES(1,770000000);
      """, "t.created_at=number"),
    Case(
      "start and end support each other",
      """
      CREATE TABLE e(id INTEGER PRIMARY KEY, start INTEGER, end INTEGER); INSERT INTO e VALUES(1,1717200000,1717203600);
      CREATE TABLE r(id INTEGER PRIMARY KEY, start INTEGER, stop INTEGER); INSERT INTO r VALUES(1,1717200000,1717203600);
      """, "e.start=date1970 e.end=date1970"),
    Case(
      "dates as text",
      """
      CREATE TABLE books(id INTEGER PRIMARY KEY, timestamp TIMESTAMP, pubdate TIMESTAMP, last_modified TIMESTAMP, sort TEXT);
      INSERT INTO books VALUES(1,'2024-05-01 10:00:00+00:00','0101-01-01 00:00:00+00:00','2024-05-01 10:00:00.123456+00:00','2024');
      CREATE TABLE items(itemID INTEGER PRIMARY KEY, dateAdded TIMESTAMP, clientDateModified TIMESTAMP);
      INSERT INTO items VALUES(1,'2024-05-01 10:00:00','2024-05-01 10:00:00');
      """,
      "books.timestamp=date books.pubdate=date books.last_modified=date books.sort=text items.dateAdded=date"
    ),
  ])
  func `columns of programs are read as what they are`(_ test: Case) throws {
    try Self.check(test)
  }

  @Test(arguments: [
    Case(
      "stars in TINYINT(1)",
      """
      CREATE TABLE review(id INTEGER PRIMARY KEY, rating TINYINT(1), good BOOLEAN, bit BIT);
      INSERT INTO review VALUES(1,1,1,0),(2,0,0,1),(3,5,NULL,NULL),(4,4,1,1);
      """, "review.rating=number review.good=boolean review.bit=boolean"),
    Case(
      "one 2 far from both ends",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a BOOLEAN, b BOOLEAN, c TINYINT(1));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO t SELECT i, i % 2, i % 2, i = 1501 AND 0 FROM n;
      UPDATE t SET a = 2 WHERE id = 1333; UPDATE t SET c = -1 WHERE id = 2222;
      """, "t.a=number t.b=boolean t.c=number"),
    Case(
      "one 2 found by an index only",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a BOOLEAN); CREATE INDEX i ON t(a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO t SELECT i, i % 2 FROM n;
      UPDATE t SET a = 2 WHERE id = 11111;
      """, "t.a=number"),
    Case(
      "words and fractions",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a BOOLEAN, b BOOL, c BOOLEAN);
      INSERT INTO t VALUES(1,'Y',0.5,NULL),(2,'N',1,NULL);
      """, "t.a=text t.b=number t.c=boolean"),
  ])
  func `a column of booleans that holds other numbers is one of numbers`(_ test: Case) throws {
    try Self.check(test)
  }

  @Test func `a person can say what a column is`() throws {
    let sql = """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c BLOB);
      CREATE TABLE u(id INTEGER PRIMARY KEY, a INTEGER);
      INSERT INTO t VALUES(1,738000000,'10',x'00112233445566778899AABBCCDDEEFF');
      """
    var options = SQLiteStore.Options()
    options.columnKinds = ["a": .date2001, "u.a": .boolean, "b": .number, "c": .uuid]
    let kinds = try Self.kinds(sql, options)
    #expect(kinds["t.a"] == "date2001")
    #expect(kinds["u.a"] == "boolean")
    let database = try TemporaryDatabase(sql)
    let store = try database.open(options)
    let entity = try #require(store.model.entity(named: "t"))
    let row = try #require(
      try store.snapshots(of: Array(store.fetch(FetchPlan(entityName: "t"), control: nil).ids))
        .values.first)
    let values = zip(entity.attributes, row.values).map { $0.decode($1).description }
    #expect(
      values == ["1", "2024-05-21 16:00:00", "10", "00112233-4455-6677-8899-AABBCCDDEEFF"])
    #expect(entity.attributes[1].reading?.isChosen == true)
    #expect(try database.files.contains("test.sqlite"))
  }
}
