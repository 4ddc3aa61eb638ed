// The simulator over real sockets: transport, credentials, faults and the control surface.
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { startSandbox, type Sandbox } from "../../sandbox/main.ts";
import {
  BASE_MS,
  control,
  getSystem,
  opener,
  type ReadSystem,
  readSystem,
  type Row,
  start,
  vehicleIdOf,
  vehiclesOf,
} from "../unit/sandbox/reader.ts";

describe("transport", () => {
  let sandbox: Sandbox;
  let address: string;
  before(async () => {
    sandbox = await start();
    address = `${sandbox.url}/upstreams/gbfs/paris-velo-seine/3.0/station_status.json`;
  });
  after(() => sandbox.close());

  test("an etag is honoured until the minute is over", async () => {
    const first = await fetch(address);
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^W\/"[\w-]+"$/);
    await first.arrayBuffer();
    const again = await fetch(address, { headers: { "if-none-match": `"other", ${etag}` } });
    assert.equal(again.status, 304);
    assert.equal((await again.arrayBuffer()).byteLength, 0);
    await control(sandbox, "POST", "clock", { advance_s: 60 });
    assert.equal((await fetch(address, { headers: { "if-none-match": etag } })).status, 200);
  });

  test("gzip comes when it is accepted, and only then", async () => {
    const packed = await raw(address, { "accept-encoding": "br, gzip" });
    const plain = await raw(address, {});
    const refused = await raw(address, { "accept-encoding": "gzip;q=0" });
    assert.equal(packed.headers["content-encoding"], "gzip");
    assert.equal(plain.headers["content-encoding"], undefined);
    assert.equal(refused.headers["content-encoding"], undefined);
    assert.ok(packed.body.length < plain.body.length / 3);
    assert.deepEqual(gunzipSync(packed.body), plain.body);
  });

  test("unknown systems, versions and feeds are 404, and writing is 405", async () => {
    const at = (path: string): string => `${sandbox.url}/upstreams/gbfs/${path}`;
    for (const path of [
      "nowhere/gbfs.json",
      "paris-velo-seine/2.3/gbfs.json",
      "paris-velo-seine/3.0/fr/station_status.json",
      "paris-velo-seine/3.0/vehicle_status.json",
      "london-thames-cycles/1.0/fr/station_status.json",
      "paris-velo-seine/",
      "paris-velo-seine/oauth/token",
    ])
      assert.equal((await fetch(at(path))).status, 404, path);
    assert.equal(
      (await fetch(at("paris-velo-seine/gbfs.json"), { method: "POST", body: "x" })).status,
      405,
    );
    assert.equal((await fetch(`${sandbox.url}/upstreams/nothing/x`)).status, 404);
  });
});

