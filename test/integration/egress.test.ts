/**
 * A feed's owner writes the URLs we fetch (reliability 4.5). Whatever they write, and by
 * whichever of four ways it reaches the connector, nothing may arrive at a listener on this machine.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { isIP, type LookupFunction } from "node:net";
import { test } from "node:test";
import { isPublicAddress } from "#upstream/egress-address.ts";
import { createEgress, type Egress } from "#upstream/egress.ts";
import { createHttpClient, type HttpClient } from "#upstream/http.ts";
import { HOSTILE_HOSTS } from "../unit/upstream/hostile-hosts.ts";
import { listenHttp, listenTcp, type LocalServer } from "../unit/upstream/local-server.ts";

type Canaries = AsyncDisposable & { port: number; visits(): number };

/** Listeners on 127.0.0.1 and ::1, on the same port. */
async function createCanaries(): Promise<Canaries> {
  const v4 = await listenTcp((socket) =>
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
  );
  const v6 = await listenTcp((socket) => socket.destroy(), "::1", v4.port);
  return {
    port: v4.port,
    visits: () => v4.accepted() + v6.accepted(),
    async [Symbol.asyncDispose]() {
      await Promise.all([v4[Symbol.asyncDispose](), v6[Symbol.asyncDispose]()]);
    },
  };
}

/** Takes the URL rules away, so that the connector alone must hold. */
function withoutRules(egress: Egress): Egress {
  return {
    ...egress,
    check(text, { base }) {
      const url = URL.parse(text, base);
      return url ? { ok: true, url } : { ok: false, code: "URL_DENIED" };
    },
  };
}

function createClient(egress: Egress): HttpClient {
  return createHttpClient({ egress, user_agent: "test" });
}

/** The code a call fails with; "reached" when it does not. */
async function tryFetch(client: HttpClient, url: string): Promise<string> {
  const signal = AbortSignal.timeout(60_000);
  const [result] = await Promise.allSettled([client.fetch({ url, timeout_ms: 60_000, signal })]);
  if (result.status === "fulfilled") return "reached";
  return String((result.reason as { code?: unknown }).code);
}

/** A resolver that returns the given answers in turn, and counts. */
function createLookup(answers: (call: number) => string[]): LookupFunction & { calls: number } {
  const lookup = (
    _name: string,
    _options: unknown,
    callback: Parameters<LookupFunction>[2],
  ): void => {
    const addresses = answers(lookup.calls++);
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  };
  lookup.calls = 0;
  return lookup;
}

/** 127.0.0.9 plays a public address. */
const is_public = (ip: string): boolean => ip === "127.0.0.9" || isPublicAddress(ip);

const LITERALS = HOSTILE_HOSTS.map((host) => URL.parse(`http://${host}/`)?.hostname ?? "")
  .map((hostname) => hostname.replace(/^\[|\]$/g, ""))
  .filter((hostname) => isIP(hostname) !== 0);

test("control: the canaries are reached when private addresses are allowed", async () => {
  await using canaries = await createCanaries();
  const egress = createEgress({ allow_private: true });
  assert.equal(
    await tryFetch(createClient(egress), `http://localhost:${canaries.port}/`),
    "reached",
  );
  assert.ok(canaries.visits() > 0);
  await egress.close();
});

test("direct: no spelling of a private address is connected to", async () => {
  await using canaries = await createCanaries();
  const lookup = createLookup(() => ["127.0.0.1", "::1"]);
  const egress = createEgress({ allow_private: false, lookup });
  const bare = createClient(withoutRules(egress));
  let denied = 0;
  for (const host of HOSTILE_HOSTS) {
    const url = `http://${host}:${canaries.port}/`;
    assert.equal(await tryFetch(createClient(egress), url), "URL_DENIED", url);
    const code = await tryFetch(bare, url);
    assert.match(code, /^(EGRESS_DENIED|URL_DENIED)$/, url);
    if (code === "EGRESS_DENIED") denied += 1;
  }
  assert.ok(HOSTILE_HOSTS.length >= 120 && denied >= 100, `${denied} of ${HOSTILE_HOSTS.length}`);
  assert.equal(canaries.visits(), 0);
  await egress.close();
});

