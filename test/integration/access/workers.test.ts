/**
 * Threads that serve next to one another (docs/workers.md), over real sockets: the same answers as of one,
 * limits and units of all of them, and what happens when one dies or throws.
 */
import assert from "node:assert/strict";
import { Agent, request as httpRequest } from "node:http";
import { test } from "node:test";
import { SEARCH_REQUEST_EXAMPLE } from "#api/capabilities-examples.ts";
import { readExposition } from "../../support/exposition.ts";
import { eventually } from "../service/support.ts";
import { ADMIN_TOKEN, bearer, makeKey, openService, PARIS, planLike } from "./support.ts";

const PLANS = {
  hurried: planLike({ rate_per_s: 0.001, burst: 30, units: null, period: null }),
  counted: planLike({ rate_per_s: 10_000, burst: 10_000, units: 40, period: "month", hard: true }),
  wide: planLike({ rate_per_s: 10_000, burst: 10_000, units: 1e6, period: "month", hard: true }),
};
const SOON_MS = 60_000;
const FAULTY = new URL("../../support/faulty-thread.ts", import.meta.url);
/** New connections, so that the system divides them among the threads. */
const APART = new Agent({ keepAlive: false, maxSockets: 16 });

type Reply = { status: number; text: string };

/** Status 0: the connection ended before the answer did. */
function ask(url: string, { headers = {}, method = "GET", body = "" } = {}): Promise<Reply> {
  return new Promise((resolve) => {
    const type = body === "" ? {} : { "content-type": "application/json" };
    const sent = { agent: APART, method, headers: { ...type, ...headers } };
    const lost = (): void => resolve({ status: 0, text: "" });
    const request = httpRequest(url, sent, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.once("error", lost);
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.once("error", lost);
    request.end(body);
  });
}

function all<T>(count: number, task: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => task(i)));
}

/** Without ages and moments, which go on between two answers. */
function settled(text: string): string {
  return text
    .replaceAll(/"(?:age_s|max_age_s|last_reported_age_s)":\d+/g, "")
    .replaceAll(/"[a-z_]*_at":"[^"]*"/g, "");
}

/** Ids and names of all that an answer has, whatever it is worth at the moment. */
function named(text: string): string[] {
  const found = text.matchAll(/"(?:svc_id|id|name|source_id|stop_id)":"([^"]*)"/g);
  return [...new Set(Array.from(found, ([, value]) => value!))].sort();
}

/** Throws in the threads of FAULTY. */
const PLANTED = "/v1/geocode?q=Paris&country=qz";

const QUESTIONS = [
  `/v1/nearby?${PARIS}&radius=400&limit=20&types=stations`,
  `/v1/nearby?${PARIS}&radius=300&limit=100&include=places`,
  "/v1/geocode?q=Gare%20de%20Lyon",
  `/v1/services/nearby?${PARIS}&types=toilets`,
  `/v1/parking/nearby?${PARIS}`,
  `/v1/charging/nearby?${PARIS}`,
  `/v1/transport/nearby?${PARIS}`,
  "/v1/sources",
  "/v1/nearby?lat=91&lon=2",
  "/v1/nothing",
];