describe("credentials", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());

  test("four systems want one, each of another kind, and refuse without it", async () => {
    const guarded = sandbox.gbfsSystems().filter((system) => system.auth !== undefined);
    assert.deepEqual(guarded.map((system) => system.auth?.kind ?? "").toSorted(), [
      "basic",
      "headers",
      "oauth2",
      "query",
    ]);
    for (const system of guarded) {
      assert.equal((await fetch(system.url)).status, 401, system.id);
      assert.equal((await (await opener(system))(system.url)).status, 200, system.id);
    }
  });

  test("a wrong credential counts as none", async () => {
    const url = (id: string): string => getSystem(sandbox, id).url;
    assert.equal(
      (await fetch(url("tokyo-hayate"), { headers: { "x-api-key": "wrong" } })).status,
      401,
    );
    assert.equal((await fetch(`${url("new-york-skoot")}?api_key=wrong`)).status, 401);
    assert.equal(
      (
        await fetch(url("sydney-harbour-bikes"), {
          headers: { authorization: `Basic ${btoa("vicinity:wrong")}` },
        })
      ).status,
      401,
    );
    assert.equal(
      (
        await fetch(url("berlin-kiezauto"), {
          headers: { authorization: "Bearer t1.00000000000000000000000000000000" },
        })
      ).status,
      401,
    );
  });

  test("OAuth: a wrong client gets no token, a token lives an hour of simulated time", async () => {
    const system = getSystem(sandbox, "berlin-kiezauto");
    const auth = system.auth;
    assert.ok(auth?.kind === "oauth2");
    const ask = (fields: Record<string, string>, headers = {}): Promise<Response> =>
      fetch(auth.token_url, { method: "POST", headers, body: new URLSearchParams(fields) });
    const client = { client_id: auth.client_id, client_secret: auth.client_secret };
    assert.equal(
      (await ask({ grant_type: "client_credentials", ...client, client_secret: "no" })).status,
      401,
    );
    assert.equal((await ask({ grant_type: "password", ...client })).status, 401);
    const authorization = `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}`;
    const token = (await (
      await ask({ grant_type: "client_credentials" }, { authorization })
    ).json()) as Row;
    assert.equal(token["token_type"], "Bearer");
    assert.equal(token["expires_in"], 3600);
    const use = (): Promise<Response> =>
      fetch(system.url, { headers: { authorization: `Bearer ${String(token["access_token"])}` } });
    assert.equal((await use()).status, 200);
    await control(sandbox, "POST", "clock", { advance_s: 3599 });
    assert.equal((await use()).status, 200);
    await control(sandbox, "POST", "clock", { advance_s: 1 });
    assert.equal((await use()).status, 401);
  });
});

describe("faults", () => {
  let sandbox: Sandbox;
  const london = (feed = "station_status"): string =>
    `${sandbox.url}/upstreams/gbfs/london-thames-cycles/1.0/en/${feed}.json`;
  const paris = (): string => `${sandbox.url}/upstreams/gbfs/paris-velo-seine/gbfs.json`;
  const put = async (source: string, body: unknown): Promise<void> => {
    assert.equal((await control(sandbox, "PUT", `faults/${source}`, body)).status, 200);
  };
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());

  const heal = async (): Promise<void> => {
    assert.equal((await control(sandbox, "DELETE", "faults")).status, 204);
    assert.equal((await fetch(london())).status, 200);
  };

  test("truncated begins correctly and breaks off, packed or not, even for a 304", async () => {
    const whole = await raw(london(), {});
    await put("gbfs", { fault: "truncated" });
    for (const headers of [
      {},
      { "if-none-match": String(whole.headers["etag"]) },
      { "accept-encoding": "gzip" },
    ]) {
      const part = await raw(london(), headers);
      assert.equal(part.complete, false);
      assert.equal(part.status, 200);
      const announced = Number(part.headers["content-length"]);
      assert.ok(part.body.length > 0 && part.body.length < announced);
      if (part.headers["content-encoding"] === undefined)
        assert.deepEqual(part.body, whole.body.subarray(0, part.body.length));
    }
    await heal();
  });

  test("huge streams more than 80 MiB, and stops when the client goes", async () => {
    await put("gbfs", { fault: "huge" });
    let bytes = 0;
    for await (const chunk of (await fetch(london())).body ?? [])
      bytes += (chunk as Uint8Array).length;
    assert.ok(bytes > 80 * 1024 * 1024, String(bytes));
    const partial = await fetch(london());
    const reader = partial.body?.getReader();
    const head = new TextDecoder().decode((await reader?.read())?.value);
    assert.ok(head.startsWith('{"last_updated":'));
    await reader?.cancel();
    await heal();
  });

  test("faults apply to a 304 too", async () => {
    const etag = (await fetch(london())).headers.get("etag") ?? "";
    await put("gbfs", { fault: "http_500" });
    assert.equal((await fetch(london(), { headers: { "if-none-match": etag } })).status, 500);
    await heal();
  });

  test("a fault can be one system's, one path's, and some requests' only", async () => {
    await put("gbfs/london-thames-cycles", { fault: "http_500", path: "station_status" });
    assert.equal((await fetch(london())).status, 500);
    assert.equal((await fetch(london("station_information"))).status, 200);
    assert.equal((await fetch(paris())).status, 200);
    await put("gbfs:paris-velo-seine", { fault: "http_429", rate: 0.5 });
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await fetch(paris())).status);
    assert.deepEqual(statuses, [200, 429, 200, 429, 200, 429]);
    const listed = (await (await control(sandbox, "GET", "faults")).json()) as { faults: Row[] };
    assert.deepEqual(
      listed.faults.map((f) => [f["source"], f["fault"]]),
      [
        ["gbfs:london-thames-cycles", "http_500"],
        ["gbfs:paris-velo-seine", "http_429"],
      ],
    );
    await put("gbfs/london-thames-cycles", { fault: "none" });
    assert.equal((await fetch(london())).status, 200);
    await heal();
  });

  test("bad bodies and unknown sources are refused", async () => {
    const bad = await control(sandbox, "PUT", "faults/gbfs", { fault: "slow", rate: 2 });
    assert.equal(bad.status, 400);
    assert.match(await bad.text(), /rate must be a number from 0 to 1/);
    assert.equal(
      (await control(sandbox, "PUT", "faults/gbfs/atlantis", { fault: "slow" })).status,
      404,
    );
    assert.equal((await control(sandbox, "PUT", "faults/", { fault: "slow" })).status, 404);
  });
});

