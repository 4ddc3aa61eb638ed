/** The stream of a box (docs/live-map.md) over a sandbox service: what it reports is what a poll says. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { LiveDeltaValue, LiveItemValue, LiveSnapshotValue } from "#api/live.ts";
import type { LiveStatusValue } from "#api/live.ts";
import {
  advance,
  createClient,
  createFolder,
  eventually,
  removeFolder,
  start,
  type Started,
} from "./support.ts";

const BOX = "2.34,48.85,2.36,48.864";

describe("the stream of a sandbox service", () => {
  const http = createClient();
  let started: Started;
  let isClosed = false;

  before(async () => {
    started = await start({ data_dir: await createFolder(), timetables: false });
  });
  after(async () => {
    http.close();
    if (!isClosed) await started.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  const urlOf = (more = ""): string => `${started.service.url}/v1/nearby/stream?bbox=${BOX}${more}`;

  const pass = (seconds: number) => advance(http, started.service.sandbox!.url, seconds);

  async function poll(): Promise<LiveSnapshotValue> {
    const response = await fetch(urlOf("&once=true"));
    assert.equal(response.status, 200);
    return (await response.json()) as LiveSnapshotValue;
  }

  test("reports what a poll says, while feeds are read and time passes, until the service ends", async () => {
    const polled = await poll();
    assert.ok(polled.items.length > 20, String(polled.items.length));
    assert.ok(polled.sources.some(({ state }) => state === "fresh"));
    const client = await Follower.open(urlOf());
    await until("a snapshot", () => client.items.size > 20);
    for (let minute = 0; minute < 4; minute++) {
      await pass(60);
      await until("what a poll says", async () => {
        const { items } = await poll();
        return JSON.stringify(client.listed) === JSON.stringify(items);
      });
    }
    assert.ok(client.deltas > 0, "the simulated world stood still");
    const last = client.last_event_id!;
    client.close();
    const again = await Follower.open(urlOf(), last);
    await pass(60);
    await until("an event", () => again.events.length > 0);
    assert.notEqual(again.events[0], "snapshot");
    isClosed = true;
    await started.service.close({ delay_ms: 0 });
    await until("the end", () => again.is_over);
    assert.equal(again.events.at(-1), "bye");
  });
});

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(async () => ((await isSo()) ? true : null), { what, within_ms: 120_000 });
}

/** A caller that reads events as they come. */
class Follower {
  readonly items = new Map<string, LiveItemValue>();
  readonly events: string[] = [];
  deltas = 0;
  last_event_id: string | null = null;
  is_over = false;
  readonly #stop = new AbortController();

  static async open(url: string, last_event_id?: string): Promise<Follower> {
    const follower = new Follower();
    const headers = {
      accept: "text/event-stream",
      ...(last_event_id === undefined ? {} : { "last-event-id": last_event_id }),
    };
    const response = await fetch(url, { headers, signal: follower.#stop.signal });
    assert.equal(response.status, 200);
    follower.#read(response.body!).catch(() => (follower.is_over = true));
    return follower;
  }

  get listed(): LiveItemValue[] {
    return [...this.items.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const piece of body) {
      const blocks = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) this.#take(block);
    }
    this.is_over = true;
  }

  #take(block: string): void {
    const event = /^event: (.*)$/m.exec(block)?.[1];
    if (event === undefined) return;
    this.events.push(event);
    this.last_event_id = /^id: (.*)$/m.exec(block)?.[1] ?? this.last_event_id;
    const data: unknown = JSON.parse(/^data: (.*)$/m.exec(block)![1]!);
    if (event === "snapshot") {
      this.items.clear();
      for (const item of (data as LiveSnapshotValue).items) this.items.set(item.id, item);
    } else if (event === "delta") this.#change(data as LiveDeltaValue);
    else assert.ok(event === "bye" || Array.isArray((data as LiveStatusValue).sources));
  }

  #change({ entered, changed, left }: LiveDeltaValue): void {
    this.deltas++;
    for (const item of [...entered, ...changed]) this.items.set(item.id, item);
    for (const { id } of left) this.items.delete(id);
  }
}
