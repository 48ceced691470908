/// The people of the demo store, their DVDs and loans, all fictitious.
enum DemoPeople {
  /// The people, one per line: user name, full name.
  static let people = """
    aneta Aneta Brzozowska
    bjorn Björn Åkesson
    carla Carla Figueroa
    dai Dai Llewellyn
    esme Esmé Duval
    farid Farid Haddad
    greta Greta Lindqvist
    hana Hana Novotná
    ines Inês Carvalho
    jun Jun Watanabe
    kofi Kofi Mensah
    lotte Lotte van Dijk
    """

  /// The DVDs, one per line: purchase date, owner's user name, genre, title.
  static let discs = """
    2003-02-14 aneta Comedy The Accidental Beekeeper
    2003-06-30 bjorn Adventure North of the Last Map
    2003-11-08 carla Drama A House on Both Rivers
    2004-01-17 dai Mystery The Harbour Master's Ledger
    2004-03-05 esme Romance Seven Umbrellas
    2004-05-22 farid Thriller The Quiet Frequency
    2004-08-01 greta Documentary Ice, Slowly
    2004-09-12 hana Animation Pepík and the Paper Moon
    2004-12-24 ines Musical Fado for Two Trams
    2005-02-02 jun Science-Fiction Orbit of the Lesser Moon
    2005-04-19 kofi Adventure The Salt Caravan
    2005-07-07 lotte Comedy Tulips at Half Past Nine
    2005-10-15 aneta Drama The Winter Piano
    2006-01-06 bjorn Thriller Below the Fjord
    2006-03-18 carla Comedy My Cousin the Matador's Dentist
    2006-06-01 dai Documentary Slate and Singing
    2006-08-27 esme Animation The Cat Who Kept Time
    2006-11-11 farid Drama Letters to Latakia
    2007-02-20 greta Mystery The Clockmaker of Visby
    2007-05-05 hana Science-Fiction Robot, Plural
    2007-09-09 ines Romance The Lighthouse Sonata
    2007-12-01 jun Animation Seven Hundred Lanterns
    2008-02-29 kofi Documentary The Drum Makers
    2008-06-14 lotte Mystery Murder on the Bicycle Ferry
    2008-10-31 aneta Mystery The Third Candle
    2009-01-25 bjorn Drama What the Snow Owed
    2009-05-17 carla Musical Tango in the Laundry
    2009-08-08 dai Comedy A Choir of Plumbers
    2009-12-12 esme Thriller Platform Zero
    2010-03-03 farid Romance Jasmine, Tuesday
    2010-07-19 greta Adventure The Amber Road
    2010-11-28 hana Comedy Dumplings at Dawn
    2011-04-02 ines Drama The Cork Harvest
    2011-09-23 jun Thriller The Last Express to Wakkanai
    2012-01-14 kofi Comedy The Chief's New Tractor
    2012-06-21 lotte Documentary Below Sea Level
    2012-10-05 aneta Science-Fiction The Glass Astronaut
    2013-02-17 bjorn Comedy Midsummer, Cancelled
    2013-07-26 carla Adventure Across the Salt Flats
    2013-12-08 dai Drama The Chapel by the Pit
    2014-05-11 esme Romance The Bookbinder's Daughter
    2014-09-30 farid Adventure Wind over Palmyra Road
    2015-03-22 greta Science-Fiction Eleven Winters
    2015-08-15 hana Drama The Puppet Theatre
    2016-01-31 ines Mystery The Tile Painter
    2016-07-04 jun Comedy The Ramen Inspector
    2017-02-12 kofi Musical Highlife Avenue
    2017-10-20 lotte Animation The Windmill That Would Not
    2018-04-28 aneta Thriller The Night Dispatcher
    2018-12-16 bjorn Documentary Herring Years
    2019-06-09 carla Drama The Orchard Strike
    2019-11-02 dai Thriller Signal Box Nine
    2020-03-15 esme Comedy The Understudy's Understudy
    2020-09-18 farid Documentary A Thousand Minarets of Bread
    2021-05-29 greta Romance The Ferry Timetable
    2022-01-08 hana Mystery The Glass Orchard
    2022-08-13 ines Animation The Sardine Who Flew
    2023-03-25 jun Drama The Garden of Two Gates
    2024-02-10 kofi Science-Fiction The Baobab Signal
    2025-06-28 lotte Drama Polder
    """

  /// The loans, one per line: date lent, date returned or `-`, borrower's user name, title.
  static let loans = """
    2019-02-03 2019-02-24 hana The Accidental Beekeeper
    2019-07-20 2019-09-01 dai Ice, Slowly
    2020-01-11 2020-03-30 jun Below the Fjord
    2020-12-05 2021-01-09 carla Seven Umbrellas
    2021-04-17 2021-05-02 kofi Robot, Plural
    2022-02-26 - esme The Winter Piano
    2022-10-08 2022-11-20 aneta Tango in the Laundry
    2023-06-16 2023-08-01 lotte Signal Box Nine
    2024-01-27 - bjorn The Ramen Inspector
    2024-05-19 2024-06-02 farid Polder
    2025-03-08 - greta The Windmill That Would Not
    2025-09-14 2025-10-05 ines The Glass Orchard
    """
}
