/**
 * Data folders that each released version has left, made by its own programs
 * (scripts/old-data-folder.ts), under the program of today: everything is there, or named with what
 * the operator has to do. An imported timetable of the first edition was "unreadable; ask again in a
 * moment", and made every transport answer on Earth `partial`, for ever and without a line in the log.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import type { SourcesBody } from "#api/sources.ts";
import { openStorage } from "#storage/open-storage.ts";
import { startService } from "../../src/main/service.ts";
import { unpackOld } from "../support/old-folder.ts";
import { createClient, eventually } from "./service/support.ts";

const RELEASES = ["d9737b1", "c8d4c3eb"] as const;
/**
 * What today's program cannot open and names. The first edition packed timetables in another format,
 * which has no departures. A format that changes adds what earlier releases wrote in it.
 */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  d9737b1: ["gtfs:first", "gtfs:second"],
};

/** Live, without any source but what is in the folder, at the time when the folder was made. */
async function startOn(t: TestContext, { data_dir, old }: Awaited<ReturnType<typeof unpackOld>>) {
  const file = join(data_dir, "vicinity.json");
  const sources = { gtfs: {}, openbase: { gazetteer: false } };
  writeFileSync(file, JSON.stringify({ sources }));
  const env = readEnv({
    ...{ PORT: "0", LOG_LEVEL: "silent", VICINITY_DATA_DIR: data_dir },
    ...{ VICINITY_CONTACT: "tests@example.org", VICINITY_ENFORCE_LIMITS: "0" },
  });
  if (!env.ok) return assert.fail(env.message);
  const loaded = loadConfig({ mode: "live", env: env.value, file });
  if (!loaded.ok) return assert.fail(loaded.message);
  const begun = performance.now();
  const now = (): number => Math.floor(old.made_at_ms + performance.now() - begun);
  const time = { now, watch: () => undefined };
  const options = { config: loaded.value, env: env.value, version: "1.1.0", time };
  const service = await startService(options);
  if ("problem" in service) return assert.fail(service.problem);
  const client = createClient();
  t.after(async () => {
    client.close();
    await service.close({ delay_ms: 0 });
  });
  return { url: service.url, client };
}

for (const commit of RELEASES)
  test(`all of a folder of ${commit} is there, or named`, async (t) => {
    const unpacked = await unpackOld(t, commit);
    const { old } = unpacked;
    const { url, client } = await startOn(t, unpacked);
    const by = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

    const me = await client.call(`${url}/v1/me`, by(old.key.key));
    assert.equal(me.status, 200);
    assert.match(me.text, new RegExp(`"used":${old.units}\\b`), "units, those of the journal too");
    assert.equal((await client.call(`${url}/v1/me`, by(old.revoked))).status, 401);

    const names = [...(NAMED[commit] ?? []), ...old.bases.map((id) => `openbase:${id}`)];
    const sources = await eventually(
      async () => {
        const { sources: all } = await client.json<SourcesBody>(`${url}/v1/sources`);
        const isRead = all.every(
          ({ state, entity_count }) => state !== "ok" || entity_count !== null,
        );
        // Bases are opened in the background.
        const isNamed = names.every((name) =>
          all.some(({ id, problem }) => id === name && problem),
        );
        return isRead && isNamed && all.some(({ id }) => id === "gtfs:second") ? all : null;
      },
      { within_ms: 60_000, what: "the reading of the store" },
    );
    const expected: [id: string, count: number][] = [
      ...old.timetables.map((id): [string, number] => [`gtfs:${id}`, 2]),
      ...old.bases.map((id): [string, number] => [`openbase:${id}`, 3]),
    ];
    for (const [id, count] of expected) {
      const source = sources.find((each) => each.id === id);
      const reason = names.includes(id) ? "earlier_version" : null;
      assert.equal(source?.problem?.reason ?? null, reason, id);
      assert.equal(source?.entity_count, names.includes(id) ? null : count, id);
    }

    for (const base of old.bases) {
      const { bbox } = sources.find(({ id }) => id === `openbase:${base}`)!;
      const [lat, lon] = [(bbox!.south + bbox!.north) / 2, (bbox!.west + bbox!.east) / 2];
      const services = `${url}/v1/services/nearby?lat=${lat}&lon=${lon}&types=toilets`;
      const { message } = await client.json<{ message: string }>(services);
      assert.match(message, new RegExp(`the base ${base} is of another version`));
    }

    type Transport = { status: string; message: string | null; results?: unknown };
    const near = (lat: number, lon: number): Promise<Transport> =>
      client.json<Transport>(`${url}/v1/transport/nearby?lat=${lat}&lon=${lon}&providers=gtfs`);
    const [at, elsewhere] = [await near(48.85, 2.35), await near(37.44, -122.16)];
    if (names.some((id) => id.startsWith("gtfs:"))) {
      assert.equal(at.status, "partial");
      assert.match(at.message ?? "", /timetable first is of another version/);
      assert.match(at.message ?? "", /until the operator acts by importing it again/);
    } else assert.equal(at.status, "success");
    assert.equal(elsewhere.status, "empty", `elsewhere nothing is missing: ${elsewhere.message}`);
  });

for (const commit of RELEASES)
  test(`datasets of a folder of ${commit} are there byte for byte`, async (t) => {
    const { old, data_dir } = await unpackOld(t, commit);
    const storage = openStorage({ data_dir, mode: "live" });
    if ("problem" in storage) return assert.fail(storage.problem);
    t.after(async () => {
      await Promise.all([storage.usage.close(), storage.datasets.close()]);
      storage.close();
    });
    const digest = async (id: string, part: "observation" | "body"): Promise<string> => {
      const read = await storage.datasets.read(id, part);
      if (read.status !== "ok") return read.status;
      return createHash("sha256").update(read.bytes).digest("hex");
    };
    assert.equal(old.datasets.length, 3);
    for (const { id, ...digests } of old.datasets)
      for (const part of ["observation", "body"] as const)
        assert.equal(await digest(id, part), digests[part], `${part} of ${id}`);
  });
