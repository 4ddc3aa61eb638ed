/**
 * Stops of imported timetables by their whole names: for each feed a table of hashes, 12 bytes a stop,
 * made in slices when the first question comes after it was opened.
 */
import type { Location } from "#kit/geo.ts";
import { fold, nameWords } from "#kit/names/fold.ts";
import { createTurn } from "#kit/run/turn.ts";
import type { OpenFeed } from "#transit/schedule/feed-pack.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import type { TransitMode } from "#transit/schedule/station.ts";
import type { HeldFeed } from "#upstream/transit/held-feed.ts";

export type NamedStop = {
  /** As answers give it. */
  id: string;
  feed_id: string;
  name: string;
  location: Location;
  modes: readonly TransitMode[];
  /** Name of its first operator; null: none is stated. */
  operator: string | null;
  /** How many routes call there. */
  routes: number;
};

/** `isCut`: there are more stops than are looked at. */
type FoundStops = { stops: readonly NamedStop[]; isCut: boolean };

/** Finds stops that are called one of these, as words are compared; any order. */
export type FindStops = (names: readonly string[]) => Promise<FoundStops>;

/** Stops of all feeds in tables; feeds beyond have none. */
const MOST_STOPS = 1_000_000;
/** Stops of one name that are looked at, of a feed. */
const MOST_WALKED = 500;
/** Stops between two turns. */
const STEP = 100;

export function createFindStops(
  list: () => readonly HeldFeed[],
  most_stops: number = MOST_STOPS,
): FindStops {
  const tables = new WeakMap<OpenFeed, Promise<StopTable>>();
  return async (names) => {
    const wanted = new Set(names.map(toPlain).filter((name) => name !== ""));
    const stops: NamedStop[] = [];
    let left = most_stops;
    let isCut = false;
    for (const { feed_id, feed } of list()) {
      if (feed === null) continue;
      left -= feed.count;
      isCut ||= left < 0;
      if (left < 0) continue;
      let making = tables.get(feed);
      if (making === undefined) tables.set(feed, (making = StopTable.make(feed)));
      const table = await making;
      for (const name of wanted) {
        const found = table.find(name);
        isCut ||= found.isCut;
        stops.push(...found.rows.map((row) => toStop(feed, feed_id, row)));
      }
    }
    return { stops, isCut };
  };
}

/** A name as it is compared: its words without case and accents. */
export function toPlain(name: string): string {
  return nameWords(fold(name)).join(" ");
}

function toStop(feed: OpenFeed, feed_id: string, row: number): NamedStop {
  const { name, lat, lon, modes, operators, routes, source } = feed.station(row);
  return {
    ...{ id: transitId(source), feed_id, name, location: { lat, lon }, modes },
    operator: operators[0]?.name ?? null,
    routes: routes.length,
  };
}

/** Rows of a feed by the hash of their plain name. */
class StopTable {
  readonly #feed: OpenFeed;
  /** By the low bits of a hash: a row and one more, 0: none. */
  readonly #heads: Uint32Array;
  /** The next row of the same bits, and one more. */
  readonly #next: Uint32Array;

  private constructor(feed: OpenFeed) {
    this.#feed = feed;
    const slots = 2 ** Math.ceil(Math.log2(Math.max(1, feed.count)) + 1);
    this.#heads = new Uint32Array(slots);
    this.#next = new Uint32Array(feed.count);
  }

  static async make(feed: OpenFeed): Promise<StopTable> {
    const table = new StopTable(feed);
    const turn = createTurn({});
    // From the end, so that a chain has the rows in their order.
    for (let row = feed.count - 1; row >= 0; row--) {
      table.#add(row);
      if (row % STEP === 0) await turn();
    }
    return table;
  }

  /** Rows of this plain name. */
  find(plain: string): { rows: number[]; isCut: boolean } {
    const rows: number[] = [];
    let walked = 0;
    let at = this.#heads[this.#slotOf(plain)]!;
    for (; at > 0 && walked < MOST_WALKED; at = this.#next[at - 1]!, walked++)
      if (toPlain(this.#feed.nameOf(at - 1)) === plain) rows.push(at - 1);
    return { rows, isCut: at > 0 };
  }

  #add(row: number): void {
    const slot = this.#slotOf(toPlain(this.#feed.nameOf(row)));
    this.#next[row] = this.#heads[slot]!;
    this.#heads[slot] = row + 1;
  }

  #slotOf(plain: string): number {
    return hashOf(plain) & (this.#heads.length - 1);
  }
}

/** FNV-1a of the code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}
