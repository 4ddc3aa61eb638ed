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

  test("a station by its id alone, a vehicle and a service where they were shown; what is gone is 404", async () => {
    const ask = async (id: string, more = "") => {
      const url = `${started.service.url}/v1/places/${encodeURIComponent(id)}${more}`;
      const response = await fetch(url);
      return { status: response.status, body: (await response.json()) as Opened };
    };
    const { items } = await poll();
    const station = items.find(({ kind }) => kind === "station")!;
    const one = await ask(station.id);
    assert.equal(one.status, 200);
    assert.deepEqual(
      one.body.results.stations.map(({ id, name }) => [id, name]),
      [[station.id, station.name]],
    );
    const vehicle = items.find(({ kind }) => kind === "vehicle")!;
    const { lat, lon } = vehicle.location;
    const ridden = await ask(vehicle.id, `?lat=${lat}&lon=${lon}`);
    assert.deepEqual(
      ridden.body.results.vehicles.map((each) => each.source_id),
      [vehicle.id],
    );
    const nearby = `/v1/nearby?lat=48.8566&lon=2.3522&include=places&limit=1`;
    const around = (await (await fetch(started.service.url + nearby)).json()) as Opened;
    const [place] = around.results.places;
    const at = place!.location;
    const service = await ask(place!.id, `?lat=${at.lat}&lon=${at.lon}`);
    assert.deepEqual(
      service.body.results.places.map(({ id, name }) => [id, name]),
      [[place!.id, place!.name]],
    );
    assert.equal(service.body.total, 1);
    assert.equal((await ask("svc_station_none")).status, 404);
    // Where a source of the circle has not been read, it is unknown whether there is one.
    for (const unknown of [
      await ask("svc_station_none", "?lat=48.8566&lon=2.3522"),
      await ask(`${place!.id}x`, `?lat=${at.lat}&lon=${at.lon}`),
    ]) {
      if (unknown.status === 404) continue;
      assert.equal(unknown.body.status, "partial");
      const { stations, vehicles, places } = unknown.body.results;
      assert.deepEqual([...stations, ...vehicles, ...places], []);
    }
    const half = await ask(station.id, "?lat=48.8566");
    assert.equal(half.status, 400);
    const nowhere = await ask(vehicle.id);
    assert.equal(nowhere.status, 400);
    assert.match(nowhere.body.error.message, /^lat and lon must be given with this id/);
  });

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

type Opened = {
  status: string;
  total: number;
  results: {
    stations: { id: string; name: string }[];
    vehicles: { source_id: string }[];
    places: { id: string; name: string; location: { lat: number; lon: number } }[];
  };
  error: { message: string };
};

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
