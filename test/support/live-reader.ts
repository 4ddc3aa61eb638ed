/**
 * A client of the stream as a stranger writes one from docs/live-map.md: it reads server-sent events,
 * applies them, and refuses what the documentation rules out.
 */
import assert from "node:assert/strict";
import type {
  LiveByeValue,
  LiveDeltaValue,
  LiveItemValue,
  LiveSnapshotValue,
  LiveSourceValue,
  LiveStatusValue,
} from "#api/live.ts";

type ServerEvent = { event: string; id: string | null; data: string };

/** Server-sent events of a text that comes in pieces: only what a stream of ours uses. */
class EventReader {
  #rest = "";

  /** The events that are whole by now; comments and `retry` are left out. */
  take(piece: string): ServerEvent[] {
    const blocks = (this.#rest + piece).split("\n\n");
    this.#rest = blocks.pop()!;
    return blocks.flatMap((block) => readBlock(block) ?? []);
  }

  /** Empty: the text ends between two events. */
  get rest(): string {
    return this.#rest;
  }
}

function readBlock(block: string): ServerEvent | null {
  let event = "message";
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    if (at === 0 || line === "") continue;
    const name = line.slice(0, at);
    const value = line.slice(at + 1).replace(/^ /, "");
    if (name === "event") event = value;
    else if (name === "id") id = value;
    else if (name === "data") data.push(value);
    else assert.equal(name, "retry", `a field ${name}`);
  }
  return data.length === 0 ? null : { event, id, data: data.join("\n") };
}

/** What a client left, and the reason that was sent. */
type Departure = { id: string; reason: LiveDeltaValue["left"][number]["reason"] };

export class LiveReader {
  readonly items = new Map<string, LiveItemValue>();
  readonly sources = new Map<string, LiveSourceValue>();
  /** `Last-Event-ID` of the next connection. */
  last_id: string | null = null;
  /** Kinds of the events of this connection, in order. */
  kinds: string[] = [];
  bye: LiveByeValue | null = null;
  departures: Departure[] = [];
  #events = new EventReader();

  /** What was applied stays; the events of a new connection follow. */
  reconnect(): void {
    this.kinds = [];
    this.bye = null;
    this.#events = new EventReader();
  }

  take(piece: string): void {
    for (const event of this.#events.take(piece)) this.#apply(event);
  }

  #apply({ event, id, data }: ServerEvent): void {
    assert.equal(this.bye, null, `${event} after bye`);
    this.kinds.push(event);
    const body: unknown = JSON.parse(data);
    if (event === "snapshot") this.#replace(body as LiveSnapshotValue);
    else if (event === "delta") this.#change(body as LiveDeltaValue);
    else if (event === "status") this.#note((body as LiveStatusValue).sources);
    else if (event === "bye") this.bye = body as LiveByeValue;
    else assert.fail(`an event ${event}`);
    if (event === "snapshot" || event === "delta") assert.ok(id, `${event} without an id`);
    if (id !== null) this.last_id = id;
  }

  #replace({ items, sources }: LiveSnapshotValue): void {
    this.items.clear();
    this.sources.clear();
    for (const item of items) this.items.set(item.id, item);
    this.#note(sources);
    assert.equal(this.items.size, items.length, "an id twice in a snapshot");
  }

  #change({ entered, changed, left, sources = [] }: LiveDeltaValue): void {
    const ids = [...entered, ...changed, ...left].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, `an id twice in a delta: ${ids.join()}`);
    for (const { id, reason } of left) {
      assert.ok(this.items.delete(id), `${id} left, and was not there`);
      this.departures.push({ id, reason });
    }
    for (const item of changed) {
      const before = this.items.get(item.id);
      assert.ok(before, `${item.id} changed, and was not there`);
      assert.notEqual(JSON.stringify(before), JSON.stringify(item), `${item.id} is as it was`);
      this.items.set(item.id, item);
    }
    for (const item of entered) {
      assert.ok(!this.items.has(item.id), `${item.id} entered, and was there`);
      this.items.set(item.id, item);
    }
    this.#note(sources);
  }

  #note(sources: readonly LiveSourceValue[]): void {
    for (const source of sources) this.sources.set(source.source_id, source);
  }

  /** What is shown, as bytes. */
  text(): string {
    return toText([...this.items.values()], [...this.sources.values()]);
  }
}

/** Items by id and sources by source_id, a line each, so that two that differ are seen side by side. */
export function toText(
  items: readonly LiveItemValue[],
  sources: readonly LiveSourceValue[],
): string {
  const byId = items.toSorted((a, b) => compare(a.id, b.id)).map((item) => JSON.stringify(item));
  const bySource = sources
    .toSorted((a, b) => compare(a.source_id, b.source_id))
    .map((source) => JSON.stringify(source));
  return [...byId, ...bySource].join("\n");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
