/// The notes of the demo store, all fictitious.
enum DemoNotes {
  /// The notes, one per line: date, colour, title and text separated by `|`.
  static let text = """
    2026-01-03 #FFE9A8 First frost|The pond froze overnight. Robins on the fence, waiting for me to \
    break the ice. Move the lemon tree indoors before the weekend.
    2026-01-11 #BFDDF2 Ferry to Visby|Timetable changes in March. The slow boat is half the price and \
    has the better coffee. Ask Greta whether the amber shop still takes letters.
    2026-01-19 #CDEAC0 Soup for a cold day|Leeks, two potatoes, the end of the cheese. Ten minutes less \
    than the book says. Coffee afterwards, not with it.
    2026-01-27 #F7C6D0 What the baker said|Flour weighs more on wet days. She keeps a jar of last week's \
    dough under the counter and calls it the lodger.
    2026-02-02 #D9CCF0 Names for the boat|Lesser Moon, Salt Caravan, Tuesday. Kofi votes for Tuesday \
    because nobody will paint it wrong.
    2026-02-09 #FFE9A8 Library, second floor|The atlas with the missing page is back. Someone drew the \
    island in by hand, with a lighthouse that is not there.
    2026-02-17 #BFDDF2 Tuning|The piano holds until the heating comes on. A bowl of water under it, and \
    the window closed when it rains from the west.
    2026-02-25 #FFD3A8 Marmalade, third try|Less sugar, more patience. Set on a cold plate. Six jars, one \
    of them for Aneta, who will say it is too bitter and finish it.
    2026-03-04 #CDEAC0 Seeds to order|Beans that climb, peas that do not. Nasturtium for the wall. The \
    catalogue has moved the sweet corn to a page of its own.
    2026-03-12 #F7C6D0 The clock in the hall|Runs four minutes fast when the door is left open. Nobody \
    has complained; everybody is early.
    2026-03-20 #D9CCF0 Equinox|Walked to the weir and back. Equal light, unequal shoes. Saw the otter, \
    or a very quick log.
    2026-03-29 #FFE9A8 Bicycle|New chain, old brakes. The bell has to be rung before the corner of the \
    ferry road, not on it.
    2026-04-06 #BFDDF2 Rain, slowly|Ice, then sleet, then rain, in the order of the film. Greta was \
    right about the hat.
    2026-04-14 #FFD3A8 Market list|Coffee, eggs, the soft cheese, string. A present for Hana: the paper \
    moon from the stall with the lamps.
    2026-04-22 #CDEAC0 Nettles|Gloves! Soup if they are young, tea if they are not, compost in any case.
    2026-04-30 #F7C6D0 A bench by the canal|It has a plate: to Ingrid, who preferred to stand. Sat down \
    and felt watched.
    2026-05-08 #D9CCF0 Choir|The plumbers sing on Thursdays now. The bass came straight from a job and \
    still had the wrench.
    2026-05-16 #FFE9A8 Map of the garden|North is where the shed is. Beans east, herbs where one can reach \
    them from the kitchen with one hand on the pan.
    2026-05-25 #BFDDF2 Letter from Jun|The express to Wakkanai still runs, with one carriage less. He sends \
    a lantern and asks for the marmalade recipe.
    2026-06-02 #FFD3A8 Swifts|Back on the second of June, as every year. They do not look at calendars; \
    we do, to see whether they are right.
    2026-06-10 #CDEAC0 Cherry cake|Stones out, all of them, count twice. The coffee cream was a mistake \
    that everybody wanted again.
    2026-06-21 #F7C6D0 Midsummer|Cancelled, then held anyway, in Björn's kitchen, with the window open and \
    the fiddler on the stairs.
    2026-06-30 #D9CCF0 Train of thought|Signal box nine has a cat. The night dispatcher writes its name in \
    the log, under arrivals.
    2026-07-09 #FFE9A8 Swimming|The lake is warm down to the knees. Below that it is still April.
    2026-07-18 #BFDDF2 Postcards to write|Inês: the tiles. Dai: the slate. Farid: bread, and that the \
    thousandth minaret is a chimney.
    2026-07-28 #FFD3A8 Storm|The weathercock turned twice around and pointed at the pub. Gutters to clean, \
    candles to buy, the third one is always missing.
    2026-08-06 #CDEAC0 Tomatoes at last|Forty-one. Most of them on the day we left. Salt, oil, bread, nothing \
    else.
    2026-08-15 #F7C6D0 At the puppet theatre|Pepík lost a hand and finished the scene without. The children \
    thought it belonged to the play.
    2026-08-24 #D9CCF0 Reading glasses|Found: in the refrigerator, beside the coffee. The list of likely \
    places has one line more.
    2026-09-02 #FFE9A8 School run|Lotte takes the ferry, the bicycle takes Lotte. Eleven minutes, nine with \
    the bell.
    2026-09-11 #BFDDF2 The orchard strike|Watched it again. The part with the ladder is longer than I \
    remembered, and better.
    2026-09-20 #FFD3A8 Quince|Hard as a promise. Grate it, cook it, wait until the colour of old brick.
    2026-09-29 #CDEAC0 Bulbs|Plant deeper than seems right, and write down where. Last year's surprise is \
    still looking at me through the hedge.
    2026-10-08 #F7C6D0 Coffee, a theory|It is never the beans. It is the second cup that decides what kind \
    of day it was.
    2026-10-17 #D9CCF0 Fog|Walked home by ear: the mill, the geese, the baker's radio. Arrived somewhere \
    very like home.
    2026-10-26 #FFE9A8 Clocks back|One hour for free. Spent it looking for the manual of the clock.
    2026-11-04 #BFDDF2 Winter piano|Carla plays with gloves until the second movement. The draught keeps \
    time.
    2026-11-13 #FFD3A8 Things lent|The Winter Piano to Esmé, still out. The ladder to the choir. An umbrella \
    to a man at the station, who nodded.
    """
}
