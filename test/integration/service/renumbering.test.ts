/** Ids over a renumbering, and while a source is away, through the running service (R11, §2.9). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  advance,
  type Client,
  createClient,
  createFolder,
  start,
  type Started,
  closeAll,
} from "./support.ts";

const SYSTEM = "berlin-spreerad";
const DAY_S = 86_400;

describe("a system that renumbers its stations", () => {
  const client: Client = createClient();
  let started: Started;
  before(async () => (started = await start({ data_dir: await createFolder() })));
  after(() => closeAll(client, started));

  /** Place → id and key, of the system's own stations near the centre. */
  async function stations(): Promise<Map<string, { id: string; key: string }>> {
    const { lat, lon } = started.service.sandbox!.cities().find(({ name }) => name === "Berlin")!;
    const query = { lat, lon, radius: 400, include: "stations" };
    const body = await client.nearby(started.service, query);
    assert.equal(body.status, "success");
    const own_stations = body.results.stations.filter(({ network }) => network.id === SYSTEM);
    return new Map(
      own_stations.map(({ id, location, provenance }) => [
        `${location.lat},${location.lon}`,
        { id, key: provenance![0]!.source_id },
      ]),
    );
  }

  const control = (path: string, method: string, body?: object) =>
    client.call(`${started.service.sandbox!.url}/__sandbox/${path}`, {
      method,
      ...(body ? { body } : {}),
    });

  test("keeps the ids that callers know", async () => {
    const former = await stations();
    assert.ok(former.size > 8, String(former.size));
    assert.equal((await control("renumber", "POST", { system: SYSTEM })).status, 200);
    await advance(client, started.service.sandbox!.url, 2 * DAY_S);
    // A question wakes the system for its live files; the static ones are due with the next poll.
    await stations();
    await advance(client, started.service.sandbox!.url, 120);
    const now = await stations();
    assert.equal(now.size, former.size);
    for (const [place, { id, key }] of now) {
      assert.equal(id, former.get(place)!.id, place);
      assert.notEqual(key, former.get(place)!.key, "published under a new key");
    }
  });

  test("keeps them over a restart, too", async () => {
    const former = await stations();
    await started.service.close({ delay_ms: 0 });
    started = await start({ data_dir: started.data_dir });
    // The simulator starts over with its original keys.
    const now = await stations();
    for (const [place, { id }] of now) assert.equal(id, former.get(place)!.id, place);
    assert.equal(now.size, former.size);
  });
});
