/**
 * Words of station names in the spellings the field uses: one canonical form each. Street and
 * Saint share `st`: distinguishing them is not worth a wrong guess.
 */

/** Canonical form → spellings. The kind of thing a place is, worth less than its name. */
const WEAK: Readonly<Record<string, string>> = {
  st: "street str strasse saint sainte sankt santa san sta ste",
  ave: "avenue av avda avenida aven avd",
  blvd: "boulevard bd bld boul bvd blv bulevar",
  rd: "road",
  pl: "place plaza platz pza plaça placa piazza pzza plac plein praca",
  sq: "square",
  dr: "drive",
  ln: "lane",
  ct: "court",
  ter: "terrace tce",
  pkwy: "parkway pky",
  hwy: "highway",
  cres: "crescent cr",
  rue: "r",
  ch: "chemin che",
  all: "allee allees",
  rte: "route",
  quai: "q",
  calle: "cl",
  carrer: "c",
  via: "",
  rua: "",
  weg: "",
  stn: "station estacion stazione stacja bahnhof bhf gare",
  citywide: "city ville stadt",
};

/** Spellings of words that carry meaning. */
const STRONG: Readonly<Record<string, string>> = {
  university: "univ universite universitat universidad uni",
  centre: "center ctr centro zentrum",
  park: "pk parc parque parco",
  mount: "mt mont",
  fort: "ft",
  building: "bldg",
  hospital: "hosp hopital klinikum",
  library: "lib",
  junction: "jct",
  market: "mkt",
  bridge: "brg br",
  school: "sch",
  college: "coll",
  heights: "hts",
  gardens: "gdns garden",
  community: "comm",
  recreation: "rec",
};

const SIDES: Readonly<Record<string, string>> = {
  north: "n nord norte noord",
  south: "s sud sur sul zuid sued",
  east: "e est este oost ost",
  west: "w ouest oeste",
  northeast: "ne",
  northwest: "nw",
  southeast: "se",
  southwest: "sw",
};

const NUMBERS: Readonly<Record<string, string>> = {
  1: "first one premier",
  2: "second two",
  3: "third three",
  4: "fourth four",
  5: "fifth five",
  6: "sixth six",
  7: "seventh seven",
  8: "eighth eight",
  9: "ninth nine",
  10: "tenth ten",
};

/** Articles, prepositions and what joins two streets. */
const SILENT =
  "and the of at on in und et y a an am im der die das de du des d la le les l del della di da do dos das el los las corner near btw between across from";

export const NAME_WORD = 0;
const WEAK_WORD = 1;
export const NUMBER = 2;
export const SIDE = 3;
/** Two neighbouring characters of a script written without spaces. */
export const BIGRAM = 4;
export type WordKind = 0 | 1 | 2 | 3 | 4;

/** Weight of a word of each kind when two names are compared, by WordKind. */
export const WORD_VALUES: readonly number[] = [1, 0.25, 1, 0.5, 0.5];

type Entry = { word: string; kind: WordKind };

const TABLE = new Map<string, Entry | null>([
  ...SILENT.split(" ").map((word) => [word, null] as const),
  ...entriesOf(STRONG, NAME_WORD),
  ...entriesOf(WEAK, WEAK_WORD),
  ...entriesOf(SIDES, SIDE),
  ...entriesOf(NUMBERS, NUMBER),
]);

function entriesOf(table: Readonly<Record<string, string>>, kind: WordKind): [string, Entry][] {
  return Object.entries(table).flatMap(([word, spellings]) =>
    [word, ...spellings.split(" ")]
      .filter((spelling) => spelling !== "")
      .map((spelling): [string, Entry] => [spelling, { word, kind }]),
  );
}

const ORDINAL = /^0*(0|[1-9]\d*)(?:st|nd|rd|th|er|re|eme|ere|ieme|e|o|a)?$/;
const HAS_DIGIT = /\d/;

/** Looks up a folded word; null for one that says nothing. */
export function entryOf(folded: string): Entry | null {
  const entry = TABLE.get(folded);
  if (entry !== undefined) return entry;
  if (!HAS_DIGIT.test(folded)) return { word: folded, kind: NAME_WORD };
  return { word: ORDINAL.exec(folded)?.[1] ?? folded, kind: NUMBER };
}
