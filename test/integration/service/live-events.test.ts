/** The stream of a box against a running service: what the simulator moves arrives, and nothing else. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type {
  LiveDeltaValue,
  LiveItemValue,
  LiveSnapshotValue,
  LiveSourceValue,
} from "#api/live.ts";
import {
  type Ask,
  askEvents,
  type Event,
  type EventSocket,
  until,
} from "../../support/event-socket.ts";
import { readExposition, sumOf } from "../../support/exposition.ts";
import { bearer, makeKey, openService } from "../access/support.ts";
import {
  advance,
  createClient,
  createFolder,
  eventually,
  removeFolder,
  start,
  type Started,
} from "./support.ts";

const BBOX = "2.345,48.852,2.36,48.862";
const TARGET = `/v1/nearby/stream?bbox=${BBOX}`;

/** What a client has after all events: by id, as the description says. */
class Followed {
  readonly items = new Map<string, LiveItemValue>();
  readonly sources = new Map<string, LiveSourceValue>();
  snapshots = 0;
  last_id: string | null = null;
  #read = 0;

  /** Reads the events that it has not read yet. */
  follow(events: readonly Event[]): this {
    for (const event of events.slice(this.#read)) this.#take(event);
    this.#read = events.length;
    return this;
  }

  /** It has what it had, and reads another connection from its beginning. */
  begin(): void {
    this.#read = 0;
    this.snapshots = 0;
  }

  get text(): string {
    const sorted = <V>(map: ReadonlyMap<string, V>): V[] =>
      [...map.keys()].toSorted((a, b) => (a < b ? -1 : 1)).map((id) => map.get(id)!);
    return JSON.stringify([sorted(this.items), sorted(this.sources)]);
  }

  #take({ event, data, id }: Event): void {
    this.last_id = id ?? this.last_id;
    if (event === "snapshot") {
      const { items, sources } = data as LiveSnapshotValue;
      this.items.clear();
      this.sources.clear();
      this.snapshots += 1;
      for (const item of items) this.items.set(item.id, item);
      for (const source of sources) this.sources.set(source.source_id, source);
      return;
    }
    const { entered = [], changed = [], left = [], sources = [] } = data as Partial<LiveDeltaValue>;
    for (const item of [...entered, ...changed]) this.items.set(item.id, item);
    for (const { id: gone } of left) assert.ok(this.items.delete(gone), `${gone} had not entered`);
    for (const source of sources) this.sources.set(source.source_id, source);
  }
}

describe("the stream of a box of a sandbox service", () => {
  const http = createClient();
  let started: Started;
  let port = 0;
  let isClosed = false;
  const open: EventSocket[] = [];

  before(async () => {
    started = await start({
      data_dir: await createFolder(),
      cities: "paris",
      ...{ timetables: false, still: true },
    });
    port = Number(new URL(started.service.url).port);
  });
  after(async () => {
    for (const { socket } of open) socket.destroy();
    http.close();
    if (!isClosed) await started.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  async function ask(target = TARGET, more: Ask = {}): Promise<EventSocket> {
    const client = await askEvents(port, target, more);
    open.push(client);
    return client;
  }

  /** One whose stream has begun. */
  async function askBegun(last_event_id: string): Promise<EventSocket> {
    const client = await ask(TARGET, { headers: { "last-event-id": last_event_id } });
    await until(() => client.body.startsWith("retry: 2000\n\n"));
    return client;
  }

  async function once(target = TARGET): Promise<string> {
    const { text } = await http.call(`${started.service.url}${target}&once=true`);
    const { items, sources } = JSON.parse(text) as LiveSnapshotValue;
    return JSON.stringify([items, sources]);
  }

  const move = (seconds: number): Promise<number> =>
    advance(http, started.service.sandbox!.url, seconds);

  const equalsPoll = (followed: Followed, client: EventSocket, target = TARGET): Promise<true> =>
    eventually(
      async () => (followed.follow(client.events).text === (await once(target)) ? true : null),
      {
        within_ms: 60_000,
        what: "the stream has what a poll has",
      },
    );

  test("a snapshot, then what the simulator moves: what a poll has, byte for byte", async () => {
    await once();
    const client = await ask();
    const followed = new Followed();
    await equalsPoll(followed, client);
    assert.ok(followed.items.size > 50, String(followed.items.size));
    const earlier = followed.text;
    for (let round = 0; round < 4; round++) {
      await move(40);
      await equalsPoll(followed, client);
    }
    assert.notEqual(followed.text, earlier);
    assert.equal(followed.snapshots, 1);
    assert.ok(client.body.startsWith("retry: 2000\n\n"));
    client.socket.destroy();
  });

  test("who comes again goes on where it was, and after a minute from the beginning", async () => {
    const first = await ask();
    const followed = new Followed();
    await equalsPoll(followed, first);
    first.socket.destroy();
    for (const [moves, snapshots] of [
      [1, 0],
      [6, 1],
    ] as const) {
      for (let i = 0; i < moves; i++) await move(20);
      const again = await askBegun(followed.last_id!);
      followed.begin();
      await equalsPoll(followed, again);
      assert.equal(followed.snapshots, snapshots, `${moves} moves`);
      again.socket.destroy();
    }
    const made_up = await askBegun("x.y.1");
    followed.begin();
    await equalsPoll(followed, made_up);
    assert.equal(followed.snapshots, 1);
    made_up.socket.destroy();
  });

  test("two hundred subscribers have their own boxes each, before and after a move", async () => {
    const targets = Array.from({ length: 200 }, (_, i) => {
      const west = 2.33 + (i % 20) * 0.002;
      const south = 48.845 + Math.floor(i / 20) * 0.002;
      const box = [west, south, west + 0.004, south + 0.003].map((each) => each.toFixed(4));
      return `/v1/nearby/stream?bbox=${box.join(",")}`;
    });
    const clients = await Promise.all(targets.map((target) => ask(target)));
    const followed = clients.map(() => new Followed());
    await until(() => clients.every(({ events }) => events.length > 0));
    await move(60);
    for (const [i, client] of clients.entries()) await equalsPoll(followed[i]!, client, targets[i]);
    for (const [i, { items }] of followed.entries()) {
      const [w, s, e, n] = targets[i]!.split("=")[1]!.split(",").map(Number) as [
        ...[number, number, number, number],
      ];
      for (const { location } of items.values())
        assert.ok(
          location.lon >= w && location.lon <= e && location.lat >= s && location.lat <= n,
          JSON.stringify(location),
        );
    }
    for (const { socket } of clients) socket.destroy();
    const { text } = await eventually(
      async () => {
        const reply = await http.call(`${started.service.admin_url}/metrics`);
        return sumOf(readExposition(reply.text), "svc_streams") === 0 ? reply : null;
      },
      { within_ms: 60_000, what: "no stream is left" },
    );
    assert.equal(sumOf(readExposition(text), "svc_streams_shared", { what: "subscribers" }), 0);
  });

  test("a shutdown ends every stream with its reason, and waits for none", async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => ask()));
    await until(() => clients.every(({ events }) => events.length > 0));
    isClosed = true;
    await started.service.close({ delay_ms: 0 });
    await until(() => clients.every(({ hasEnded }) => hasEnded));
    for (const { events } of clients) {
      const { event, data } = events.at(-1)!;
      assert.equal(event, "bye");
      assert.equal((data as { reason: string }).reason, "shutting_down");
    }
  });
});

test("a stream of a key is charged by the minute, and ends when the key is revoked", async (t) => {
  const { url, service, accounts } = await openService(t, { still: true });
  const http = createClient();
  t.after(() => http.close());
  const { key, id } = makeKey(accounts);
  const client = await askEvents(Number(new URL(url).port), TARGET, { headers: bearer(key) });
  t.after(() => client.socket.destroy());
  await until(() => client.events.length > 0);
  const used = async (): Promise<number> => {
    const { text } = await http.call(`${url}/v1/me`, { headers: bearer(key) });
    return (JSON.parse(text) as { usage: { used: number } }).usage.used;
  };
  assert.equal(await used(), 1);
  await advance(http, service.sandbox!.url, 66);
  assert.equal(await used(), 2);
  await advance(http, service.sandbox!.url, 60);
  assert.equal(await used(), 3);
  assert.ok(accounts.revokeKey(id, Date.UTC(2026, 10, 24)));
  await advance(http, service.sandbox!.url, 4);
  await until(() => client.hasEnded);
  assert.equal((client.events.at(-1)!.data as { reason: string }).reason, "refused");
});
