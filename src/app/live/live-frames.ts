/** Events of a stream as text (server-sent events), and the ids by which a caller resumes. */
import type { ByeReason } from "#api/live.ts";
import type { Box } from "#kit/geo.ts";
import { toRfc3339 } from "#kit/time.ts";
import type { LiveRow } from "#world/live/live-rows.ts";
import type { ScopeDelta } from "./live-change.ts";

/** The first line of a stream: how long a caller waits before it comes again, ms. */
export const FIRST_LINE = "retry: 2000\n\n";
/** Keeps a connection alive; no event. */
export const HEARTBEAT = ":\n\n";

type ById = { id: string };

/** Rows in the order of ids, by UTF-16 units. */
function sortById<T extends ById>(list: T[]): T[] {
  return list.sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}

function joinTexts(rows: LiveRow[]): string {
  return sortById(rows)
    .map(({ text }) => text)
    .join(",");
}

/** JSON of a snapshot. `sources`: the text of each. */
export function snapshotText(
  at_ms: number,
  of: { box: Box; rows: LiveRow[]; sources: readonly string[] },
): string {
  const { west, south, east, north } = of.box;
  return (
    `{"at":"${toRfc3339(at_ms / 1000)}","bbox":${JSON.stringify([west, south, east, north])},` +
    `"items":[${joinTexts(of.rows)}],"sources":[${of.sources.join(",")}]}`
  );
}

/** `sources`: the texts of those that have changed. */
export function deltaFrame(
  id: string,
  at_ms: number,
  { delta, sources }: { delta: ScopeDelta; sources: readonly string[] },
): string {
  const left = sortById(delta.left).map((each) => JSON.stringify(each));
  const more = sources.length > 0 ? `,"sources":[${sources.join(",")}]` : "";
  return eventFrame(
    "delta",
    `{"at":"${toRfc3339(at_ms / 1000)}","entered":[${joinTexts(delta.entered)}],` +
      `"changed":[${joinTexts(delta.changed)}],"left":[${left.join(",")}]${more}}`,
    id,
  );
}

export function statusFrame(id: string, at_ms: number, sources: readonly string[]): string {
  const at = toRfc3339(at_ms / 1000);
  return eventFrame("status", `{"at":"${at}","sources":[${sources.join(",")}]}`, id);
}

export function snapshotFrame(id: string, text: string): string {
  return eventFrame("snapshot", text, id);
}

function eventFrame(event: string, data: string, id: string): string {
  return `event: ${event}\nid: ${id}\ndata: ${data}\n\n`;
}

/** What a caller is sent at the end, and when it may come again. */
const BYES: Readonly<Record<ByeReason, { message: string; retry_after_s: number }>> = {
  slow: { message: "events were not taken in time", retry_after_s: 5 },
  units: { message: "no units are left", retry_after_s: 60 },
  time: { message: "the stream has lasted its time", retry_after_s: 0 },
  refused: { message: "the key may not read this any more", retry_after_s: 0 },
  replaced: { message: "another caller needs the place", retry_after_s: 30 },
  large: { message: "the box holds too much for a stream; make it smaller", retry_after_s: 60 },
  shutting_down: { message: "this instance ends; another one answers", retry_after_s: 1 },
  failed: { message: "a defect of this service", retry_after_s: 5 },
};

/** Without an id: a caller that comes again resumes after the event before. */
export function byeFrame(
  reason: ByeReason,
  retry_after_s: number = BYES[reason].retry_after_s,
): string {
  const { message } = BYES[reason];
  return `event: bye\ndata: ${JSON.stringify({ reason, message, retry_after_s })}\n\n`;
}

export type EventId = { instance: string; digest: string; generation: number };

/** Names a process, so that no other one takes its ids for its own: 50 bits. */
export function toInstance(random: () => number): string {
  const part = (): string => Math.floor(random() * 36 ** 5).toString(36);
  return `${part()}${part()}`;
}

const EVENT_ID = /^([0-9a-z]{1,16})\.([0-9a-z]{1,32})\.(\d{1,15})$/;

export function toEventId({ instance, digest, generation }: EventId): string {
  return `${instance}.${digest}.${generation}`;
}

/** null: it is none of any instance. */
export function parseEventId(text: string): EventId | null {
  const match = EVENT_ID.exec(text);
  if (!match) return null;
  return { instance: match[1]!, digest: match[2]!, generation: Number(match[3]) };
}
