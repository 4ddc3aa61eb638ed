/** Reads what is so around a question, from the simulator's control surface. */
import type { Truth } from "../../trials/agent-tasks/judge.ts";
import { fits, hereOf } from "./scorer.ts";
import type { Moment, Question, TrueDeparture, Wish } from "./question.ts";

/** Of each wish: to how many things ways are looked up. */
const WAYS_MAX = 12;
/** A day of public transport ends at night at this local hour, at which nothing runs. */
const NIGHT_HOUR = 4;
const HOUR_MS = 3_600_000;
const MARGIN_M = 100;

export type Simulator = { readonly url: string };

export async function readNow({ url }: Simulator): Promise<number> {
  const { now } = await read<{ now: string }>(url, "clock", {});
  return Date.parse(now);
}

/** Moves the clock forward; it never goes back. Later instants are of later questions. */
export async function moveTo(simulator: Simulator, instant_ms: number): Promise<void> {
  const advance_s = Math.round((instant_ms - (await readNow(simulator))) / 1000);
  if (advance_s <= 0) return;
  const body = JSON.stringify({ advance_s });
  const moved = await fetch(`${simulator.url}/__sandbox/clock`, { method: "POST", body });
  if (!moved.ok) throw new Error(`the simulator's clock stayed: ${moved.status}`);
}

export async function readMoment(simulator: Simulator, question: Question): Promise<Moment> {
  const now_ms = await readNow(simulator);
  const { place, wishes } = question;
  const radius = Math.max(...wishes.map(({ radius_m }) => radius_m)) + MARGIN_M;
  const circle = { lat: place.lat, lon: place.lon, radius };
  const { things } = await read<{ things: Truth[] }>(simulator.url, "truth", circle);
  const departing = wishes.filter(({ thing }) => thing === "departure");
  const departures = departing.length > 0 ? await readDepartures(simulator, question, now_ms) : [];
  const ways = new Map<number, number | null>();
  for (const wish of wishes) await addWays(ways, wish, { simulator, question, things, now_ms });
  return { now_ms, things, departures, ways };
}

/** Until the end of the day's service. */
async function readDepartures(
  { url }: Simulator,
  { place, wishes }: Question,
  now_ms: number,
): Promise<readonly TrueDeparture[]> {
  const radius = Math.max(...wishes.map(({ radius_m }) => radius_m)) + MARGIN_M;
  const from = new Date(Math.floor(now_ms / 60_000) * 60_000).toISOString();
  const to = new Date(endOfDay(now_ms, place.time_zone)).toISOString();
  const query = { lat: place.lat, lon: place.lon, radius, from, to };
  const { departures } = await read<{ departures: TrueDeparture[] }>(
    url,
    "truth/departures",
    query,
  );
  return departures;
}

/** The next time at which no line runs. */
export function endOfDay(now_ms: number, time_zone: string): number {
  const hour = new Intl.DateTimeFormat("en-GB", { timeZone: time_zone, hour: "2-digit" });
  const next_ms = Math.ceil(now_ms / HOUR_MS) * HOUR_MS;
  for (let n = 0; n < 24; n++)
    if (Number(hour.format(next_ms + n * HOUR_MS)) === NIGHT_HOUR) return next_ms + n * HOUR_MS;
  return next_ms;
}

type Sight = { simulator: Simulator; question: Question; things: readonly Truth[]; now_ms: number };

async function addWays(
  ways: Map<number, number | null>,
  wish: Wish,
  { simulator, question, things, now_ms }: Sight,
): Promise<void> {
  if (wish.thing === "departure" || wish.next_to !== undefined) return;
  const here = hereOf(question, { now_ms });
  const fitting = [...things.keys()].filter((n) => fits(things[n]!, wish, here) === true);
  for (const index of fitting.slice(0, WAYS_MAX)) {
    const { lat, lon } = things[index]!.location;
    const query = {
      from: `${question.place.lat},${question.place.lon}`,
      to: `${lat},${lon}`,
      profile: wish.step_free === true ? "step_free" : "foot",
    };
    const { walk } = await read<{ walk: { meters: number | null } }>(
      simulator.url,
      "truth/walk",
      query,
    );
    ways.set(index, walk.meters);
  }
}

async function read<T>(
  url: string,
  path: string,
  query: Record<string, string | number>,
): Promise<T> {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, `${value}`]),
  );
  const reply = await fetch(`${url}/__sandbox/${path}?${text.toString()}`);
  if (!reply.ok) throw new Error(`the simulator refused ${path}: ${reply.status}`);
  return (await reply.json()) as T;
}
