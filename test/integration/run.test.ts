/** Upstreams behaving badly (reliability 3.2): an outcome in time, and no socket is left. */
import assert from "node:assert/strict";
import type { LookupFunction, Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { createClock } from "#process/clock.ts";
import { createManualClock } from "../support/manual-clock.ts";
import type { Outcome } from "#kit/outcome.ts";
import type { SourceRequest } from "#providers/provider.ts";
import { createEgress } from "#upstream/egress.ts";
import { createHttpClient, type HttpClient, type HttpLimits } from "#upstream/http.ts";
import { createRun, type Fetched, type RunRequest } from "#upstream/run.ts";
import { listenHttp, listenTcp } from "../unit/upstream/local-server.ts";
import { within } from "../support/size.ts";
import { collectFaults, noFault } from "../support/faults.ts";

type Bench = AsyncDisposable & { run: RunRequest };

function createBench({
  lookup,
  ...limits
}: Partial<HttpLimits> & { lookup?: LookupFunction } = {}): Bench {
  const egress = createEgress({ allow_private: true, ...(lookup ? { lookup } : {}) });
  const client = createHttpClient({ egress, user_agent: "vicinity-test", limits });
  const run = createRun({ client, clock: createClock(), onFault: noFault });
  return { run, [Symbol.asyncDispose]: () => egress.close() };
}

function summarise(outcome: Outcome<Fetched>): string {
  return outcome.status === "ok" ? `ok ${outcome.cache}` : `${outcome.status} ${outcome.reason}`;
}

function textOf(outcome: Outcome<Fetched>): string {
  assert.ok(outcome.status === "ok" && outcome.value.kind === "body", summarise(outcome));
  return new TextDecoder().decode(outcome.value.body);
}

const nameless: LookupFunction = (_name, _options, callback) =>
  callback(Object.assign(new Error("x"), { code: "ENOTFOUND" }), []);

const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** Raw replies: what is written on accept, and what is to come of it. */
const WIRE_FAULTS: [name: string, play: (socket: Socket) => void, expected: RegExp][] = [
  ["never answers", () => {}, /^timeout deadline$/],
  ["header drip", (socket) => drip(socket, "HTTP/1.1 200 OK\r\nx-slow: "), /^timeout deadline$/],
  [
    "body drip",
    (socket) => drip(socket, `${HEAD}content-length: 9999\r\n\r\n`),
    /^timeout deadline$/,
  ],
  ["reset at once", (socket) => socket.resetAndDestroy(), /^error connection_reset$/],
  ["closed at once", (socket) => socket.destroy(), /^error connection_reset$/],
  [
    "content-length beyond the body",
    (socket) => socket.end(`${HEAD}content-length: 50\r\n\r\n{}`),
    /^error (connection_reset|bad_http)$/,
  ],
  [
    "chunked, cut off",
    (socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"a"`),
    /^error (connection_reset|bad_http)$/,
  ],
  [
    "reset within the body",
    (socket) =>
      void socket.write(`${HEAD}content-length: 50\r\n\r\n{}`, () =>
        setTimeout(() => socket.resetAndDestroy(), 10),
      ),
    /^error connection_reset$/,
  ],
  ["not HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"), /^error bad_http$/],
  [
    "header block of 64 KiB",
    (socket) => socket.end(`${HEAD}x: ${"a".repeat(65536)}\r\n\r\n{}`),
    /^error headers_too_large$/,
  ],
  [
    "header injection in a status line",
    (socket) => socket.end("HTTP/1.1 200\0 OK\r\n\r\n"),
    /^error bad_http$/,
  ],
  [
    "both lengths (request smuggling)",
    (socket) =>
      socket.end(`${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    /^error bad_http$/,
  ],
];

function drip(socket: Socket, start: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write("x"), 10);
  socket.on("close", () => clearInterval(timer));
}

for (const [name, play, expected] of WIRE_FAULTS)
  test(`on the wire: ${name}`, async () => {
    await using server = await listenTcp((socket) => void socket.once("data", () => play(socket)));
    await using bench = createBench();
    const begun = performance.now();
    const timeout_ms = expected.source.includes("timeout") ? 120 : 60_000;
    const outcome = await bench.run({ url: server.origin, timeout_ms }, {});
    const took = performance.now() - begun;
    assert.match(summarise(outcome), expected);
    assert.ok(took < within(250), `${took} ms`);
    assert.ok(await server.isDrained(), "a socket leaked");
  });

test("no connection at all: unknown name, no TLS, no listener", async () => {
  const server = await listenTcp((socket) => socket.end("plain text\r\n"));
  await using bench = createBench({ lookup: nameless });
  const ask = async (url: string): Promise<string> =>
    summarise(await bench.run({ url, timeout_ms: 60_000 }, {}));
  assert.equal(await ask("https://nope.example.org/"), "error dns_failed");
  assert.equal(await ask(`https://127.0.0.1:${server.port}/`), "error tls_failed");
  await server[Symbol.asyncDispose]();
  assert.equal(await ask(`http://127.0.0.1:${server.port}/`), "error connection_refused");
});

test("a resolver that hangs is not waited for, neither by the deadline nor by an abort", async () => {
  const stored: Parameters<LookupFunction>[2][] = [];
  const lookup: LookupFunction = (_name, _options, callback) => stored.push(callback);
  await using bench = createBench({ lookup, headers_timeout_ms: 100 });
  const url = "http://hang.example.org/";
  for (const [timeout_ms, signal, expected] of [
    [40, undefined, "timeout deadline"],
    [600_000, AbortSignal.timeout(40), "timeout aborted"],
    [600_000, undefined, "timeout deadline"],
  ] as const) {
    const begun = performance.now();
    assert.equal(summarise(await bench.run({ url, timeout_ms }, { signal })), expected);
    const took = performance.now() - begun;
    assert.ok(took < within(200), `${took} ms`);
  }
  for (const answer of stored) answer(Object.assign(new Error("x"), { code: "EAI_AGAIN" }), []);
});

test("headers have a deadline of their own, the body only the total one", async () => {
  await using server = await listenHttp((request, response) => {
    if (request.url === "/headers") return;
    response.write("a");
    setTimeout(() => response.end("b"), 900);
  });
  await using bench = createBench({ headers_timeout_ms: 600 });
  const begun = performance.now();
  const ask = (path: string): Promise<Outcome<Fetched>> =>
    bench.run({ url: server.origin + path, timeout_ms: 600_000 }, {});
  assert.equal(summarise(await ask("/headers")), "timeout deadline");
  assert.ok(performance.now() - begun < within(700));
  assert.equal(textOf(await ask("/body")), "ab");
});

test("statuses become outcomes, and the upstream's text is exposed nowhere", async () => {
  await using server = await listenHttp((request, response) => {
    response
      .writeHead(Number(request.url?.slice(1)), { "retry-after": "7" })
      .end("secret".repeat(9999));
  });
  await using bench = createBench();
  for (const [status, expected] of [
    [401, "unauthorized http_401"],
    [403, "unauthorized http_403"],
    [404, "error http_404"],
    [410, "error http_404"],
    [429, "error http_429"],
    [500, "error http_500"],
    [503, "error http_503"],
    [304, "error http_304"],
    [302, "error http_302"],
  ] as const) {
    const before = Date.now();
    const outcome = await bench.run({ url: `${server.origin}/${status}`, timeout_ms: 60_000 }, {});
    assert.equal(summarise(outcome), expected);
    assert.ok(!JSON.stringify(outcome).includes("secret"));
    const took = Date.now() - before;
    const retry = "retry_at_ms" in outcome ? (outcome.retry_at_ms ?? 0) - before : null;
    const isStated = retry !== null && retry >= 7_000 && retry <= 7_000 + took;
    assert.equal(isStated, status === 429 || status >= 500);
  }
});

test("a failure or a redirect whose body never ends is reported at once, and its connection closed", async () => {
  await using server = await listenHttp((request, response) => {
    if (request.url === "/there") return response.end("{}");
    response.writeHead(Number(request.url?.slice(1)), { location: "/there" });
    const timer = setInterval(() => response.write("x".repeat(1000)), 5);
    return response.on("close", () => clearInterval(timer));
  });
  for (const [status, expected] of [
    [500, "error http_500"],
    [404, "error http_404"],
    [302, "ok miss"],
  ] as const) {
    await using bench = createBench();
    const begun = performance.now();
    const outcome = await bench.run({ url: `${server.origin}/${status}`, timeout_ms: 600_000 }, {});
    assert.equal(summarise(outcome), expected);
    assert.ok(performance.now() - begun < within(200));
    for (let tries = 0; tries < 4_000 && server.open() > Number(status === 302); tries += 1)
      await wait(5);
    assert.equal(server.open(), Number(status === 302), "only the good connection is kept");
  }
});

test("a call that is given up reports the deadline, whatever breaks meanwhile", async () => {
  const client: HttpClient = {
    fetch: ({ signal }) =>
      new Promise((_resolve, reject) => {
        const error = Object.assign(new Error("x"), { code: "ECONNRESET" });
        signal.addEventListener("abort", () => reject(error));
      }),
  };
  const run = createRun({ client, clock: createManualClock(0), onFault: noFault });
  assert.equal(summarise(await run({ url: "x", timeout_ms: 10 }, {})), "timeout deadline");
});

test("any body arrives whole with its validators; validators lead to a 304", async () => {
  await using server = await listenHttp((request, response) => {
    const { "if-none-match": tag, "if-modified-since": since } = request.headers;
    if (tag === '"v1"' && since === "Wed, 21 Oct 2026 07:28:00 GMT")
      return response.writeHead(304).end();
    return response
      .writeHead(200, {
        "content-type": "text/html",
        "content-encoding": "gzip",
        etag: '"v1"',
        "last-modified": "Wed, 21 Oct 2026 07:28:00 GMT",
        "cache-control": "public, s-maxage=9, max-age=60",
      })
      .end(gzipSync("<html>not ours to judge</html>"));
  });
  await using bench = createBench();
  const request: SourceRequest = { url: `${server.origin}/feed`, timeout_ms: 60_000 };
  const first = await bench.run(request, {});
  assert.equal(textOf(first), "<html>not ours to judge</html>");
  assert.ok(first.status === "ok" && first.value.kind === "body" && first.cache === "miss");
  const { etag, last_modified, url, max_age_s } = first.value;
  assert.deepEqual({ url, max_age_s }, { url: `${server.origin}/feed`, max_age_s: 60 });
  for (let round = 0; round < 8; round += 1) {
    const again = await bench.run({ ...request, etag, last_modified }, {});
    assert.ok(again.status === "ok" && again.value.kind === "not_modified");
    assert.equal(again.cache, "revalidated");
  }
  // The pool may open a second one while the first is being handed back.
  assert.ok(server.accepted() <= 2, "304 must not cost the connection");
});

test("max-age as the publisher means it", async () => {
  const rows: [string | null, number | null][] = [
    [null, null],
    ["public", null],
    ["max-age=0", 0],
    ["MAX-AGE = 30", 30],
    ["s-maxage=30", null],
    ["x-max-age=5", null],
    ["max-age=60, no-store", 0],
    ["no-cache, max-age=60", 0],
    ["max-age=-5", null],
  ];
  let current: string | null = null;
  await using server = await listenHttp((_, response) => {
    response.writeHead(200, current === null ? {} : { "cache-control": current }).end("{}");
  });
  await using bench = createBench();
  for (const [header, expected] of rows) {
    current = header;
    const outcome = await bench.run({ url: server.origin, timeout_ms: 60_000 }, {});
    assert.ok(outcome.status === "ok" && outcome.value.kind === "body");
    assert.equal(outcome.value.max_age_s, expected, String(header));
  }
});

test("decompression bombs and oversized bodies are cut early, with their connection", async () => {
  const MIB = 1024 * 1024;
  const replies: Record<string, [Record<string, string>, Buffer]> = {
    "/gzip": [
      { "content-encoding": "gzip" },
      Buffer.concat(Array<Buffer>(4096).fill(gzipSync(Buffer.alloc(MIB)))),
    ],
    "/br": [{ "content-encoding": "br" }, brotliCompressSync(Buffer.alloc(4 * MIB))],
    "/plain": [{}, Buffer.alloc(16 * MIB, 32)],
    "/stack": [{ "content-encoding": "gzip, gzip, gzip" }, Buffer.from("x")],
    "/liar": [{ "content-encoding": "gzip" }, Buffer.from("{}")],
  };
  await using server = await listenHttp((request, response) => {
    const [headers, body] = replies[request.url ?? ""] ?? [{}, Buffer.from("")];
    // No content-length, so that the counter is what stops it.
    response.writeHead(200, { ...headers, "transfer-encoding": "chunked" }).end(body);
  });
  await using bench = createBench();
  const before = process.memoryUsage().rss;
  // The small ones have arrived whole before they are judged: their connection is still good.
  for (const [path, expected] of [
    ["/gzip", "error decompression_bomb"],
    ["/br", "error decompression_bomb"],
    ["/plain", "error body_too_large"],
    ["/stack", "error bad_encoding"],
    ["/liar", "error bad_encoding"],
  ] as const) {
    const request = {
      url: server.origin + path,
      timeout_ms: 60_000,
      max_bytes: path === "/plain" ? MIB : 64 * MIB,
    };
    assert.equal(summarise(await bench.run(request, {})), expected, path);
    assert.ok(
      !["/gzip", "/plain"].includes(path) || (await server.isDrained()),
      `${path} leaked a socket`,
    );
  }
  const grown = (process.memoryUsage().rss - before) / MIB;
  assert.ok(grown < 48, `${Math.round(grown)} MiB`);
});

test("redirects: three are followed, the fourth is not, and the final URL is reported", async () => {
  const requests: string[] = [];
  await using server = await listenHttp((request, response) => {
    const left = Number(request.url?.slice(1));
    requests.push(`${request.method} ${request.url}`);
    if (left === 0) response.end("there");
    else response.writeHead(302, { location: `./${left - 1}` }).end("moved");
  });
  await using bench = createBench();
  const three = await bench.run({ url: `${server.origin}/3`, timeout_ms: 60_000 }, {});
  assert.equal(textOf(three), "there");
  assert.ok(three.status === "ok" && three.value.kind === "body");
  assert.equal(three.value.url, `${server.origin}/0`);
  const four = await bench.run({ url: `${server.origin}/4`, timeout_ms: 60_000 }, {});
  assert.equal(summarise(four), "error too_many_redirects");
  assert.equal(requests.length, 8);
});

test("a loop ends, and credentials do not cross to another origin", async () => {
  const seen: string[] = [];
  await using other = await listenHttp((request, response) => {
    seen.push(JSON.stringify([request.url, request.headers]));
    response.end("{}");
  });
  await using server = await listenHttp((request, response) => {
    const location = request.url?.startsWith("/loop") ? "/loop" : `${other.origin}/x${request.url}`;
    response.writeHead(307, { location }).end();
  });
  await using bench = createBench();
  const loop = await bench.run({ url: `${server.origin}/loop`, timeout_ms: 60_000 }, {});
  assert.equal(summarise(loop), "error too_many_redirects");
  for (const auth of [
    { kind: "headers", headers: { "x-api-key": "s3cret" } },
    { kind: "basic", username: "u", password: "s3cret" },
    { kind: "query", name: "key", value: "s3cret" },
  ] as const) {
    const headers = { cookie: "s3cret", "x-other": "s3cret" };
    const outcome = await bench.run(
      { url: `${server.origin}/a`, auth, headers, timeout_ms: 60_000 },
      {},
    );
    assert.equal(summarise(outcome), "ok miss");
  }
  assert.equal(seen.length, 3);
  for (const call of seen) assert.doesNotMatch(call, /s3cret|authorization/i);
  const post = {
    url: `${server.origin}/a`,
    method: "POST",
    body: "s3cret",
    timeout_ms: 60_000,
  } as const;
  assert.equal(summarise(await bench.run(post, {})), "error redirect_denied");
});

test("an aborted call ends at once, in every phase, and leaves no socket", async () => {
  await using server = await listenHttp((request, response) => {
    if (request.url === "/body") response.write("begun");
  });
  await using bench = createBench();
  for (const path of ["/headers", "/body"]) {
    const controller = new AbortController();
    const running = bench.run(
      { url: server.origin + path, timeout_ms: 600_000 },
      { signal: controller.signal },
    );
    while (server.open() < 1) await wait(1);
    const begun = performance.now();
    controller.abort();
    assert.equal(summarise(await running), "timeout aborted");
    assert.ok(performance.now() - begun < within(50));
    assert.ok(await server.isDrained(), `${path} leaked a socket`);
  }
  const dead = AbortSignal.abort();
  assert.equal(
    summarise(await bench.run({ url: server.origin, timeout_ms: 5000 }, { signal: dead })),
    "timeout aborted",
  );
  assert.equal(server.accepted(), 2);
});

test("the nearer of the two deadlines counts, and without time there is no call", async () => {
  await using server = await listenHttp(() => {});
  const egress = createEgress({ allow_private: true });
  const clock = createManualClock(1_000_000);
  const run = createRun({
    client: createHttpClient({ egress, user_agent: "t" }),
    onFault: noFault,
    clock,
  });
  for (const deadline_ms of [0, 999_999, 1_000_000, 1_000_000.5, Number.NaN])
    assert.equal(
      summarise(await run({ url: server.origin, timeout_ms: 5000 }, { deadline_ms })),
      "timeout deadline",
    );
  assert.equal(summarise(await run({ url: server.origin, timeout_ms: 0 }, {})), "timeout deadline");
  assert.equal(server.accepted(), 0);
  for (const [timeout_ms, left_ms] of [
    [600_000, 60],
    [60, 600_000],
  ] as const) {
    const begun = performance.now();
    // A stopped clock: the timer behind the deadline is a real one.
    const outcome = await run(
      { url: server.origin, timeout_ms },
      { deadline_ms: 1_000_000 + left_ms },
    );
    assert.equal(summarise(outcome), "timeout deadline");
    const took = performance.now() - begun;
    assert.ok(took >= 55 && took < within(200), `${took} ms`);
  }
  await egress.close();
});

test("run never rejects, not even for requests that make no sense", async () => {
  await using bench = createBench();
  const rows: [SourceRequest, string][] = [
    [{ url: "", timeout_ms: 100 }, "unavailable url_denied"],
    [{ url: "ftp://example.org/", timeout_ms: 100 }, "unavailable url_denied"],
    [
      { url: "https://a.example.org/", timeout_ms: 100, same_site_as: ["example.net"] },
      "unavailable host_denied",
    ],
    [
      { url: "http://127.0.0.1:9/", timeout_ms: 100, headers: { "x\r\ny": "z" } },
      "error bad_request",
    ],
    [
      { url: "http://127.0.0.1:9/", timeout_ms: 100, headers: { x: "a\r\nb: c" } },
      "error bad_request",
    ],
  ];
  for (const [request, expected] of rows)
    assert.equal(summarise(await bench.run(request, {})), expected);
  const { faults, onFault } = collectFaults();
  const broken = createRun({
    client: { fetch: () => Promise.reject(new TypeError("bug")) },
    clock: createManualClock(0),
    onFault,
  });
  assert.equal(summarise(await broken({ url: "x", timeout_ms: 9 }, {})), "error unexpected");
  assert.deepEqual(faults, [{ part: "request", message: "bug" }]);
});

test("a finished call leaves neither timer nor listener behind", async () => {
  await using server = await listenHttp((_, response) => response.end("{}"));
  await using bench = createBench();
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: unknown[]) => (
    (listeners += 1),
    Reflect.apply(addEventListener, signal, args)
  );
  signal.removeEventListener = (...args: unknown[]) => (
    (listeners -= 1),
    Reflect.apply(removeEventListener, signal, args)
  );
  await bench.run({ url: server.origin, timeout_ms: 60_000 }, { signal });
  const before = timers();
  for (let i = 0; i < 20; i += 1)
    await bench.run({ url: server.origin, timeout_ms: 60_000 }, { signal });
  assert.equal(listeners, 0);
  assert.ok(timers() <= before, `${timers() - before} timers more`);
  assert.ok(server.accepted() <= 2, "connections are kept");
});