test("redirect: a public host does not lead to a private one", async () => {
  await using canaries = await createCanaries();
  await using door = await listenHttp((request, response) => {
    const to = decodeURIComponent(request.url?.slice(1) ?? "");
    // Header bytes are UTF-8 on the wire; Node wants them one per character.
    response.writeHead(302, { location: Buffer.from(to).toString("latin1") }).end();
  });
  // The door itself is loopback, hence named by hand; exactly it, and nothing else.
  const egress = createEgress({
    allow_private: false,
    allow_hosts: [`127.0.0.1:${door.port}`],
    lookup: createLookup(() => ["127.0.0.1", "::1"]),
  });
  let followed = 0;
  for (const host of HOSTILE_HOSTS) {
    const to = encodeURIComponent(`http://${host}:${canaries.port}/`);
    const ruled = await tryFetch(createClient(egress), `${door.origin}/${to}`);
    assert.equal(ruled, "REDIRECT_DENIED", host);
    const code = await tryFetch(createClient(withoutRules(egress)), `${door.origin}/${to}`);
    assert.match(code, /^(EGRESS_DENIED|REDIRECT_DENIED)$/, host);
    if (code === "EGRESS_DENIED") followed += 1;
  }
  assert.ok(followed >= 100, `${followed} reached the connector`);
  assert.equal(canaries.visits(), 0);
  await egress.close();
});

test("resolved name: every address of the answer must be public", async () => {
  await using canaries = await createCanaries();
  for (const literal of LITERALS)
    for (const answer of [[literal], ["192.88.98.1", literal], [literal, "2a00:1450:4001::1"]]) {
      const lookup = createLookup(() => answer);
      const egress = createEgress({ allow_private: false, lookup });
      const client = createClient(withoutRules(egress));
      const code = await tryFetch(client, `http://feed.example.org:${canaries.port}/`);
      assert.equal(code, "EGRESS_DENIED", answer.join());
      assert.equal(lookup.calls, 1);
      await egress.close();
    }
  assert.ok(LITERALS.length >= 100, `${LITERALS.length} answers`);
  assert.equal(canaries.visits(), 0);
});

test("an empty answer of the resolver is denied too", async () => {
  const egress = createEgress({ allow_private: false, lookup: createLookup(() => []) });
  const code = await tryFetch(createClient(egress), "https://feed.example.org/");
  assert.equal(code, "EGRESS_DENIED");
  await egress.close();
});

test("flip: the address that was checked is the one connected to, and each connection resolves again", async () => {
  await using canaries = await createCanaries();
  const seen: (string | undefined)[] = [];
  await using decoy: LocalServer = await listenHttp(
    (request, response) => {
      seen.push(request.headers.host);
      response.writeHead(200, { connection: "close" }).end("{}");
    },
    "127.0.0.9",
    canaries.port,
  );
  // From its second answer on, the name points inside.
  const lookup = createLookup((call) => [call === 0 ? "127.0.0.9" : "127.0.0.1"]);
  const egress = createEgress({ allow_private: false, lookup, is_public });
  const gone = once(egress.agentFor(false), "disconnect");
  const client = createClient(withoutRules(egress));
  const url = `http://feed.example.org:${canaries.port}/`;
  assert.equal(await tryFetch(client, url), "reached");
  assert.deepEqual([lookup.calls, decoy.accepted()], [1, 1]);
  assert.deepEqual(seen, [`feed.example.org:${canaries.port}`]);
  await gone;
  assert.equal(await tryFetch(client, url), "EGRESS_DENIED");
  assert.deepEqual([lookup.calls, decoy.accepted(), canaries.visits()], [2, 1, 0]);
  await egress.close();
});

test("a listed host is reached, also by IPv6 literal; its neighbour's port is not", async () => {
  await using v4 = await listenHttp((_, response) => response.end("{}"));
  await using v6 = await listenHttp((_, response) => response.end("{}"), "::1");
  await using other = await listenHttp((_, response) => response.end("{}"));
  const allow_hosts = [`127.0.0.1:${v4.port}`, `[::1]:${v6.port}`];
  const egress = createEgress({ allow_private: false, allow_hosts });
  const client = createClient(egress);
  assert.equal(await tryFetch(client, v4.origin), "reached");
  assert.equal(await tryFetch(client, v6.origin), "reached");
  assert.equal(await tryFetch(client, other.origin), "URL_DENIED");
  assert.equal(await tryFetch(createClient(withoutRules(egress)), other.origin), "EGRESS_DENIED");
  assert.equal(other.accepted(), 0);
  await egress.close();
});

test("a host that becomes known later is known from then on", () => {
  const http_hosts: string[] = [];
  const egress = createEgress({ allow_private: false, http_hosts });
  const judge = (): boolean => egress.check("http://late.example.org/", {}).ok;
  assert.equal(judge(), false);
  http_hosts.push("late.example.org");
  assert.equal(judge(), true);
  return egress.close();
});