describe("control", () => {
  test("sources, unknown routes and wrong methods", async (t) => {
    const sandbox = await start();
    t.after(() => sandbox.close());
    const sources = (await (await control(sandbox, "GET", "sources")).json()) as {
      sources: Row[];
      gbfs_systems: Row[];
    };
    assert.equal(sources.sources[0]?.["url"], `${sandbox.url}/upstreams/gbfs`);
    assert.deepEqual(sources.sources, sandbox.sources);
    assert.equal(sources.gbfs_systems.length, sandbox.gbfsSystems().length);
    const unknown = await control(sandbox, "GET", "nonsense");
    assert.equal(unknown.status, 404);
    assert.match(unknown.headers.get("content-type") ?? "", /json/);
    assert.equal((await control(sandbox, "GET", "constructor")).status, 404);
    for (const [method, path, allow] of [
      ["POST", "truth", "GET"],
      ["DELETE", "clock", "GET, POST"],
      ["GET", "faults/gbfs", "PUT"],
      ["PUT", "requests", "GET, DELETE"],
    ] as const) {
      const answer = await control(sandbox, method, path);
      assert.equal(answer.status, 405, path);
      assert.equal(answer.headers.get("allow"), allow);
    }
    assert.equal((await fetch(sandbox.url)).status, 404);
  });

  test("the clock moves the world, and waits for its followers", async (t) => {
    const followed: number[] = [];
    let release: () => void = () => undefined;
    const sandbox = await startSandbox({
      seed: 1,
      port: 0,
      now: () => BASE_MS,
      onAdvance: (advance_s) =>
        new Promise((resolve) => {
          followed.push(advance_s);
          release = resolve;
        }),
    });
    t.after(() => sandbox.close());
    const read = async (): Promise<ReadSystem> => readSystem(getSystem(sandbox, "madrid-rapidin"));
    const earlier = await read();
    let answered = false;
    const moving = control(sandbox, "POST", "clock", { advance_s: 1800 }).then((answer) => {
      answered = true;
      return answer;
    });
    while (followed.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(sandbox.now(), BASE_MS + 1_800_000);
    assert.equal(answered, false);
    release();
    assert.deepEqual(await (await moving).json(), { now: "2026-11-21T09:30:30.000Z" });
    assert.deepEqual(followed, [1800]);
    const later = await read();
    const ids = new Set(vehiclesOf(earlier).map(vehicleIdOf));
    const gone = vehiclesOf(later).filter((row) => !ids.has(vehicleIdOf(row))).length;
    assert.ok(gone > 20, `${gone} new ids`);
    assert.equal(later.feeds.get("vehicle_status")?.last_updated, "2026-11-21T09:30:00Z");
  });

  test("a service that cannot follow is an error, and the clock can be moved again", async (t) => {
    let fails = true;
    const onAdvance = (): Promise<void> =>
      fails ? Promise.reject(new Error("stuck")) : Promise.resolve();
    const sandbox = await startSandbox({ seed: 1, port: 0, now: () => BASE_MS, onAdvance });
    t.after(() => sandbox.close());
    assert.equal((await control(sandbox, "POST", "clock", { advance_s: 1 })).status, 500);
    fails = false;
    assert.equal((await control(sandbox, "POST", "clock", { advance_s: 0 })).status, 200);
    for (const advance_s of [-1, "5", null, 1e12])
      assert.equal((await control(sandbox, "POST", "clock", { advance_s })).status, 400);
    assert.equal((await control(sandbox, "POST", "clock")).status, 400);
  });

  test("requests are counted per source and system, and the last hundred kept", async (t) => {
    const sandbox = await start();
    t.after(() => sandbox.close());
    const read = async (): Promise<{ counts: Record<string, number>; last: Row[] }> =>
      (await (await control(sandbox, "GET", "requests")).json()) as {
        counts: Record<string, number>;
        last: Row[];
      };
    assert.equal((await read()).counts["gbfs"], 0);
    const url = getSystem(sandbox, "sao-paulo-motoca").url;
    for (let i = 0; i < 120; i += 1) await (await fetch(`${url}?n=${i}`)).arrayBuffer();
    await control(sandbox, "PUT", "faults/gbfs", { fault: "http_500" });
    await fetch(`${sandbox.url}/upstreams/gbfs/cape-town-glyer/gbfs.json`);
    const { counts, last } = await read();
    assert.equal(counts["gbfs"], 121);
    assert.equal(counts["gbfs:sao-paulo-motoca"], 120);
    assert.equal(counts["gbfs:cape-town-glyer"], 1);
    assert.equal(last.length, 100);
    assert.deepEqual(last.at(-1), {
      method: "GET",
      path: "/upstreams/gbfs/cape-town-glyer/gbfs.json",
      time: "2026-11-21T09:00:30.000Z",
      source: "gbfs:cape-town-glyer",
    });
    const readPaths = async (): Promise<Record<string, string[]>> =>
      (
        (await (await control(sandbox, "GET", "paths")).json()) as {
          paths: Record<string, string[]>;
        }
      ).paths;
    const paths = await readPaths();
    assert.equal(paths["/upstreams/gbfs/sao-paulo-motoca/gbfs.json"]?.length, 120);
    assert.deepEqual(paths["/upstreams/gbfs/cape-town-glyer/gbfs.json"], [
      "2026-11-21T09:00:30.000Z",
    ]);
    await control(sandbox, "DELETE", "requests");
    assert.deepEqual([(await read()).counts["gbfs"], (await read()).last], [0, []]);
    assert.deepEqual(await readPaths(), {});
  });

  test("closing does not wait for a request that is held", async (t) => {
    const sandbox = await start();
    t.after(() => sandbox.close());
    await control(sandbox, "PUT", "faults/gbfs", { fault: "timeout" });
    const stored = fetch(`${sandbox.url}/upstreams/gbfs/cape-town-glyer/gbfs.json`).then(
      () => "answered",
      () => "broken",
    );
    while (
      ((await (await control(sandbox, "GET", "requests")).json()) as { last: Row[] }).last
        .length === 0
    );
    await sandbox.close();
    assert.equal(await stored, "broken");
  });
});

type Raw = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  complete: boolean;
};

/** One request as it is on the wire: nothing decoded, a broken end reported. */
function raw(url: string, headers: Record<string, string>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      const done = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          complete: response.complete,
        });
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", done);
      response.on("close", done);
    });
    sent.on("error", reject);
    sent.end();
  });
}
