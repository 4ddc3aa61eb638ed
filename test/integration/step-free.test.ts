/**
 * Ways without steps within stations over real sockets: a timetable with pathways, alerts and a register
 * of lifts as servers of their own, and what stations and departures say while lifts go out of order.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { DeparturesBodyValue } from "#api/departures.ts";
import type { SourcesBody } from "#api/sources.ts";
import type { TransportBodyValue } from "#api/transit.ts";
import { encodeMessage, type Json } from "../../sandbox/gtfs-rt/encode.ts";
import { SMALL } from "../support/gtfs.ts";
import { STATION } from "../support/stations.ts";
import { zipOf } from "../support/zip.ts";
import { closeAll, createClient, createFolder, start, type Started } from "./service/support.ts";

const AT = "lat=48.85&lon=2.35";
/** A Tuesday morning in Paris, well before the departures. */
const BEGIN_MS = Date.UTC(2026, 10, 24, 5);
const MINUTE_MS = 60_000;

/** What the two servers say at the moment; null: they fail. */
const say: { alerts: Json[] | null; lift: string | null } = { alerts: [], lift: "ACTIVE" };
/** By which time was moved ahead, so that what was read is old. */
let moved_ms = 0;
/** Goes on by itself as well: what waits must come to its end. */
const now = (): number => Math.floor(BEGIN_MS + moved_ms + performance.now());

function openUpstream(): Server {
  return createServer(({ url = "", headers }, response) => {
    if (url.startsWith("/alerts.pb") && say.alerts) {
      const timestamp = Math.floor(now() / 1_000);
      const header = { gtfsRealtimeVersion: "2.0", timestamp };
      response.end(encodeMessage({ header, entity: say.alerts }));
    } else if (url === "/lifts/facilities?type=ELEVATOR" && say.lift !== null) {
      assert.equal(headers["db-api-key"], "key");
      const row = { type: "ELEVATOR", state: say.lift, stationnumber: 1 };
      response.end(JSON.stringify([{ ...row, equipmentnumber: 7 }]));
    } else response.writeHead(503).end();
  });
}

const alertAbout = (stop_id: string): Json => ({
  id: `about-${stop_id}`,
  alert: { effect: "ACCESSIBILITY_ISSUE", informedEntity: [{ stopId: stop_id }] },
});

describe("stations with lifts", () => {
  const client = createClient();
  const upstream = openUpstream();
  let started: Started;
  before(async () => {
    upstream.listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const data_dir = await createFolder();
    const path = join(data_dir, "town.zip");
    await writeFile(path, zipOf({ ...SMALL, ...STATION }));
    const realtime = { alerts: `${url}/alerts.pb`, max_age_s: 120, refresh_s: 5 };
    const settings = {
      egress: { allow_private: true },
      sources: {
        gtfs: { feeds: [{ id: "town", path, realtime }] },
        fasta: {
          ...{ url: `${url}/lifts`, client_id: "id", api_key: "key", max_age_s: 120 },
          lifts: [{ lift: "7", feed: "town", pathways: ["L1"] }],
        },
      },
    };
    const time = { now, watch: () => undefined };
    started = await start({ mode: "live", data_dir, settings, time });
    await started.service.tried();
  });
  after(async () => {
    upstream.close();
    await closeAll(client, started);
  });

  const get = <T>(path: string): Promise<T> => client.json(`${started.service.url}${path}`);
  const stationOf = async (more = "&walk=true") => {
    const body = await get<TransportBodyValue>(
      `/v1/transport/nearby?${AT}&radius=300&providers=gtfs${more}`,
    );
    const [station] = body.results.stations;
    return { station: station!, body };
  };
  /** Of both platforms, and of the departures there. */
  const answers = async (): Promise<unknown[]> => {
    const { station } = await stationOf();
    const board = await get<DeparturesBodyValue>(
      `/v1/departures/nearby?${AT}&radius=300&within=240&walk=true`,
    );
    const departures = board.results.departures.map((each) => each.platform_step_free);
    const platforms = station.step_free!.platforms.map(({ to_street }) => to_street);
    assert.deepEqual(departures, platforms, JSON.stringify(board));
    return platforms;
  };
  /** What is known goes out of date, and is asked for again. */
  const later = (next: Partial<typeof say>): void => {
    Object.assign(say, next);
    moved_ms += 3 * MINUTE_MS;
  };

  test("nothing is said of them where no ways on foot are asked for", async () => {
    const { station, body } = await stationOf("");
    assert.equal("step_free" in station, false);
    assert.equal("walk" in station, false);
    assert.equal("walking" in body, false);
  });

  test("a station in order is reached, and nothing is said of the streets without a base", async () => {
    const { station, body } = await stationOf();
    assert.equal(station.walk, null);
    assert.equal(body.walking!.reason, "outside_bases");
    assert.deepEqual(station.step_free, {
      to_street: true,
      platforms: [
        { stop_id: "P1", code: "1", level: "Platforms", to_street: true, meters: 30 },
        { stop_id: "P2", code: "2", level: "Platforms", to_street: true, meters: 60 },
      ],
      lifts: { total: 1, in_service: 1, out_of_order: 0, unknown: 0 },
    });
    assert.deepEqual(await answers(), [true, true]);
  });

  test("a lift is out of order by the register, by an alert about its node, and unknown by one about the station", async () => {
    later({ lift: "INACTIVE" });
    assert.deepEqual(await answers(), [false, true]);
    assert.equal((await stationOf()).station.step_free!.to_street, null);
    later({ lift: "ACTIVE", alerts: [alertAbout("N")] });
    assert.deepEqual(await answers(), [false, true]);
    later({ alerts: [alertAbout("S")] });
    assert.deepEqual(await answers(), [null, null]);
    later({ alerts: [] });
    assert.deepEqual(await answers(), [true, true]);
  });

  test("a register that fails is unknown once its answer is old, and alerts that fail are unknown", async () => {
    later({ lift: null });
    assert.deepEqual(await answers(), [null, true]);
    const { sources } = await get<SourcesBody>("/v1/sources");
    const register = sources.find(({ id }) => id === "fasta")!;
    assert.equal(register.state, "unavailable");
    later({ lift: "ACTIVE" });
    assert.deepEqual(await answers(), [true, true]);
    later({ alerts: null, lift: "ACTIVE" });
    // The register knows the lift itself, and the alerts would say more.
    assert.deepEqual(await answers(), [true, true]);
  });
});
