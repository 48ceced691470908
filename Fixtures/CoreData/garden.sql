-- A store in Core Data's layout for Garden.xcdatamodeld, written by hand: each rule of the layout once.
-- It holds no model cache; the model lies beside it.

CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);

-- The numbers have gaps: they are to be read, not computed. Cat was called Kitty before a migration.
INSERT INTO Z_PRIMARYKEY VALUES
  ( 2, 'Being',   0, 6),
  ( 3, 'Animal',  2, 0),
  ( 4, 'Bird',    3, 0),
  ( 6, 'Kitty',   3, 0),
  ( 7, 'Plant',   2, 0),
  ( 9, 'Person',  0, 4),
  (10, 'Photo',   0, 3),
  (11, 'Place',   0, 2),
  (12, 'Sample',  0, 5),
  (13, 'Stop',    0, 4),
  (14, 'Visit',   0, 4),
  (20, 'Walk',    0, 2),
  (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), (16003, 'TRANSACTIONSTRING', 0, 0);

INSERT INTO Z_METADATA VALUES (1, '0A1B2C3D-0000-4000-8000-00000000CAFE', CAST('<?xml version="1.0"?>
<plist version="1.0"><dict>
  <key>NSPersistenceFrameworkVersion</key><integer>1344</integer>
  <key>NSStoreType</key><string>SQLite</string>
</dict></plist>' AS BLOB));

-- Clashes: label is Animal's text and Plant's number, home is Animal's text and Plant's to-one, text is Bird's and Text Cat's.
-- The column Z_NOTE is that of the attribute _note.
CREATE TABLE ZBEING (
  Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLABEL1 INTEGER, ZHOME1 INTEGER,
  ZBORN TIMESTAMP, Z_NOTE VARCHAR, ZNAME VARCHAR, ZHOME VARCHAR, ZLABEL VARCHAR, ZTEXT VARCHAR, ZTEXT1 VARCHAR);
CREATE INDEX ZBEING_Z_ENT_INDEX ON ZBEING (Z_ENT);
CREATE INDEX ZBEING_ZHOME1_INDEX ON ZBEING (ZHOME1);
INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZNAME, Z_NOTE, ZBORN, ZHOME, ZLABEL, ZTEXT, ZTEXT1, ZLABEL1, ZHOME1) VALUES
  (1, 4, 1, 'Robin', 'small',   0, 'hedge', 'red',   'tik',   NULL,   NULL, NULL),
  (2, 6, 3, 'Tom',    NULL,   1.5, 'house', 'grey',   NULL,  'meow',  NULL, NULL),
  (3, 7, 1, 'Oak',    NULL,  NULL,  NULL,    NULL,    NULL,   NULL,    12,    1),
  (4, 3, 2, 'Newt',   NULL,  NULL, 'pond',   NULL,    NULL,   NULL,   NULL, NULL),
  (6, 7, 1, 'Elm',    NULL,  NULL,  NULL,    NULL,    NULL,   NULL,    13, NULL);

CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPOST INTEGER, ZNAME VARCHAR);
-- One to one: Anna has her post, and place 1 has her; Cleo's post is set on her side alone.
INSERT INTO ZPERSON VALUES (1, 9, 1, 1, 'Anna'), (2, 9, 1, NULL, 'Ben'), (3, 9, 1, 2, 'Cleo'), (4, 9, 1, NULL, 'Dan');

-- A to-many without an inverse: its column holds the place's key, and its name the number of Place.
CREATE TABLE ZPHOTO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z11PHOTOS INTEGER, ZTITLE VARCHAR);
CREATE INDEX ZPHOTO_Z11PHOTOS_INDEX ON ZPHOTO (Z11PHOTOS);
INSERT INTO ZPHOTO VALUES (1, 10, 1, 1, 'gate'), (2, 10, 1, 1, 'pond'), (3, 10, 1, NULL, 'lost');

-- The leaves of the composite address have a column each.
CREATE TABLE ZPLACE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWARDEN INTEGER, ZNAME VARCHAR, ZCITY VARCHAR, ZSTREET VARCHAR);
INSERT INTO ZPLACE VALUES (1, 11, 1, 1, 'Park', 'Ulm', 'Ring 1'), (2, 11, 1, NULL, 'Wood', NULL, NULL);

-- straße in capitals is STRASSE.
CREATE TABLE ZSAMPLE (
  Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFLAG INTEGER, ZLARGE INTEGER, ZSMALL INTEGER,
  ZDAY TIMESTAMP, ZPRICE DECIMAL, ZRATIO FLOAT, ZSHARE FLOAT, ZLINK VARCHAR, ZSTRASSE VARCHAR,
  ZBYTES BLOB, ZPICTURE BLOB, ZSTUFF BLOB, ZTOKEN BLOB);
