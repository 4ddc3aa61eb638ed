/**
 * A base that another version has imported, or that is damaged, is named with what to do (decisions,
 * Versions of private formats): in the log at the start, by doctor, in /v1/sources and in every answer
 * about a place that it covers, and in no others.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { SourcesBody } from "#api/sources.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { aBasePack } from "../support/bases.ts";
import { connect, resultOf } from "../support/mcp.ts";
import { run } from "../unit/cli/support.ts";
import {
  createClient,
  createFolder,
  eventually,
  type LogLine,
  removeFolder,
  start,
  type Started,
} from "./service/support.ts";

/** In the base, and where it is not. */
const [HERE, ELSEWHERE] = [
  { lat: 48.855, lon: 2.355 },
  { lat: 51.5, lon: -0.12 },
];

type Opened = {
  name: string;
  change(pack: Uint8Array): void;
  reason: string | null;
  says: RegExp;
  /** Where it is, is unknown. */
  isLost?: true;
};

const asVersion =
  (version: number) =>
  (pack: Uint8Array): void =>
    new DataView(pack.buffer, pack.byteOffset).setUint32(4, version, true);

const AGAIN = "asking again changes nothing until the operator acts by importing it again";
const CASES: readonly Opened[] = [
  {
    name: "an earlier version",
    change: asVersion(1),
    reason: "earlier_version",
    says: /^base old was imported by an earlier version: import it again/,
  },
  {
    name: "a later version",
    change: asVersion(99),
    reason: "later_version",
    says: /^base old was imported by a later version: import it again/,
  },
  {
    name: "damaged bytes",
    change: (pack) => void pack.fill(0, pack.length >> 1),
    reason: "damaged",
    says: /^base old cannot be read: import it again/,
    isLost: true,
  },
  {
    name: "this version",
    change: () => undefined,
    reason: null,
    says: /^base$/,
  },
];

for (const { name, change, reason, says, isLost = false } of CASES)
  describe(`a base of ${name}`, () => {
    const client = createClient();
    const lines: LogLine[] = [];
    let started: Started | null = null;
    let data_dir = "";
    let url = "";
    before(async () => {
      data_dir = await createFolder();
      const store = openAdminStorage({ data_dir, mode: "live" });
      if ("problem" in store) return assert.fail(store.problem);
      const pack = (await aBasePack("old")).slice();
      change(pack);
      await store.bases.put("old", pack);
      store.close();
      const settings = {
        sources: {
          openbase: { gazetteer: false, photon_prefix: "/photon" },
          maps: { adapter: "openstreetmap" },
        },
      };
      const onLine = (line: LogLine): void => void lines.push(line);
      started = await start({ mode: "live", data_dir, settings, onLine });
      ({ url } = started.service);
      return await eventually(
        async () => {
          const { sources } = await client.json<SourcesBody>(`${url}/v1/sources`);
          return sources.some(({ id }) => id === "openbase:old") || null;
        },
        { within_ms: 60_000, what: "the reading of the store" },
      );
    });
    after(async () => {
      client.close();
      await started?.service.close({ delay_ms: 0 });
      await removeFolder(data_dir);
    });

    const ask = async (path: string): Promise<object> =>
      JSON.parse((await client.call(`${url}${path}`)).text) as object;

    test("the log says so at the start", () => {
      const about = lines.filter((line) => (line as { base?: string }).base === "old");
      assert.match(about[0]?.msg ?? "", says);
    });

    test("so do /v1/sources and doctor, with the place of it", async () => {
      const { sources } = await client.json<SourcesBody>(`${url}/v1/sources`);
      const source = sources.find(({ id }) => id === "openbase:old")!;
      assert.equal(source.problem?.reason ?? null, reason);
      const box = { south: 48.85, west: 2.35, north: 48.86, east: 2.36 };
      assert.deepEqual(source.bbox, isLost ? null : box);
      const { out, code } = await run(["doctor", "--url", url], { fetch });
      const line = `error openbase:old: ${source.problem?.message}`;
      const isNamed = out.split("\n").some((one) => one.startsWith(line));
      assert.equal(isNamed, reason !== null, out);
      if (reason !== null) assert.equal(code, 1);
    });

    const PATHS: readonly [what: string, path: (at: string) => string][] = [
      ["services", (at) => `/v1/services/nearby?${at}&types=toilets,drinking_water`],
      ["parking", (at) => `/v1/parking/nearby?${at}`],
      ["charging", (at) => `/v1/charging/nearby?${at}`],
      ["places of /v1/nearby", (at) => `/v1/nearby?${at}&include=places`],
      ["reverse geocoding", (at) => `/v1/reverse-geocode?${at}`],
      ["reverse geocoding of Photon", (at) => `/photon/reverse?${at}`],
    ];
    const isNamed = (answer: object): boolean => /the base old/i.test(JSON.stringify(answer));
    const isMissing = reason !== null && !isLost;
    for (const [what, toPath] of PATHS)
      test(`${what} near it, and nowhere else`, async () => {
        const [here, elsewhere] = await Promise.all(
          [HERE, ELSEWHERE].map(({ lat, lon }) => ask(toPath(`lat=${lat}&lon=${lon}`))),
        );
        assert.equal(isNamed(here!), isMissing, JSON.stringify(here));
        if (isMissing) {
          const message = JSON.stringify(here);
          assert.match(message, /the base old is of another version/i);
          assert.ok(message.includes(AGAIN), message);
        }
        assert.ok(!isNamed(elsewhere!), JSON.stringify(elsewhere));
      });

    for (const path of ["/v1/geocode?q=Halle", "/v1/place-search?q=Halle", "/photon/api?q=Halle"])
      test(`${path}: what no other source can answer`, async () => {
        const answer = await ask(path);
        assert.equal(isNamed(answer), isMissing, JSON.stringify(answer));
      });

    test("services for agents", async () => {
      const mcp = await connect(url);
      for (const [at, isHere] of [
        [HERE, true],
        [ELSEWHERE, false],
      ] as const) {
        const input = { ...at, types: "toilets" };
        const result = resultOf(
          await mcp.callTool({ name: "find_urban_services", arguments: input }),
        );
        assert.equal(isNamed(result), isMissing && isHere, JSON.stringify(result));
      }
      await mcp.close();
    });

    test("the index of the map", async () => {
      const index = await client.json<{ unopened?: { id: string; bounds: number[] | null }[] }>(
        `${url}/tiles/index.json`,
      );
      assert.deepEqual(
        index.unopened?.map(({ id, bounds }) => ({ id, bounds })),
        reason === null
          ? undefined
          : [{ id: "old", bounds: isLost ? null : [2.35, 48.85, 2.36, 48.86] }],
      );
      assert.equal(isNamed(index), reason !== null);
    });
  });
