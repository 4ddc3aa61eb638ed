/**
 * Names that no place of the gazetteer has, made of parts of villages' names in eight languages, and a
 * judge of what is offered for them that shares no code with the gazetteer: it compares whole names.
 */
import type { PlaceRow } from "#osm/geocoder/geocoder-section.ts";

const PARTS: readonly (readonly [beginnings: string, ends: string])[] = [
  [
    "Ober Unter Nieder Hinter Alten Neuen Stein Wald Eich Hohen Linden Rosen Gross Klein Mühl Kirch",
    "dorf heim bach berg hausen ingen stetten feld kirchen au ried brunn hofen rode leben weiler",
  ],
  [
    "Upper Nether Ash Black Broad Clay Dun East Far Hart Kings Long Marsh Oak Thorn West Wood Stow",
    "ton ham ford bury ley worth wick by thorpe combe stead field minster well bourne hurst",
  ],
  [
    "Saint-Aubert Château Mont Ville Beau Haute Neuve Roche Clair Pont Grand Val Fontaine Champ Bois",
    "ville court sur-Ille mont val bois lieu bourg champ ry gny sac neuf font le-Vieux igny",
  ],
  [
    "Villa Torre Santa-Brun Castel Ribera Alde Puebla Fuen Campo Monte Agua Pera Valde Cala Quinta",
    "nueva mora seca bella franca mayor lobos rejo casa dueña hondo mira verde illa ales eda",
  ],
  [
    "Monte Castel Borgo San-Bert Valle Rocca Torre Ponte Villa Colle Campo Pieve Serra Acqua Riva",
    "nuovo vecchio rotto bruno chiaro secco ferro alto corvo lupo grado etto asco ino ata ello",
  ],
  [
    "Stara Nowa Wielka Mała Dolna Górna Kamien Lip Brzoz Dąb Kow Zal Czarn Biał Jas Krus",
    "owice ówka nica owo ewo in ice ów any iska anka niki szyn owa ino ysko",
  ],
  [
    "Nieuw Oude Zuid Noord Ooster Wester Hoog Laag Veen Broek Kerk Molen Zand Berg Water Hei",
    "dijk veen hoven dam wijk donk loo kerke burg straten drecht kapelle zele beek rode horst",
  ],
  [
    "Nörre Söder Väster Öster Stor Lill Gran Björk Sand Sten Kvarn Berg Ny Gammel Skog Strand",
    "by torp köping sund vik näs holm berga stad hult ås boda fors löv rud inge",
  ],
];

type Dice = { integer(from: number, to: number): number; chance(probability: number): boolean };

const LETTERS = "a b d e i k l m n o r s t u z".split(" ");

/** `isKnown`: folded names of the gazetteer. Every fourth has a letter changed, so that it looks like a slip. */
export function makeUnknownNames(
  count: number,
  dice: Dice,
  isKnown: (name: string) => boolean,
): string[] {
  const names = new Set<string>();
  const pick = <T>(list: readonly T[]): T => list[dice.integer(0, list.length - 1)]!;
  while (names.size < count) {
    const [beginnings, ends] = pick(PARTS);
    let name = pick(beginnings.split(" ")) + pick(ends.split(" "));
    if (dice.chance(0.3)) name = `${pick(beginnings.split(" "))} ${name}`;
    if (dice.chance(0.25)) {
      const at = dice.integer(1, name.length - 2);
      name = name.slice(0, at) + pick(LETTERS) + name.slice(at + 1);
    }
    if (!isKnown(name)) names.add(name);
  }
  return [...names];
}

/** Typing errors that a name of `length` letters may have: one from five letters, two from ten. */
function allowedIn(length: number): number {
  return length < 5 ? 0 : length < 10 ? 1 : 2;
}

/** How many letters apart a question and the nearest name of a place are, blanks and hyphens aside. */
function lettersApart(q: string, { name, names }: Pick<PlaceRow, "name" | "names">): number {
  const request = plain(q);
  return Math.min(
    ...[name, ...Object.values(names ?? {})].flatMap((each) => {
      const all = each.split(/[\s,()/-]+/);
      // A longer name may be cut: `Frankfurt` for `Frankfurt am Main`.
      const parts = all.flatMap((_, from) =>
        all.slice(from).map((__, n) => all.slice(from, from + n + 1)),
      );
      return [plain(each), ...parts.map((part) => plain(part.join("")))].map((text) =>
        distance(request, text),
      );
    }),
  );
}

export function plain(text: string): string {
  return text
    .replace(/[łŁ]/g, "l")
    .replace(/[øØ]/g, "o")
    .replace(/ß/g, "ss")
    .replace(/[œŒ]/g, "oe")
    .replace(/[æÆ]/g, "ae")
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}

/** Damerau's, of the whole matrix. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 1; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        exchanged ? rows[i - 2]![j - 2]! + 1 : Infinity,
      );
    }
  return rows[a.length]![b.length]!;
}

/** What is offered for names that nothing has. */
export type Offered = {
  offered: number;
  /** Offers that are further away than one typing error a word. */
  far: string[];
  /** Offers that are not as the name is, and do not say so. */
  omitted: string[];
};

type Offer = { label: string; location: { lat: number; lon: number }; misspelt?: boolean };

/** Judges all offers for some names by the rows that the gazetteer is made of. */
export function judgeOffers(
  names: readonly string[],
  rows: readonly PlaceRow[],
  ask: (q: string) => readonly Offer[],
): Offered {
  const keyOf = ({ lat, lon }: Offer["location"]): string =>
    `${Math.round(lat * 1e7)} ${Math.round(lon * 1e7)}`;
  const byPoint = Map.groupBy(rows, keyOf);
  const match: Offered = { offered: 0, far: [], omitted: [] };
  for (const q of names) {
    const allowed = q.split(" ").reduce((sum, word) => sum + allowedIn(word.length), 0);
    for (const { label, location, misspelt } of ask(q)) {
      match.offered++;
      const other = byPoint.get(keyOf(location)) ?? [];
      const apart = Math.min(...other.map((row) => lettersApart(q, row)));
      if (apart > allowed) match.far.push(`${q} → ${label} (${apart})`);
      if (apart > 0 && misspelt !== true) match.omitted.push(`${q} → ${label} (${apart})`);
    }
  }
  return match;
}

/** Comparable forms of all names of some rows. */
export function plainNames(rows: readonly PlaceRow[]): Set<string> {
  return new Set(
    rows.flatMap(({ name, names }) => [name, ...Object.values(names ?? {})]).map(plain),
  );
}
