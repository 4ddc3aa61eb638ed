// Rows that no reader may show: known defects of the register (places.md 4.1).
import { around, type Point } from "../geo.ts";
import { hash, hashText, pick, unit } from "../rng.ts";
import type { City } from "../world/model.ts";
import { featureAt, type Row, spelling } from "./rows.ts";

/** Geocoded to nowhere in particular, repeatedly. */
const PLACEHOLDERS: readonly Point[] = [
  { lat: 48.87718, lon: 2.335965 },
  { lat: 48.856614, lon: 2.352222 },
];
const SHARING = 12;
const LYON: Point = { lat: 45.764, lon: 4.8357 };

/** Whatever else a row says, one of these takes it out. */
const OUT: readonly Row[] = [
  { c_etat_fonct: "Hors service" },
  { c_etat_fonct: "Absent momentanément" },
  { c_etat: "Supprimé" },
  { c_doublon: "t" },
  { c_doublon: true },
  { c_doublon: "true" },
  { c_dae_mobile: "t" },
  { c_dae_mobile: true },
];

export function listDefects(city: City, seed: number): unknown[] {
  const key = hash(seed, hashText(city.id), 0x6465_66);
  const row = (n: number, extra: Row = {}): Row => ({ ...plain(city, key, n), ...extra });
  const somewhere = (n: number): Point =>
    around(city, unit(key, n, 1), 100 + 1500 * unit(key, n, 2));
  const shared = PLACEHOLDERS.flatMap((at, p) =>
    Array.from({ length: SHARING }, (_, n) => featureAt(at, row(100 + p * SHARING + n))),
  );
  const out = OUT.map((extra, n) => featureAt(somewhere(n), row(n, extra)));
  // Of another town, so that it does not matter whether a reader can correct them.
  const swapped = [0, 1, 2].map((n) => {
    const { lat, lon } = around(LYON, unit(key, n, 3), 900);
    return featureAt({ lat: lon, lon: lat }, row(200 + n, { c_com_nom: "Lyon" }));
  });
  const undotted = featureAt({ lat: 45_764_000, lon: 48_357 }, row(210, { c_com_nom: "Lyon" }));
  return [...shared, ...out, ...swapped, undotted, featureAt(null, row(211))];
}

function plain(city: City, key: number, n: number): Row {
  const truth = spelling(hash(key, n));
  const street = pick(city.streets, n);
  return {
    gid: String(900_000 + n),
    c_gid: String(900_000 + n),
    c_nom: `DAE ${n}`,
    c_adr_num: String(n + 1),
    c_adr_voie: typeof street === "string" ? street : street[0],
    c_com_cp: `${city.post_code}01`,
    c_com_nom: city.name,
    c_acc: "Intérieur",
    c_disp_j: "{7j/7}",
    c_disp_h: "{24h/24}",
    c_expt_rais: "Mairie",
    c_etat: "Actif",
    c_etat_fonct: "En fonctionnement",
    c_etat_valid: "validées",
    c_doublon: truth(false),
    c_dae_mobile: truth(false),
  };
}
