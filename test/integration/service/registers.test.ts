/** Registers with a live half over the whole service (docs/registers.md): what is free, how old, and when it is not known. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  advance,
  createClient,
  createFolder,
  eventually,
  removeFolder,
  start,
  type Started,
} from "./support.ts";

const PARIS = "lat=48.8566&lon=2.3522";
const BOUND_S = 900;

type Counts = { free?: number; capacity?: number; observed_at: string; source: string };
type Item = {
  id: string;
  attributes: {
    availability?: Counts;
    charging?: { available_count?: number; source?: string };
    sources?: { source_id: string }[];
  };
};
type Listed = { id: string; live?: { states: number | null; age_s: number | null } };

describe("registers with a live half", () => {
  const http = createClient();
  let started: Started;

  before(async () => {
    started = await start({ data_dir: await createFolder(), timetables: false, registers: true });
  });
  after(async () => {
    http.close();
    await started.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  const list = async (path: string): Promise<Item[]> => {
    const { results } = await http.json<{ results: Item[] }>(`${started.service.url}${path}`);
    return results;
  };
  const live = async (kind: "parking" | "charging"): Promise<Item[]> => {
    const items = await list(`/v1/${kind}/nearby?${PARIS}&limit=20`);
    return items.filter(({ attributes: { availability, charging } }) =>
      kind === "parking" ? availability?.free !== undefined : charging?.source !== undefined,
    );
  };

  test("car parks and charging stations say what is free, and whose numbers it is", async () => {
    const parking = await eventually(
      async () => {
        const items = await live("parking");
        return items.length > 0 ? items : null;
      },
      { what: "free spaces", within_ms: 60_000 },
    );
    for (const { attributes } of parking) {
      const { source, observed_at, free, capacity } = attributes.availability!;
      assert.match(source, /^sandbox_(parkapi|datex2_parking)$/);
      assert.match(observed_at, /[+-]\d{2}:\d{2}$/, "in the offset of the place");
      assert.ok(free! >= 0 && (capacity === undefined || capacity > 0));
    }
    const charging = await live("charging");
    assert.ok(charging.length > 0);
    for (const { attributes } of charging) {
      const ids = attributes.sources!.map(({ source_id }) => source_id);
      assert.ok(ids.includes(attributes.charging!.source!), ids.join());
    }
    const { sources } = await http.json<{ sources: Listed[] }>(`${started.service.url}/v1/sources`);
    const registers = sources.filter((source) => source.live !== undefined);
    assert.equal(registers.length, 6);
    for (const { id, live: half } of registers) assert.ok((half!.states ?? 0) > 0, id);
  });

  test("places of /v1/nearby have the same numbers", async () => {
    const [parking] = await live("parking");
    const nearby = `${started.service.url}/v1/nearby?${PARIS}&include=places&limit=500`;
    const { results } = await http.json<{ results: { places: Item[] } }>(nearby);
    const sources = results.places.flatMap(({ attributes }) => attributes.availability ?? []);
    assert.ok(sources.length > 0, "none has free spaces");
    const { capacity } = parking!.attributes.availability!;
    assert.ok(capacity === undefined || capacity > 0);
  });

  test("while a live half fails its states stay until their bound, and are unknown then", async () => {
    const sandbox = started.service.sandbox!.url;
    for (const id of ["parkapi", "datex2_parking"])
      await fetch(`${sandbox}/__sandbox/faults/${id}`, {
        method: "PUT",
        body: JSON.stringify({ fault: "http_500" }),
      });
    await advance(http, sandbox, 200);
    assert.ok((await live("parking")).length > 0, "a failure is no reason to forget");
    await advance(http, sandbox, BOUND_S);
    assert.deepEqual(await live("parking"), []);
    assert.ok((await list(`/v1/parking/nearby?${PARIS}&limit=20`)).length > 0);
  });
});
