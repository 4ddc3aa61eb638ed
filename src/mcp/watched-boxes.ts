/** Boxes as resources: what is in one now, shortened to what an agent can take, the nearest to its middle first. */
import type { LiveScope } from "#app/live/live-types.ts";
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import type { WatchedBox } from "#app/stations/box-notes.ts";
import { SHOWN } from "#api/agent-results.ts";
import { BOX_RESOURCE } from "#api/agent-tools.ts";
import type { LiveItemValue, LiveSnapshotValue } from "#api/live.ts";
import { type ReadBox, readLiveBox } from "#core/live/live-box.ts";
import { distance_m, middleOf } from "#kit/geo.ts";
import { MODES_MASK } from "#stations/shard/bits.ts";
import { parseRfc3339 } from "#kit/time.ts";
import { toCredits } from "./answer-sources.ts";
import { sizeAtPlace, toBriefLocation, toBriefName } from "./brief.ts";
import { type Clocks, localAt, withPlaceTimes } from "./local.ts";

const [BEFORE_BOX = ""] = BOX_RESOURCE.split("{bbox}");
const COMMA = /%2C/gi;

/** The box of a URI, in either spelling of its commas; null: it is none that can be watched. */
export function findBox(uri: string): WatchedBox | null {
  const read = readBox(uri);
  if (!read?.ok) return null;
  const scope: LiveScope = { box: read.box, modes: MODES_MASK, stations: true, vehicles: true };
  return { id: uri, scope };
}

/** The rule that the box of a URI breaks, with what it has instead; null: none, or it has no box. */
export function boxProblem(uri: string): string | null {
  const read = readBox(uri);
  return read === null || read.ok ? null : read.message;
}

function readBox(uri: string): ReadBox | null {
  if (!uri.startsWith(BEFORE_BOX)) return null;
  return readLiveBox(uri.slice(BEFORE_BOX.length).replace(COMMA, ","));
}

type Item = LiveItemValue & { distance_meters: number };

/** The resource as text, in at most `SHOWN.bytes_max` bytes of JSON. */
export async function toBoxText(
  snapshot: LiveSnapshotValue,
  { scope }: WatchedBox,
  { termsOf, now_ms, ...clocks }: Clocks & { termsOf: TermsOf; now_ms: number },
): Promise<string> {
  const middle = middleOf(scope.box);
  const items = snapshot.items
    .map((item): Item => ({ ...item, distance_meters: distanceOf(middle, item) }))
    .sort((a, b) => a.distance_meters - b.distance_meters || (a.id < b.id ? -1 : 1));
  const local = await localAt(clocks, middle, {
    at_ms: now_ms,
    sources: snapshot.sources.map(({ source_id }) => source_id),
  });
  const around = (number: number) => {
    const shown = items.slice(0, number);
    const sources = sourcesOf(snapshot, shown);
    return {
      bbox: snapshot.bbox,
      counts: toCounts(items),
      shown: shown.length,
      left_out: items.length - shown.length,
      items: shown.map(toBrief),
      sources: sources.map((source) => toAge(source, now_ms)),
      missing_sources: countMissing(snapshot),
      untrusted_text: true,
      ...local,
      freshness: { answered_at: new Date(now_ms).toISOString(), valid_for_s: null },
      attribution: toCredits([{ sources: sources.map(({ source_id }) => source_id) }], termsOf),
    };
  };
  let number = Math.min(items.length, SHOWN.items_max);
  while (number > 0 && sizeAtPlace(around(number)) > SHOWN.bytes_max) number -= 1;
  return JSON.stringify(withPlaceTimes(around(number)));
}

type Point = { lat: number; lon: number };

function distanceOf({ lat, lon }: Point, { location }: LiveItemValue): number {
  return Math.round(distance_m(lat, lon, location.lat, location.lon));
}

/** Of all that is in the box, shown or not. */
function toCounts(items: readonly Item[]) {
  const stations = items.filter(({ kind }) => kind === "station");
  const usable = items.filter(({ pickup }) => pickup === "available_now");
  return {
    total: items.length,
    stations: stations.length,
    vehicles: items.length - stations.length,
    pickup_now: usable.length,
  };
}

function toBrief({ location, name, ...item }: Item) {
  return {
    ...item,
    ...(name === undefined ? {} : { name: toBriefName(name) }),
    location: toBriefLocation(location),
  };
}

type Source = LiveSnapshotValue["sources"][number];

/** Sources of the networks of what is shown. */
function sourcesOf({ sources }: LiveSnapshotValue, shown: readonly Item[]): Source[] {
  const networks = new Set(shown.map(({ network_id }) => network_id));
  return sources.filter(({ network }) => network !== null && networks.has(network.id));
}

function toAge({ source_id, network, state, as_of }: Source, now_ms: number) {
  const at_ms = as_of === null ? null : parseRfc3339(as_of);
  const age_s = at_ms === null ? null : Math.max(0, Math.round((now_ms - at_ms) / 1_000));
  return { source_id, network: network && toBriefName(network.name), state, age_s };
}

/** What these have is not shown: nothing may be concluded from its absence. */
function countMissing({ sources }: LiveSnapshotValue) {
  const numberOf = (state: Source["state"]): number =>
    sources.filter((source) => source.state === state).length;
  return { lost: numberOf("lost"), waiting: numberOf("waiting") };
}
