/// The colours of the demo store, one per line: the name and the sRGB value.
enum DemoColors {
  static let text = """
    Acorn Cap #8A5A33
    Afternoon Tea #B5763B
    Alpine Shade #4F7C7A
    Amber Lamp #F0A830
    Autumn Bonfire #C4501B
    Beach Pebble #B9B2A3
    Beetle Wing #1F5B4C
    Birch Bark #E9E1D0
    Blackboard #2B332F
    Bramble Jam #5E1F45
    Buttered Toast #D9A45B
    Candle Smoke #8B8589
    Cellar Door #3C4A3A
    Chestnut Mare #7A3B22
    Clover Field #4C9A4A
    Copper Kettle #B5652F
    Corner Shop #D7402B
    Cranberry Bog #A01A3A
    Daffodil Bend #FFD63A
    Dawn Ferry #F3B7A4
    Deck Chair #2F7FBF
    Driftwood #9C8467
    Duck Pond #3E7F6B
    Elder Blossom #F4EFD6
    Ember Glow #E8562A
    Evening Tide #2A4B7C
    Eyebright #A9A6E0
    Falling Snow #F6F9FB
    Fern Gully #3B7A3E
    Firefly #E6E24A
    Fog Bank #B7BEC4
    Fox Trail #C8622C
    Garden Gate #2F6E50
    Ginger Biscuit #B8763E
    Gooseberry #A9C06A
    Grain Silo #D8C08A
    Hay Loft #D9BE6C
    Hazel Wand #7E6A42
    Heather Moor #8C6A9E
    Hedge Maze #2E5E34
    Honey Jar #E5A52A
    Icehouse #CFE6EE
    Indigo Yarn #35307F
    Inkwell #1A2244
    Ivy Wall #33663F
    Jackdaw #3A3D48
    Jam Sponge #D8657A
    Jelly Mould #E83A4F
    Jetty #6B6257
    Juniper #4A6A78
    Kelp Bed #5A5F24
    Kestrel #A5693F
    Kite Tail #F2653D
    Kitchen Tile #7FC4C0
    Ladybird #D81E2C
    Lantern Street #F5BE5A
    Larkspur #5566C3
    Laundry Day #C9DDF2
    Lemon Curd #F8DC55
    Library Green #1F4D3A
    Lighthouse #F7F3EA
    Maple Syrup #9A4A1C
    Marmalade #F18A1C
    Meadow Mist #B7D6B0
    Midnight Train #141C3A
    Millpond #4E7E8C
    Mint Julep #9ADCB8
    Moth Wing #BFAF9B
    Mulberry Lane #7A2452
    Nettle Soup #5E8A3A
    North Sea #3A5F73
    Nutmeg #8B5A36
    Oat Milk #EDE3CF
    Old Penny #8C4B2B
    Olive Press #7B7A2C
    Orchard Row #7FB04A
    Otter Stream #6A5140
    Paper Lantern #FFE3A8
    Peat Fire #4A3326
    Peony Border #E988A8
    Picnic Rug #C23B4B
    Plum Stone #6A2F55
    Poppy Verge #E5352B
    Quarry Stone #94989A
    Quayside #5C7A8A
    Quince Jelly #E58A55
    Rain Barrel #5A6E7F
    Raspberry Cane #C41F56
    Robin Song #D9552B
    Rowan Berry #DA3A1E
    Saffron Thread #F4B41A
    Seaglass #8FD0BC
    Slate Roof #5A6470
    Snowdrop #F2F7EC
    Spring Lamb #F5EDE2
    Starling #2E2A48
    Strawberry Patch #E83F57
    Sunday Best #2C3A78
    Thistle Down #B79CC9
    Thunderhead #4A5260
    Toadstool #D42F2F
    Twilight Bus #5B4A8C
    Umber Barn #6B4A2E
    Umbrella Blue #2B58A8
    Upland Gorse #EBC32C
    Velvet Rope #8A1538
    Verdigris Dome #4FA58F
    Vine Row #6E8B3D
    Violet Cream #A56BC0
    Walnut Desk #5C3D27
    Wellington #2F5A3C
    Wheat Sheaf #E4C476
    Willow Plate #3F66A8
    Windfall Apple #B6C94A
    Yacht Varnish #A9652A
    Yarrow #EFE08A
    Yew Hedge #21492F
    Yolk #FBBF24
    Zephyr #BFE3E6
    Zinc Bath #9AA5AB
    """
}