test("threads that serve answer as one, admit as one, and lose nothing when one dies", async (t) => {
  const { url, service, accounts } = await openService(t, {
    ...{ plans: PLANS, workers: 2, worker_url: FAULTY },
  });
  const threads = service.threads!;
  assert.deepEqual(threads.state(), { serving: 2, ended: 0 });
  const admin = (path: string): Promise<Reply> =>
    ask(service.admin_url + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
  const { key: wide_key, id: wide_id } = makeKey(accounts, { plan: "wide" });
  const wide = { headers: bearer(wide_key) };

  await t.test(
    "every thread gives the same answers, in the words of a service with one",
    async () => {
      const { url: one } = await openService(t);
      for (const question of QUESTIONS) {
        const answers = await eventually(
          async () => {
            const given = await all(6, () => ask(url + question, wide));
            return new Set(given.map(({ text }) => settled(text))).size === 1 ? given : null;
          },
          { within_ms: SOON_MS, what: question },
        );
        const alone = await ask(one + question);
        assert.equal(answers[0]!.status, alone.status, question);
        if (question === "/v1/sources") continue;
        assert.deepEqual(named(answers[0]!.text), named(alone.text), question);
      }
    },
  );

  await t.test("each caller gets what is theirs, whichever thread answers", async () => {
    const keys = Array.from({ length: 8 }, () => makeKey(accounts, { plan: "wide" }));
    const answers = await all(64, async (i) => {
      const { key, id } = keys[i % keys.length]!;
      const { text } = await ask(`${url}/v1/me`, { headers: bearer(key) });
      return { id, own: (JSON.parse(text) as { key: { id: string } }).key.id };
    });
    assert.deepEqual(
      answers.filter(({ id, own }) => id !== own),
      [],
    );
  });

  await t.test("at the edge of a burst and of units none too many are admitted", async () => {
    const { key: hurried } = makeKey(accounts, { plan: "hurried" });
    const burst = await all(150, () => ask(`${url}/v1/me`, { headers: bearer(hurried) }));
    const admitted = burst.filter(({ status }) => status === 200).length;
    assert.ok(admitted <= 30 && admitted > 0, `${admitted} of 30 admitted`);
    const { key: counted } = makeKey(accounts, { plan: "counted" });
    const geocode = (): Promise<Reply> =>
      ask(`${url}/v1/geocode?q=Paris`, { headers: bearer(counted) });
    let granted = 0;
    for (let round = 0; round < 4; round++)
      granted += (await all(40, geocode)).filter(({ status }) => status === 200).length;
    assert.equal(granted, 40);
    const { text } = await ask(`${url}/v1/me`, { headers: bearer(counted) });
    assert.equal((JSON.parse(text) as { usage: { used: number } }).usage.used, 40);
  });

  await t.test("a stored answer is read, and a retry found, at any thread", async () => {
    const body = JSON.stringify(SEARCH_REQUEST_EXAMPLE);
    const search = (): Promise<Reply> =>
      ask(`${url}/v1/capabilities`, { ...wide, method: "POST", body });
    const stored = await all(6, search);
    const ids = stored.map(({ text }) => /"dataset_id":"([^"]+)"/.exec(text)?.[1]);
    assert.equal(new Set(ids).size, 1, stored[0]!.text.slice(0, 300));
    const href = /"href":"(\/v1\/datasets\/[^"]+)"/.exec(stored[0]!.text)?.[1];
    const read = await all(6, () => ask(`${url}${href}`, wide));
    assert.deepEqual(new Set(read.map(({ status }) => status)), new Set([200]));
  });

  await t.test("what is thrown in an answer costs that answer", async () => {
    const thrown = await all(4, () => ask(`${url}${PLANTED}`, wide));
    assert.deepEqual(new Set(thrown.map(({ status }) => status)), new Set([500]));
    assert.equal((await ask(`${url}/v1/me`, wide)).status, 200);
    assert.deepEqual(threads.state(), { serving: 2, ended: 0 });
  });

  await t.test("a thread that dies is replaced, and no answer that was sent is lost", async () => {
    let sent = (await listUnits()) ?? 0;
    const ends = Promise.withResolvers<void>();
    const callers = all(8, async () => {
      let answered = 0;
      for (let i = 0; i < 30; i++) {
        const { status } = await ask(`${url}/v1/geocode?q=Paris`, wide);
        if (status === 200) answered++;
        if (i === 5) ends.resolve();
      }
      return answered;
    });
    await ends.promise;
    await threads.kill(1);
    assert.equal((await ask(`${service.admin_url}/readyz`)).status, 503, "until it is replaced");
    const answered = (await callers).reduce((sum, each) => sum + each, 0);
    sent += answered;
    await eventually(
      async () => ((await ask(`${service.admin_url}/readyz`)).status === 200 ? true : null),
      { within_ms: SOON_MS, what: "a thread in its place" },
    );
    assert.deepEqual(threads.state(), { serving: 2, ended: 1 });
    // An answer may have been recorded whose connection ended with the thread.
    const counted = await listUnits();
    assert.ok(counted >= sent && counted <= sent + 8, `${counted} of ${sent} units`);
    assert.ok(answered >= 200, `${answered} of 240 answered`);
    const again = await all(6, () => ask(`${url}/v1/nearby?${PARIS}`, wide));
    assert.deepEqual(new Set(again.map(({ status }) => status)), new Set([200]));
  });

  await t.test("metrics are of the process", async () => {
    const { series } = readExposition((await ask(`${service.admin_url}/metrics`)).text);
    const valueOf = (name: string, labels: Record<string, string> = {}): number | undefined =>
      series.find(
        (each) =>
          each.name === name &&
          Object.entries(labels).every(([label, value]) => each.labels[label] === value),
      )?.value;
    assert.equal(valueOf("svc_workers"), 2);
    assert.equal(valueOf("svc_workers_ended_total"), 1);
    assert.equal(valueOf("svc_draining"), 0);
    assert.equal(series.filter(({ name }) => name === "process_resident_memory_bytes").length, 1);
    assert.ok(
      (valueOf("svc_http_requests_total", { route: "/v1/geocode", status: "200" }) ?? 0) > 40,
    );
    assert.ok((valueOf("svc_feeds", { state: "ok" }) ?? 0) > 0);
  });

  async function listUnits(): Promise<number> {
    const { text } = await admin(`/admin/usage?month=2026-11&key=${wide_id}`);
    const { rows } = JSON.parse(text) as { rows: { units: number; operation: string }[] };
    return rows
      .filter(({ operation }) => operation === "geocode")
      .reduce((sum, { units }) => sum + units, 0);
  }
});
