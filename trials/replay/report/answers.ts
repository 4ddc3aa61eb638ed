/** Asks the running service at spots of every system and compares whole lists, page by page. */
import type { Mode } from "#stations/shards.ts";
import type { Ask, KnownEntity } from "../oracle/circle.ts";
import { listInside } from "../oracle/circle.ts";
import { createDice } from "../../dice.ts";
import type { Dice } from "../../dice.ts";
import type { Claim, ClaimRecorder } from "./claims.ts";
import { createClaim, isSame, whereApart } from "./claims.ts";

export type AnswersInput = {
  /** Address of the service. */
  url: string;
  known: readonly KnownEntity[];
  /** Systems of which a listed file was not captured: what is asked there is `partial`. */
  incomplete: ReadonlySet<string>;
  onSystem?: (id: string) => void;
};

const SEED = 20_260_301;
const RADIUS_M = 400;
/** What the free plan allows. */
const PAGE = 100;
const MAX_OFFSET = 1_000;
const MODES: readonly Mode[] = ["bicycle", "scooter", "moped", "car"];

/** A page as read back: ids by kind, since answers deal one list into two arrays. */
type Page = { status: string; total: number; stations: string[]; vehicles: string[] };

export async function checkAnswers(input: AnswersInput): Promise<Claim[]> {
  const dice = createDice(SEED);
  const lists = createClaim();
  const bySystem = groupBySystem(input.known);
  const tally = { questions: 0, pages: 0, listed: 0, shared: 0 };
  for (const [id, own] of bySystem) {
    for (const ask of spotsOf(own, dice)) {
      const wanted = listInside(input.known, ask);
      tally.questions++;
      tally.listed += wanted.length;
      if (new Set(wanted.map(({ system }) => system)).size > 1) tally.shared++;
      const complete = wanted.length > 0 ? "success" : "empty";
      const status = input.incomplete.has(id) ? "partial" : complete;
      tally.pages += await comparePages({ url: input.url, ask, wanted, id, status }, lists);
    }
    input.onSystem?.(id);
  }
  const figures =
    `${bySystem.size} systems, ${tally.questions} spots, ${tally.pages} pages, ` +
    `${tally.listed} results, ${tally.shared} spots shared by several systems`;
  return [lists.finish("/v1/nearby answers with exactly those accepted, in order", figures)];
}

function groupBySystem(entries: readonly KnownEntity[]): Map<string, KnownEntity[]> {
  const groups = new Map<string, KnownEntity[]>();
  for (const each of entries) groups.set(each.system, [...(groups.get(each.system) ?? []), each]);
  return groups;
}

/** One spot, three for big systems, and one of them again for a single mode. */
function spotsOf(own: readonly KnownEntity[], dice: Dice): Ask[] {
  const count = own.length > 200 ? 3 : 1;
  const spots = Array.from({ length: count }, () => {
    const { lat, lon } = dice.pick(own);
    return { lat, lon, radius_m: RADIUS_M };
  });
  return [...spots, { ...spots[0]!, modes: [dice.pick(MODES)] }];
}

type Comparison = {
  url: string;
  ask: Ask;
  wanted: readonly KnownEntity[];
  id: string;
  status: string;
};

/** The whole list in the widest pages, then again in thirds; gives how many pages there were. */
async function comparePages(comparison: Comparison, claim: ClaimRecorder): Promise<number> {
  const third = Math.ceil(comparison.wanted.length / 3);
  let pages = 0;
  for (const limit of new Set([PAGE, Math.min(PAGE, Math.max(1, third))])) {
    for (let offset = 0; offset === 0 || offset < comparison.wanted.length; offset += limit) {
      if (offset > MAX_OFFSET) break;
      await comparePage(comparison, { limit, offset }, claim);
      pages++;
    }
  }
  return pages;
}

type Bounds = { limit: number; offset: number };

async function comparePage(
  comparison: Comparison,
  bounds: Bounds,
  claim: ClaimRecorder,
): Promise<void> {
  const { wanted, status } = comparison;
  const page = await askService(comparison, bounds);
  const expected = wanted.slice(bounds.offset, bounds.offset + bounds.limit);
  const got = [...page.stations, ...page.vehicles];
  const due = [...idsOf(expected, "station"), ...idsOf(expected, "vehicle")];
  const same = page.status === status && page.total === wanted.length && isSame(got, due);
  claim.check(same, () => {
    const where = `${comparison.id} ${JSON.stringify({ ...comparison.ask, ...bounds })}`;
    return `${where}: ${page.status}, total ${page.total}; ${whereApart(got, due)}`;
  });
}

async function askService({ url, ask }: Comparison, bounds: Bounds): Promise<Page> {
  const query = new URLSearchParams({
    lat: String(ask.lat),
    lon: String(ask.lon),
    radius: String(ask.radius_m),
    limit: String(bounds.limit),
    offset: String(bounds.offset),
    include: "stations,vehicles",
    ...(ask.modes ? { modes: ask.modes.join(",") } : {}),
  });
  const response = await fetch(`${url}/v1/nearby?${query.toString()}`);
  const body = (await response.json()) as {
    status?: string;
    total?: number;
    results?: { stations: { id: string }[]; vehicles: { source_id: string }[] };
  };
  return {
    status: response.status === 200 ? (body.status ?? "") : `HTTP ${response.status}`,
    total: body.total ?? -1,
    stations: body.results?.stations.map(({ id }) => id) ?? [],
    vehicles: body.results?.vehicles.map(({ source_id }) => source_id) ?? [],
  };
}

function idsOf(entries: readonly KnownEntity[], kind: KnownEntity["kind"]): string[] {
  return entries.filter((each) => each.kind === kind).map(({ id }) => id);
}
