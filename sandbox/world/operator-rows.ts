// Who rents what, where, in which version of GBFS: a table. One row is one system; another city is a row.
import type { Operator } from "./model.ts";
import type { TypeKey } from "./vehicle-types.ts";

export type Row = Omit<
  Operator,
  "city" | "name" | "types" | "key" | "auth" | "alerts" | "zones"
> & {
  readonly city: string;
  readonly name: string | readonly [local: string, english: string];
  readonly types: readonly TypeKey[];
  readonly auth?: Operator["auth"];
  readonly alerts?: true;
  readonly zones?: true;
  /** Centre of its area, in metres from the city's; absent: the same. */
  readonly site?: readonly [east_m: number, north_m: number];
};

type Stations = NonNullable<Row["stations"]>;

const stations =
  (model: Stations["model"], virtual_share: number, charging_share: number) =>
  (count: number): Stations => ({ count, model, virtual_share, charging_share });
const docks = stations("pool", 0, 0.2);
const lots = (count: number, virtual_share: number): Stations =>
  stations("fleet", virtual_share, 0.4)(count);
const roaming = (count: number): Row["fleet"] => ({ count, docked_share: 0 });

type OwnRow = Pick<Row, "id" | "city" | "name" | "company" | "versions">;

/** What is usual of a kind; a row says what is its own, and what of the usual is not so. */
const usual =
  (kind: Omit<Row, keyof OwnRow>) =>
  (row: OwnRow & Partial<Row>): Row => ({ ...kind, ...row });

const dockedBikes = usual({
  types: ["bike", "ebike"],
  reserve_min: null,
  reach_m: 2800,
  stations: docks(110),
  fleet: null,
  ids: "numbers",
  licence: "CC-BY-4.0",
});
const scooters = usual({
  types: ["scooter"],
  reserve_min: 10,
  reach_m: 2600,
  stations: null,
  fleet: roaming(220),
  ids: "codes",
  licence: "CC0-1.0",
});
const mopeds = usual({
  types: ["moped"],
  reserve_min: 15,
  reach_m: 3000,
  stations: null,
  fleet: roaming(130),
  ids: "codes",
  licence: "CC-BY-4.0",
});
const carsOf = usual({
  types: ["car_electric", "car_estate", "car_hybrid"],
  reserve_min: 30,
  reach_m: 2500,
  stations: lots(50, 0.3),
  fleet: { count: 100, docked_share: 1, roundtrip: true },
  ids: "uuids",
  licence: "ODbL-1.0",
});
const cars = (row: Omit<OwnRow, "versions"> & Partial<Row>): Row =>
  carsOf({ versions: ["3.0"], ...row });

/** Two systems on the same docks, across the harbour, where no other rents anything. */
const succession = (row: Omit<OwnRow, "city" | "name"> & Partial<Row>): Row =>
  dockedBikes({
    city: "sydney",
    site: [7300, 8000],
    name: "Quayside Bikes",
    reach_m: 350,
    stations: { ...docks(8), always_open: true },
    gbfs_only: true,
    ...row,
  });

