import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Auth } from "#providers/provider.ts";
import { createEgress } from "#upstream/egress.ts";
import { createHttpClient, type HttpClient } from "#upstream/http.ts";
import { listenHttp, type LocalServer } from "./local-server.ts";

type Bed = AsyncDisposable & {
  server: LocalServer;
  client: HttpClient;
  auth: Auth;
  seen: { url: string; authorization: string | undefined; body: string }[];
  now: { ms: number };
  grant: { status: number; body: string; valid: string; delay_ms: number };
};

/** A token server and an API behind it: only the token called `valid` opens the API. */
async function createBed(): Promise<Bed> {
  const seen: Bed["seen"] = [];
  const grant = { status: 200, body: token("t1", 3600), valid: "t1", delay_ms: 0 };
  const server = await listenHttp(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const authorization = request.headers.authorization;
    seen.push({ url: request.url ?? "", authorization, body });
    if (request.url === "/token") {
      await wait(grant.delay_ms);
      response.writeHead(grant.status).end(grant.body);
    } else response.writeHead(authorization === `Bearer ${grant.valid}` ? 200 : 401).end("data");
  });
  const now = { ms: 1_000_000 };
  const egress = createEgress({ allow_private: true });
  const client = createHttpClient({ egress, user_agent: "test", now: () => now.ms });
  const auth: Auth = {
    kind: "oauth2",
    token_url: `${server.origin}/token`,
    client_id: "id:1",
    client_secret: "s cret",
    scope: "read",
  };
  const dispose = async (): Promise<void> => {
    await egress.close();
    await server[Symbol.asyncDispose]();
  };
  return { server, client, auth, seen, now, grant, [Symbol.asyncDispose]: dispose };
}

function token(access_token: string, expires_in?: number | string): string {
  return JSON.stringify({ access_token, token_type: "bearer", expires_in });
}

function get({ client, server, auth }: Bed, signal = AbortSignal.timeout(2000)): Promise<number> {
  const request = { url: `${server.origin}/api`, auth, timeout_ms: 2000, signal };
  return client.fetch(request).then(({ status }) => status);
}

const count = (bed: Bed, url: string): number => bed.seen.filter((call) => call.url === url).length;

test("basic, headers and query credentials arrive as they should", async () => {
  await using bed = await createBed();
  const { client, server, seen } = bed;
  const ask = (auth: Auth): Promise<unknown> =>
    client.fetch({
      url: `${server.origin}/api?a=1`,
      auth,
      timeout_ms: 2000,
      signal: AbortSignal.timeout(2000),
    });
  await ask({ kind: "basic", username: "Åsa", password: "a:b" });
  await ask({ kind: "headers", headers: { Authorization: "Token x", "X-Other": "y" } });
  const answer = await client.fetch({
    url: `${server.origin}/api?a=1`,
    auth: { kind: "query", name: "key", value: "top secret" },
    timeout_ms: 2000,
    signal: AbortSignal.timeout(2000),
  });
  const basic = Buffer.from(seen[0]?.authorization?.slice(6) ?? "", "base64").toString();
  assert.equal(basic, "Åsa:a:b");
  assert.equal(seen[1]?.authorization, "Token x");
  assert.equal(seen[2]?.url, "/api?a=1&key=top%20secret");
  assert.equal(answer.url, `${server.origin}/api?a=1`);
});

test("a token is asked for once, however many wait, and kept until 30 s before its end", async () => {
  await using bed = await createBed();
  bed.grant.delay_ms = 20;
  assert.deepEqual(await Promise.all([get(bed), get(bed), get(bed)]), [200, 200, 200]);
  assert.equal(count(bed, "/token"), 1);
  const form = new URLSearchParams(bed.seen[0]?.body);
  assert.deepEqual([form.get("grant_type"), form.get("scope")], ["client_credentials", "read"]);
  const basic = Buffer.from(bed.seen[0]?.authorization?.slice(6) ?? "", "base64").toString();
  assert.equal(basic, "id%3A1:s+cret");
  bed.now.ms += 3_569_000;
  await get(bed);
  assert.equal(count(bed, "/token"), 1);
  bed.now.ms += 2_000;
  await get(bed);
  assert.equal(count(bed, "/token"), 2);
});

test("a token refused with 401 is renewed once; the second refusal is the answer", async () => {
  await using bed = await createBed();
  assert.equal(await get(bed), 200);
  Object.assign(bed.grant, { valid: "t2", body: token("t2") });
  assert.equal(await get(bed), 200);
  assert.equal(count(bed, "/token"), 2);
  bed.grant.valid = "none will do";
  assert.equal(await get(bed), 401);
  assert.equal(count(bed, "/token"), 3);
});

test("a token server that refuses or talks nonsense is distinguished", async () => {
  const rows: [number, string, string][] = [
    [401, "{}", "OAUTH_REFUSED"],
    [400, '{"error":"invalid_client"}', "OAUTH_REFUSED"],
    [500, "", "OAUTH_FAILED"],
    [200, "<html>", "OAUTH_FAILED"],
    [200, "null", "OAUTH_FAILED"],
    [200, '{"access_token":7}', "OAUTH_FAILED"],
    [200, '{"access_token":"a\\r\\nx-evil: 1"}', "OAUTH_FAILED"],
    [200, '{"access_token":""}', "OAUTH_FAILED"],
  ];
  for (const [status, body, code] of rows) {
    await using bed = await createBed();
    Object.assign(bed.grant, { status, body });
    await assert.rejects(get(bed), { code }, body);
    assert.equal(count(bed, "/api"), 0);
  }
});

test("a token that could not be had is asked for again by the next call", async () => {
  await using bed = await createBed();
  const { body } = bed.grant;
  Object.assign(bed.grant, { status: 500, body: "" });
  const failed = await Promise.allSettled([get(bed), get(bed)]);
  assert.deepEqual(
    failed.map((each) => each.status),
    ["rejected", "rejected"],
  );
  assert.equal(count(bed, "/token"), 1);
  Object.assign(bed.grant, { status: 200, body });
  assert.equal(await get(bed), 200);
  assert.equal(count(bed, "/token"), 2);
});

test("one caller giving up does not fail the others that wait for the token", async () => {
  await using bed = await createBed();
  bed.grant.delay_ms = 60;
  const hasty = get(bed, AbortSignal.timeout(10));
  const patient = get(bed);
  await assert.rejects(hasty, { name: "TimeoutError" });
  assert.equal(await patient, 200);
  assert.equal(count(bed, "/token"), 1);
});
