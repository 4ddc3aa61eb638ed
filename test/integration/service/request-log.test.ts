/**
 * The log of a running service: whose each request was, in how many bytes, and nothing that must not be
 * in a log.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HANG_MS } from "../../support/size.ts";
import { startBalancer, WITHOUT } from "./balancer.ts";
import { eventually, type LogLine, serviceFor } from "./support.ts";

/** Of an anonymous success at the level info, the end of the line included (docs/operations.md). */
const MOST_BYTES = 110;
const PARIS = "lat=48.8566&lon=2.3522";

type RequestLine = LogLine & {
  route?: string;
  id?: string;
  ref?: string;
  st?: number;
  error?: string;
  key?: string;
  account?: string;
  by?: string;
  traceId?: string;
};

describe("the log of requests", () => {
  const lines: RequestLine[] = [];
  const running = serviceFor({ timetables: false, onLine: (line) => void lines.push(line) });
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const before = lines.length;
    const reply = await running.client.call(running.started.service.url + path, { headers });
    const own = lines.slice(before).filter(({ st }) => st !== undefined);
    assert.equal(own.length, 1, `${path}: one line`);
    return { reply, line: own[0]! };
  };

  test("an anonymous success has few bytes, and the same name for the same address", async () => {
    const requests = [];
    for (let i = 0; i < 50; i++)
      requests.push((await ask(`/v1/nearby?${PARIS}&limit=${i + 1}`)).line);
    const bytes = requests.map((line) => Buffer.byteLength(`${JSON.stringify(line)}\n`));
    // The counter of ids has two characters here; after sixty million requests it has five.
    const mean = bytes.reduce((sum, each) => sum + each, 0) / bytes.length + 3;
    assert.ok(mean <= MOST_BYTES, `${mean} bytes a request: ${JSON.stringify(requests[0])}`);
    assert.equal(new Set(requests.map(({ by }) => by)).size, 1);
    assert.equal(new Set(requests.map(({ id }) => id)).size, requests.length);
    assert.match(requests[0]!.by ?? "", /^[\w-]{6}$/);
    // A duration may have the digits of a place.
    assert.doesNotMatch(
      JSON.stringify(requests).replaceAll(/"ms":[\d.]+/g, ""),
      /127\.0\.0\.1|48\.8|2\.35/,
    );
  });

  test("a request of a key names key and account, and not the key", async () => {
    const { key } = running.started.service.keys[0]!;
    const { line } = await ask(`/v1/nearby?${PARIS}`, { authorization: `Bearer ${key}` });
    assert.match(line.key ?? "", /^key_\w+$/);
    assert.match(line.account ?? "", /^acc_\w+$/);
    assert.equal(line.by, undefined);
    assert.ok(!JSON.stringify(line).includes(key.slice(-12)));
  });

  test("a refusal has its code, and whose it was", async () => {
    const cases = [
      ["/v1/nearby?lat=999&lon=0", {}, "invalid_request"],
      ["/nowhere", {}, "not_found"],
      [`/v1/nearby?${PARIS}`, { authorization: "Bearer vic_test_none" }, "invalid_api_key"],
    ] as const;
    const { line: served } = await ask(`/v1/nearby?${PARIS}`);
    for (const [path, headers, code] of cases) {
      const { reply, line } = await ask(path, headers);
      assert.deepEqual([line.error, line.st], [code, reply.status], path);
      assert.equal(line.by, served.by, path);
    }
    assert.equal(served.error, undefined);
  });

  test("three requests of one trace have three ids, in the log and in the answers", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const requests = [];
    for (let i = 0; i < 3; i++) requests.push(await ask(`/v1/nearby?${PARIS}`, headers));
    const ids = requests.map(({ reply }) => reply.headers["x-vicinity-request-id"]);
    assert.equal(new Set(ids).size, 3);
    for (const [i, { reply, line }] of requests.entries()) {
      assert.equal(line.id, ids[i]);
      assert.deepEqual([reply.headers["x-request-id"], line.ref], [trace, trace]);
    }
  });

  test("the start says which build runs on which configuration, and the metric says the same", async () => {
    const started = lines.find(({ msg }) => msg === "listening") as unknown as Record<
      string,
      string
    >;
    const { text } = await running.client.call(`${running.started.service.admin_url}/metrics`);
    const [, labels = ""] = /^svc_build_info\{(.*)\} 1$/m.exec(text) ?? [];
    const listed = Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    for (const name of ["version", "commit", "config", "plans", "schema"])
      assert.equal(listed[name], started[name], name);
    assert.equal(listed["version"], "1.1.0");
    assert.match(listed["schema"] ?? "", /^vicinity\.db \d+, datasets\.db \d+$/);
    assert.equal(listed["config"], running.started.config.digest.config);
  });

  test(
    "the shipped balancer logs the id that the service's line has",
    { skip: WITHOUT },
    async (t) => {
      const { service } = running.started;
      const ports = {
        port: Number(new URL(service.url).port),
        admin_port: Number(new URL(service.admin_url).port),
      };
      const names = ["vicinity-a", "vicinity-b"];
      const balancer = await startBalancer(
        t,
        names.map((name) => ({ name, ...ports })),
      );
      const path = `/v1/nearby?${PARIS}`;
      const call = (headers: Record<string, string>) =>
        running.client.call(balancer.url + path, { headers });
      const isUp = () =>
        call({}).then(
          ({ status }) => (status === 200 ? true : null),
          () => null,
        );
      await eventually(isUp, { within_ms: HANG_MS, what: "the balancer" });
      for (const headers of [{}, { "x-request-id": "shared" }, { "x-request-id": "shared" }]) {
        const before = lines.length;
        assert.equal((await call(headers as Record<string, string>)).status, 200);
        const line = lines.slice(before).find(({ st }) => st === 200);
        assert.equal(line?.ref, (headers as Record<string, string>)["x-request-id"]);
        const find = async () =>
          balancer
            .log()
            .split("\n")
            .find((each) => each.endsWith(` ${line!.id}`)) ?? null;
        const own = await eventually(find, { within_ms: HANG_MS, what: `a line with ${line!.id}` });
        assert.match(own, /^\d+\/\w+\/\d{4}:[\d:]+ \+0000 127\.0\.0\.1 200 \d+ /);
      }
    },
  );
});