export const ROWS: readonly Row[] = [
  dockedBikes({
    id: "paris-velo-seine",
    city: "paris",
    name: ["Vélo Seine", "Seine Bikes"],
    company: "Société des Cycles Riverains",
    versions: ["3.0"],
    reach_m: 2000,
    stations: docks(150),
    ids: "uuids",
    licence: "ODbL-1.0",
  }),
  scooters({
    id: "paris-trotti-lune",
    city: "paris",
    name: ["Trotti’Lune", "MoonScoot Paris"],
    company: "Lune Mobilité",
    versions: ["2.3"],
    types: ["scooter", "scooter_old"],
    reach_m: 1500,
    stations: lots(70, 1),
    fleet: { count: 380, docked_share: 0.4 },
  }),
  scooters({
    id: "paris-zigzag",
    city: "paris",
    name: "Zigzag Paris",
    company: "Zigzag SAS",
    versions: ["3.0"],
    reach_m: 1500,
    fleet: roaming(360),
    zones: true,
  }),
  // An aggregator's feed of some of them, behind a code space or under ids of its own.
  scooters({
    id: "paris-carrefour-zigzag",
    city: "paris",
    name: "Zigzag Paris",
    company: "Carrefour Mobilité",
    versions: ["2.3"],
    reach_m: 1500,
    fleet: roaming(90),
    copies: "paris-zigzag",
  }),
  mopeds({
    id: "paris-mob-azur",
    city: "paris",
    name: ["Mob’Azur", "Azur Mopeds"],
    company: "Azur Deux-Roues",
    versions: ["3.0"],
  }),
  cars({
    id: "paris-auto-voisine",
    city: "paris",
    name: ["Auto Voisine", "Neighbour Car"],
    company: "Coopérative Auto Voisine",
  }),

  dockedBikes({
    id: "london-thames-cycles",
    city: "london",
    name: "Thames Cycles",
    company: "Thames Cycles Ltd",
    versions: ["1.0"],
    stations: docks(130),
  }),
  scooters({
    id: "london-hoppa",
    city: "london",
    name: "Hoppa London",
    company: "Hoppa Mobility Ltd",
    versions: ["2.3"],
    reserve_min: 0,
    stations: stations("bays", 1, 0)(60),
  }),
  cars({
    id: "london-carcove",
    city: "london",
    name: "CarCove",
    company: "CarCove Clubs Ltd",
    stations: lots(50, 0.6),
  }),

  dockedBikes({
    id: "berlin-spreerad",
    city: "berlin",
    name: ["Spreerad", "Spree Bikes"],
    company: "Spreerad GmbH",
    versions: ["2.3"],
    reserve_min: 5,
  }),
  scooters({
    id: "berlin-flitzer",
    city: "berlin",
    name: "Flitzer",
    company: "Flitzer Rollerverleih GmbH",
    versions: ["3.0"],
    types: ["scooter", "seated"],
  }),
  mopeds({
    id: "berlin-surrmobil",
    city: "berlin",
    name: "Surrmobil",
    company: "Surrmobil UG",
    versions: ["2.3"],
  }),
  cars({
    id: "berlin-kiezauto",
    city: "berlin",
    name: ["Kiezauto", "Kiez Car"],
    company: "Kiezauto eG",
    auth: "oauth2",
  }),

  dockedBikes({
    id: "madrid-pedalea",
    city: "madrid",
    name: ["Pedalea Madrid", "Pedal Madrid"],
    company: "Pedalea Municipal",
    versions: ["2.3", "3.0"],
    ids: "codes",
  }),
  scooters({
    id: "madrid-rapidin",
    city: "madrid",
    name: "Rapidín",
    company: "Rapidín Movilidad SL",
    versions: ["3.0"],
    reserve_min: null,
  }),
  mopeds({
    id: "madrid-motocalma",
    city: "madrid",
    name: "Motocalma",
    company: "Motocalma SL",
    versions: ["3.0"],
  }),

  dockedBikes({
    id: "warsaw-wislane-rowery",
    city: "warsaw",
    name: ["Wiślane Rowery", "Vistula Bikes"],
    company: "Miejskie Rowery Wiślane",
    versions: ["1.0"],
  }),
  scooters({
    id: "warsaw-hulajka",
    city: "warsaw",
    name: "Hulajka",
    company: "Hulajka sp. z o.o.",
    versions: ["2.3"],
    reserve_min: 15,
  }),
  scooters({
    id: "warsaw-zolty-rower",
    city: "warsaw",
    name: ["Żółty Rower", "Yellow Bike"],
    company: "Żółty Rower sp. z o.o.",
    versions: ["2.3"],
    types: ["bike", "ebike", "cargo"],
    reserve_min: 10,
    stations: { count: 65, model: "fleet", virtual_share: 0.15, charging_share: 0.3 },
    fleet: { count: 300, docked_share: 0.7 },
    ids: "numbers",
    licence: "CC-BY-4.0",
  }),

  dockedBikes({
    id: "new-york-hudson-wheels",
    city: "new-york",
    name: "Hudson Wheels",
    company: "Hudson Wheels LLC",
    versions: ["2.3", "1.0"],
    stations: docks(140),
    ids: "uuids",
    alerts: true,
  }),
  scooters({
    id: "new-york-skoot",
    city: "new-york",
    name: "Skoot NYC",
    company: "Skoot Inc",
    versions: ["3.0"],
    auth: "query",
  }),
  cars({ id: "new-york-blockcar", city: "new-york", name: "Blockcar", company: "Blockcar Inc" }),

  dockedBikes({
    id: "san-francisco-fogbike",
    city: "san-francisco",
    name: "Fogbike",
    company: "Fogbike Inc",
    versions: ["3.0"],
    ids: "uuids",
  }),
  scooters({
    id: "san-francisco-cablehop",
    city: "san-francisco",
    name: "Cablehop",
    company: "Cablehop Inc",
    versions: ["2.3"],
  }),

  dockedBikes({
    id: "mexico-city-ajolote",
    city: "mexico-city",
    name: "Ajolote Bici",
    company: "Ajolote Movilidad",
    versions: ["1.0"],
    stations: {
      count: 120,
      model: "pool",
      virtual_share: 0,
      charging_share: 0,
      uncounted_docks: "null",
    },
  }),
  scooters({
    id: "mexico-city-patinalia",
    city: "mexico-city",
    name: "Patinalia",
    company: "Patinalia SA de CV",
    versions: ["3.0"],
  }),

  dockedBikes({
    id: "sao-paulo-bici-jacaranda",
    city: "sao-paulo",
    name: ["Bici Jacarandá", "Jacaranda Bikes"],
    company: "Jacarandá Mobilidade",
    versions: ["2.3"],
  }),
  scooters({
    id: "sao-paulo-patinho",
    city: "sao-paulo",
    name: "Patinho",
    company: "Patinho Tecnologia Ltda",
    versions: ["2.3"],
    types: ["scooter_old"],
  }),
  mopeds({
    id: "sao-paulo-motoca",
    city: "sao-paulo",
    name: "Motoca",
    company: "Motoca Compartilhada Ltda",
    versions: ["3.0"],
  }),

  dockedBikes({
    id: "tokyo-sakura-cycle",
    city: "tokyo",
    name: ["さくらサイクル", "Sakura Cycle"],
    company: "株式会社さくらサイクル",
    versions: ["3.0"],
    reach_m: 2000,
    stations: docks(150),
    ids: "codes",
  }),
  scooters({
    id: "tokyo-hayate",
    city: "tokyo",
    name: ["はやて", "Hayate"],
    company: "はやてモビリティ株式会社",
    versions: ["2.3"],
    reach_m: 1350,
    fleet: roaming(380),
    auth: "headers",
  }),
  scooters({
    id: "tokyo-kazemaru",
    city: "tokyo",
    name: ["かぜまる", "Kazemaru"],
    company: "合同会社かぜまる",
    versions: ["3.0"],
    types: ["scooter", "seated"],
    reach_m: 1350,
    fleet: roaming(340),
  }),
  cars({
    id: "tokyo-machi-car",
    city: "tokyo",
    name: ["まちカー", "Machi Car"],
    company: "まちカー株式会社",
    stations: lots(50, 0.2),
  }),

  dockedBikes({
    id: "sydney-harbour-bikes",
    city: "sydney",
    name: "Harbour Bikes",
    company: "Harbour Bikes Pty Ltd",
    versions: ["1.0"],
    fleet: roaming(100),
    auth: "basic",
  }),
  scooters({
    id: "sydney-zippo",
    city: "sydney",
    name: "Zippo Sydney",
    company: "Zippo Pty Ltd",
    versions: ["3.0"],
  }),
  cars({ id: "sydney-shareyard", city: "sydney", name: "Shareyard", company: "Shareyard Pty Ltd" }),

  dockedBikes({
    id: "cape-town-fynbos-fietse",
    city: "cape-town",
    name: ["Fynbos Fietse", "Fynbos Bikes"],
    company: "Fynbos Fietse NPC",
    versions: ["2.3"],
  }),
  scooters({
    id: "cape-town-glyer",
    city: "cape-town",
    name: "Glyer",
    company: "Glyer (Pty) Ltd",
    versions: ["3.0"],
  }),

  dockedBikes({
    id: "taveuni-reef-rides",
    city: "taveuni",
    name: "Reef Rides",
    company: "Reef Rides Cooperative",
    versions: ["3.0"],
    reach_m: 2200,
    stations: docks(70),
  }),
  scooters({
    id: "taveuni-bula-scoot",
    city: "taveuni",
    name: "Bula Scoot",
    company: "Bula Scoot Ltd",
    versions: ["2.3"],
    reach_m: 1800,
    fleet: roaming(140),
  }),

  // The second took over the first one's docks, and its name; both are still published.
  succession({
    id: "sydney-quayside",
    company: "Quayside Bikes Pty Ltd",
    versions: ["1.0"],
    successor: "sydney-quayside-next",
  }),
  succession({
    id: "sydney-quayside-next",
    company: "Tern Mobility Pty Ltd",
    versions: ["2.3"],
    ids: "uuids",
  }),
];