INSERT INTO ZSAMPLE (Z_PK, Z_ENT, Z_OPT, ZFLAG, ZLARGE, ZSMALL, ZDAY, ZPRICE, ZRATIO, ZSHARE, ZLINK, ZSTRASSE, ZBYTES, ZPICTURE, ZSTUFF, ZTOKEN) VALUES
  -- a moment with a fraction; the picture stands in the row
  (1, 12, 1, 1, 9223372036854775807, -32768, 700000000.5, 3.25, 0.1, 0.5, 'https://example.org/a?b=c', 'Ring',
    x'0001FF', x'01AABBCC', x'62706C6973743030', x'00112233445566778899AABBCCDDEEFF'),
  -- a whole second stands as an integer; the picture in a file that is there
  (2, 12, 1, 0, -9223372036854775808, 32767, 0, 12, -0.0, 1e30, 'about:blank', 'ß',
    x'', x'0233333333333333332D343434342D343535352D383636362D37373737373737373737373700', NULL, NULL),
  -- the distant past; a file that is missing
  (3, 12, 1, NULL, NULL, NULL, -63114076800, -0.005, NULL, NULL, NULL, NULL,
    NULL, x'0244444444444444442D343434342D343535352D383636362D37373737373737373737373700', NULL, NULL),
  -- a moment beyond any calendar; a name of a file that is none
  (4, 12, 1, NULL, NULL, NULL, 123456789012345, NULL, NULL, NULL, NULL, NULL,
    NULL, x'022E2E2F2E2E2F2E2E2F2E2E2F2E2E2F2E2E2F6574632F7061737377642E2E2E2E2E2E2E2E00', NULL, NULL),
  (5, 12, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- The other end of an ordered to-many holds the order.
CREATE TABLE ZSTOP (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWALK INTEGER, Z_FOK_WALK INTEGER, ZTITLE VARCHAR);
CREATE INDEX ZSTOP_ZWALK_INDEX ON ZSTOP (ZWALK);
INSERT INTO ZSTOP VALUES
  (1, 13, 1, 1, 3072, 'end'), (2, 13, 1, 1, 1024, 'start'), (3, 13, 1, 1, 2048, 'middle'), (4, 13, 1, 2, 1024, 'only');

-- guest leads to an entity with sub-entities: the number of the guest's own entity stands beside its key.
CREATE TABLE ZVISIT (
  Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZGUEST INTEGER, Z2_GUEST INTEGER, ZPLACE INTEGER, ZDAY TIMESTAMP);
CREATE INDEX ZVISIT_ZGUEST_INDEX ON ZVISIT (ZGUEST);
CREATE INDEX ZVISIT_ZPLACE_INDEX ON ZVISIT (ZPLACE);
INSERT INTO ZVISIT VALUES
  (1, 14, 1, 1, 4, 1, NULL), (2, 14, 1, 2, 6, 1, NULL),
  (3, 14, 1, 99, 4, 2, NULL),  -- the guest is gone
  (4, 14, 1, NULL, NULL, NULL, NULL);

CREATE TABLE ZWALK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
INSERT INTO ZWALK VALUES (1, 20, 1, 'short'), (2, 20, 1, 'long');

-- Many to many, ordered one way; walk 1 has a guide who is gone (77).
CREATE TABLE Z_9WALKS (Z_9GUIDES INTEGER, Z_20WALKS INTEGER, Z_FOK_9GUIDES INTEGER, PRIMARY KEY (Z_9GUIDES, Z_20WALKS));
INSERT INTO Z_9WALKS VALUES (1, 1, 2048), (2, 1, 1024), (3, 1, 3072), (77, 1, 512), (2, 2, 1024);
-- Both ends are of one entity: the table may be called after either.
CREATE TABLE Z_9TEACHERS (Z_9TEACHERS INTEGER, Z_9PUPILS INTEGER, PRIMARY KEY (Z_9TEACHERS, Z_9PUPILS));
INSERT INTO Z_9TEACHERS VALUES (1, 2), (1, 3), (2, 3);
-- Its own inverse: each pair stands twice.
CREATE TABLE Z_9FRIENDS (Z_9FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_9FRIENDS, REFLEXIVE));
INSERT INTO Z_9FRIENDS VALUES (1, 2), (2, 1), (2, 4), (4, 2);
-- Two relationships called keepers lead to Person: one column has a number, here not the one that usually has it.
CREATE TABLE Z_9KEPTPLACES (Z_9KEEPERS1 INTEGER, Z_11KEPTPLACES INTEGER, PRIMARY KEY (Z_9KEEPERS1, Z_11KEPTPLACES));
INSERT INTO Z_9KEPTPLACES VALUES (2, 1), (3, 1);
CREATE TABLE Z_9KEPTWALKS (Z_9KEEPERS INTEGER, Z_20KEPTWALKS INTEGER, PRIMARY KEY (Z_9KEEPERS, Z_20KEPTWALKS));
INSERT INTO Z_9KEPTWALKS VALUES (4, 2);
-- Named after the end whose entity has sub-entities, whatever its number.
CREATE TABLE Z_2SEENAT (Z_2SEEN INTEGER, Z_11SEENAT INTEGER, PRIMARY KEY (Z_2SEEN, Z_11SEENAT));
INSERT INTO Z_2SEENAT VALUES (1, 1), (3, 1), (2, 2);
