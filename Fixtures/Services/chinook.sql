-- A store of music with the tables of the Chinook database and rows of our own.
-- The tables are those of Chinook by Luis Rocha; its rows are not here.
CREATE TABLE Artist (ArtistId INTEGER NOT NULL PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE Genre (GenreId INTEGER NOT NULL PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE MediaType (MediaTypeId INTEGER NOT NULL PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE Album (
  AlbumId INTEGER NOT NULL PRIMARY KEY, Title NVARCHAR(160) NOT NULL,
  ArtistId INTEGER NOT NULL REFERENCES Artist (ArtistId));
CREATE TABLE Track (
  TrackId INTEGER NOT NULL PRIMARY KEY, Name NVARCHAR(200) NOT NULL,
  AlbumId INTEGER REFERENCES Album (AlbumId),
  MediaTypeId INTEGER NOT NULL REFERENCES MediaType (MediaTypeId),
  GenreId INTEGER REFERENCES Genre (GenreId), Composer NVARCHAR(220),
  Milliseconds INTEGER NOT NULL, Bytes INTEGER, UnitPrice NUMERIC(10,2) NOT NULL);
CREATE TABLE Employee (
  EmployeeId INTEGER NOT NULL PRIMARY KEY, LastName NVARCHAR(20) NOT NULL,
  FirstName NVARCHAR(20) NOT NULL, Title NVARCHAR(30),
  ReportsTo INTEGER REFERENCES Employee (EmployeeId), BirthDate DATETIME, HireDate DATETIME,
  Address NVARCHAR(70), City NVARCHAR(40), State NVARCHAR(40), Country NVARCHAR(40),
  PostalCode NVARCHAR(10), Phone NVARCHAR(24), Fax NVARCHAR(24), Email NVARCHAR(60));
CREATE TABLE Customer (
  CustomerId INTEGER NOT NULL PRIMARY KEY, FirstName NVARCHAR(40) NOT NULL,
  LastName NVARCHAR(20) NOT NULL, Company NVARCHAR(80), Address NVARCHAR(70), City NVARCHAR(40),
  State NVARCHAR(40), Country NVARCHAR(40), PostalCode NVARCHAR(10), Phone NVARCHAR(24),
  Fax NVARCHAR(24), Email NVARCHAR(60) NOT NULL,
  SupportRepId INTEGER REFERENCES Employee (EmployeeId));
CREATE TABLE Invoice (
  InvoiceId INTEGER NOT NULL PRIMARY KEY,
  CustomerId INTEGER NOT NULL REFERENCES Customer (CustomerId), InvoiceDate DATETIME NOT NULL,
  BillingAddress NVARCHAR(70), BillingCity NVARCHAR(40), BillingState NVARCHAR(40),
  BillingCountry NVARCHAR(40), BillingPostalCode NVARCHAR(10), Total NUMERIC(10,2) NOT NULL);
CREATE TABLE InvoiceLine (
  InvoiceLineId INTEGER NOT NULL PRIMARY KEY,
  InvoiceId INTEGER NOT NULL REFERENCES Invoice (InvoiceId),
  TrackId INTEGER NOT NULL REFERENCES Track (TrackId), UnitPrice NUMERIC(10,2) NOT NULL,
  Quantity INTEGER NOT NULL);
CREATE TABLE Playlist (PlaylistId INTEGER NOT NULL PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE PlaylistTrack (
  PlaylistId INTEGER NOT NULL REFERENCES Playlist (PlaylistId),
  TrackId INTEGER NOT NULL REFERENCES Track (TrackId), PRIMARY KEY (PlaylistId, TrackId));

INSERT INTO Genre VALUES (1,'Rock'),(2,'Jazz'),(3,'Métal'),(4,'Soul & Funk'),(5,NULL);
INSERT INTO MediaType VALUES (1,'MPEG audio file'),(2,'AAC audio file');
INSERT INTO Playlist VALUES (1,'Music'),(2,'90’s'),(3,'Grunge');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO Artist SELECT i, CASE i % 8 WHEN 0 THEN NULL WHEN 1 THEN 'O''Brien ' || i
  WHEN 2 THEN 'zoë ' || i WHEN 3 THEN 'Zoe ' || i WHEN 4 THEN 'AC/DC ' || i
  WHEN 5 THEN '100% + ' || i WHEN 6 THEN 'Straße ' || i ELSE 'the band ' || i END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
INSERT INTO Album SELECT i, 'Album ' || (i * 7 % 100), i * 3 % 40 + 1 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
INSERT INTO Track SELECT i, CASE i % 4 WHEN 0 THEN 'Song' WHEN 1 THEN 'song' ELSE 'Lied' END
  || ' (' || (i * 13 % 1200) || ')', CASE WHEN i % 50 THEN i * 11 % 100 + 1 END, i % 2 + 1,
  CASE WHEN i % 30 THEN i % 5 + 1 END, CASE WHEN i % 3 THEN 'Composer ' || (i % 17) END,
  180000 + i * 7919 % 200000, CASE WHEN i % 7 THEN i * 1000003 % 9000000 END,
  CASE WHEN i % 10 THEN 0.99 ELSE 1.99 END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8)
INSERT INTO Employee SELECT i, 'Last' || i, 'First' || i, 'Agent',
  CASE WHEN i > 1 THEN (i + 1) / 3 END, '19' || (50 + i) || '-0' || i || '-11 00:00:00',
  '2003-05-0' || i || ' 00:00:00', NULL, 'Calgary', 'AB', 'Canada', 'T2P 5M' || i, NULL, NULL,
  'e' || i || '@chinook.example' FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO Customer SELECT i, 'Given' || i, 'Family' || (i % 9), NULL, NULL, 'City ' || (i % 6),
  NULL, CASE i % 4 WHEN 0 THEN 'Norway' WHEN 1 THEN 'Brazil' WHEN 2 THEN 'Canada' END, NULL, NULL,
  NULL, 'c' || i || '@example.org', i % 8 + 1 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
INSERT INTO Invoice SELECT i, i % 60 + 1, datetime(1230768000 + i * 86400 * 7, 'unixepoch'), NULL,
  NULL, NULL, CASE i % 3 WHEN 0 THEN 'Norway' WHEN 1 THEN 'Brazil' ELSE 'Canada' END, NULL,
  round(0.99 * (i % 9 + 1), 2) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
INSERT INTO InvoiceLine SELECT i, i % 200 + 1, i * 7 % 1200 + 1, 0.99, i % 3 + 1 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
INSERT INTO PlaylistTrack SELECT i % 3 + 1, i FROM n;
