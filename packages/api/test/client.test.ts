/** The client: what it sends, and that each kind of answer is one kind of value. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, PATHS } from "../client/client.ts";
import { reasonOf } from "../client/request.ts";
import type { ClientOptions, Reply } from "../client/reply.ts";

const URL_OF_SERVER = "http://vicinity.test/base//";

/** A client whose requests are all answered, or fail, like this. */
function answering(answer: Response | Error, options: Partial<ClientOptions> = {}) {
  const sent: { url: string; headers: Record<string, string> }[] = [];
  const client = createClient({
    url: URL_OF_SERVER,
    fetch: async (url, init) => {
      sent.push({ url: (url as URL).href, headers: init?.headers as Record<string, string> });
      if (answer instanceof Error) throw answer;
      return answer.clone();
    },
    ...options,
  });
  return { client, sent };
}

const json = (body: unknown, status = 200): Response => Response.json(body, { status });
const REFUSAL = { error: { code: "invalid_lat", message: "lat: at most 90" } };
const HTML = { headers: { "content-type": "text/html" } };

const ANSWERS: readonly [name: string, answer: Response, reply: Reply<unknown>][] = [
  ["an object", json({ total: 1 }), { kind: "ok", body: { total: 1 } }],
  ["a list", json([]), { kind: "ok", body: [] }],
  ["a refusal", json(REFUSAL, 400), { kind: "refused", status: 400, ...REFUSAL.error }],
  // An object of an answer that is well is its body, whatever it holds.
  ["an answer with a member error", json(REFUSAL), { kind: "ok", body: REFUSAL }],
  [
    "an object that is no refusal",
    json({ error: "gone" }, 502),
    { kind: "stranger", status: 502, content_type: "application/json" },
  ],
  [
    "a refusal without a message",
    json({ error: { code: "x" } }, 400),
    { kind: "stranger", status: 400, content_type: "application/json" },
  ],
  ...["null", "7", '"text"', "", "<html>"].map((text): [string, Response, Reply<unknown>] => [
    `the text ${text}`,
    new Response(text, HTML),
    { kind: "stranger", status: 200, content_type: "text/html" },
  ]),
  [
    "nothing at all",
    new Response(null, { status: 204 }),
    { kind: "stranger", status: 204, content_type: "no content type" },
  ],
];

for (const [name, answer, reply] of ANSWERS)
  test(`${name} is ${reply.kind}`, async () => {
    assert.deepEqual(await answering(answer).client.health(), reply);
  });

const caused = (cause: unknown): Error => new Error("fetch failed", { cause });
const FAILURES: readonly [error: unknown, reason: string][] = [
  [Object.assign(new Error("late"), { name: "TimeoutError" }), "timeout"],
  [caused({ code: "ECONNREFUSED" }), "ECONNREFUSED"],
  [caused({ errors: [{ code: "EHOSTUNREACH" }, { code: "x" }] }), "EHOSTUNREACH"],
  [caused({ code: "ECONNRESET", errors: [{ code: "x" }] }), "ECONNRESET"],
  [caused({ errors: [] }), "fetch failed"],
  [caused(undefined), "fetch failed"],
  ["a text", "unknown"],
  [null, "unknown"],
];

test("a server that is away is a value with the reason of the system", async () => {
  for (const [error, reason] of FAILURES) {
    assert.equal(reasonOf(error), reason);
    if (!(error instanceof Error)) continue;
    const { client } = answering(error);
    assert.deepEqual(await client.health(), { kind: "unreachable", reason });
  }
});

test("each method asks its path with its query, and a key only where there is one", async () => {
  const { client, sent } = answering(json({}), { api_key: "vic_1" });
  await client.nearby({ lat: 48.1, lon: 2, debug: true });
  await client.weather({ lat: 1, lon: -2, language: "a/b$&" });
  await client.forecast({ lat: 1, lon: -2, language: "de" });
  for (const name of ["sources", "health", "openapi"] as const) await client[name]();
  assert.deepEqual(
    sent.map(({ url }) => url),
    [
      "/v1/nearby?lat=48.1&lon=2&debug=true",
      "/realtime/1,-2/weather/a%2Fb%24%26",
      "/realtime/1,-2/forecast/de",
      ...[PATHS.sources, PATHS.health, PATHS.openapi],
    ].map((path) => `http://vicinity.test/base${path}`),
  );
  const accept = "application/json";
  assert.deepEqual(sent[0]!.headers, { accept, authorization: "Bearer vic_1" });
  const anonymous = answering(json({}));
  await anonymous.client.health();
  assert.deepEqual(anonymous.sent[0]!.headers, { accept });
});
