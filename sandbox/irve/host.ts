// The French register of charging points: a row a point, and the states of those that report them, as
// files of its two schemas, with the slips of operators.
import { evseIdOf, irveIdOf, isInIrve } from "../listing.ts";
import { around } from "../geo.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { answerTagged, dayOf, listAll, observe, once, type RegistryDeps } from "../registry.ts";
import { pick, unit } from "../rng.ts";
import type { Source } from "../source.ts";
import { listPlugs } from "../world/chargers.ts";
import type { Plug, ServiceThing } from "../world/service-model.ts";

const ROOT = "/upstreams/irve";
const OFF_M = 8;
const TYPE = "text/csv; charset=utf-8";

export function createIrve({ world, now, origin }: RegistryDeps): Source {
  const listed = once(() => listAll(world).filter(isInIrve));
  const fixed = once(() => `\ufeff${toCsv(staticRows(listed(), now()))}`);
  return {
    id: "irve",
    description: "IRVE, the French register of charging points",
    parts: [],
    partsOf: () => [],
    upstream: {
      url: `${origin}${ROOT}/irve-statique.csv`,
      live_url: `${origin}${ROOT}/irve-dynamique.csv`,
    },
    observe: (thing) =>
      thing.kind === "service" && isInIrve(thing) ? observe("irve", irveIdOf(thing)) : [],
    handle: (request) => answer(request, { listed, fixed }, now()),
  };
}

type Files = { readonly listed: () => readonly ServiceThing[]; readonly fixed: () => string };

function answer({ pathname, ...request }: SandboxRequest, files: Files, now_ms: number): Reply {
  const file = pathname.slice(ROOT.length);
  if (file === "/irve-statique.csv")
    return answerTagged({ pathname, ...request }, files.fixed(), TYPE);
  if (file !== "/irve-dynamique.csv") return answerJson(404, { message: "Not found" });
  return answerTagged({ pathname, ...request }, toCsv(liveRows(files.listed(), now_ms)), TYPE);
}

type Row = Readonly<Record<string, string>>;

function toCsv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0]!);
  const lines = rows.map((row) => names.map((name) => quoted(row[name] ?? "")).join());
  return `${[names.join(), ...lines].join("\r\n")}\r\n`;
}

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

function staticRows(things: readonly ServiceThing[], now_ms: number): readonly Row[] {
  const rows = things.flatMap((thing) =>
    listPlugs(thing, now_ms).map((plug, n) => toRow(thing, plug, n)),
  );
  return [...rows, ...oddRows(rows)];
}

const truth = (value: boolean, key: number): string =>
  pick(value ? ["True", "true", "1", "VRAI"] : ["False", "false", "0", "FAUX"], key);

function toRow(thing: ServiceThing, { standard, power_kw }: Plug, n: number): Row {
  const { key, name, operator, street, street_number, post_code, city, access } = thing;
  const { charging, opening_hours } = thing;
  const at = around(thing, unit(key, 301), OFF_M * unit(key, 302));
  const [lon, lat] = [at.lon.toFixed(6), at.lat.toFixed(6)];
  const count = (charging?.connectors ?? []).reduce((sum, each) => sum + each.count, 0);
  const is = (wanted: string): string => truth(standard === wanted, key);
  return {
    nom_operateur: operator,
    nom_enseigne: operator,
    id_station_itinerance: irveIdOf(thing),
    nom_station: unit(key, 303) < 0.1 ? readWrongly(name) : name,
    adresse_station: `${street_number} ${street}, ${post_code} ${city.name}`,
    // One in ten is the wrong way round.
    coordonneesXY: unit(key, 304) < 0.1 ? `[${lat}, ${lon}]` : `[${lon}, ${lat}]`,
    nbre_pdc: String(unit(key, 305) < 0.15 ? count + 1 : count),
    id_pdc_itinerance: pointIdOf(thing, n),
    // Some write watts.
    puissance_nominale: unit(key, 306) < 0.1 ? String(power_kw * 1000) : power_kw.toFixed(1),
    prise_type_ef: is("DOMESTIC_E"),
    prise_type_2: is("IEC_62196_T2"),
    prise_type_combo_ccs: is("IEC_62196_T2_COMBO"),
    prise_type_chademo: is("CHADEMO"),
    prise_type_autre: truth(false, key),
    gratuit: "",
    condition_acces: access === "public" ? "Accès libre" : "Accès réservé",
    horaires: opening_hours ?? "Mo 00:00-00:01",
    accessibilite_pmr: "Accessibilité inconnue",
    date_maj: dayOf(key).slice(0, 10),
  };
}

/** With its separators, or without. */
const pointIdOf = (thing: ServiceThing, n: number): string =>
  thing.key % 2 === 0 ? evseIdOf(thing, n) : evseIdOf(thing, n).replaceAll("*", "");

/** UTF-8 that was taken for Latin-1. */
const readWrongly = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

/** An older row of a point, one in metres, and one that names no point and no station. */
function oddRows([first]: readonly Row[]): readonly Row[] {
  const odd = { ...first, id_station_itinerance: "FRODDP1" };
  return [
    { ...first, date_maj: "2019-01-01", puissance_nominale: "1.0" },
    { ...odd, id_pdc_itinerance: "FRODDE1", coordonneesXY: "[652000.5, 6862000.5]" },
    { ...odd, id_station_itinerance: "", id_pdc_itinerance: "Non concerné" },
  ];
}

const STATES = {
  AVAILABLE: { etat_pdc: "en_service", occupation_pdc: "libre" },
  CHARGING: { etat_pdc: "en_service", occupation_pdc: "occupe" },
  OUTOFORDER: { etat_pdc: "hors_service", occupation_pdc: "inconnu" },
} as const;

/** Stations that report nothing are in no file of states. */
function liveRows(things: readonly ServiceThing[], now_ms: number): readonly Row[] {
  const rows = things
    .filter(({ charging }) => charging?.live === true)
    .flatMap((thing) =>
      listPlugs(thing, now_ms).map(({ status, since_s }, n) => ({
        id_pdc_itinerance: pointIdOf(thing, n),
        ...STATES[status],
        horodatage: new Date(since_s * 1000).toISOString().replace("Z", "+00:00"),
      })),
    );
  const [first] = rows;
  // An older state of a point, one of a point that is unknown, and a time without an offset.
  return [
    ...rows,
    { ...first!, horodatage: "2020-01-01T00:00:00+00:00", etat_pdc: "hors_service" },
    { ...first!, id_pdc_itinerance: "FRODDE404" },
    { ...first!, id_pdc_itinerance: "FRODDE405", horodatage: "2026-01-01T00:00:00" },
  ];
}
