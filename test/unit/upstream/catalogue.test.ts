/** A catalogue is read daily, kept with its date, and used with its age while it cannot be read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createManualClock } from "../../support/manual-clock.ts";
import type { KeptDocuments } from "#core/kept-documents.ts";
import type { Outcome } from "#kit/outcome.ts";
import type { SourceRequest } from "#providers/provider.ts";
import { Catalogue, type CatalogueEvent } from "#upstream/catalogue-reader.ts";
import type { Fetched } from "#upstream/run.ts";
import { createMemoryDocuments } from "../../support/memory-documents.ts";
import { noFault } from "../../support/faults.ts";

const START_MS = Date.UTC(2026, 10, 22);
const DAY_MS = 86_400_000;
const URL_OF = "https://catalogue.example/systems";
const FAILED: Outcome<Fetched> = { status: "error", reason: "dns_failed" };

function bodyOf(text: string): Fetched {
  return {
    kind: "body",
    body: new TextEncoder().encode(text),
    url: URL_OF,
    etag: `"${text}"`,
    last_modified: null,
    max_age_s: null,
    content_type: null,
    link: null,
  };
}

function open(kept: Map<string, KeptDocuments> = new Map(), url = URL_OF, start_ms = START_MS) {
  const clock = createManualClock(start_ms);
  const state = {
    reply: FAILED,
    requests: [] as SourceRequest[],
    used: [] as string[],
    events: [] as CatalogueEvent[],
  };
  const catalogue = new Catalogue<string>(
    {
      id: "c",
      from: { url, timeout_ms: 1_000 },
      keep: true,
      parse(body) {
        const value = new TextDecoder().decode(body);
        if (value === "garbage") return null;
        return { value, count: value.length, trail: { dropped: [], repaired: [] } };
      },
    },
    {
      clock,
      documents: createMemoryDocuments(kept),
      onFault: noFault,
      onEvent: (event) => void state.events.push(event),
      run: (request) => {
        state.requests.push(request);
        return Promise.resolve(state.reply);
      },
    },
    (value) => Promise.resolve(void state.used.push(value)),
  );
  const answer = (value: Fetched): void =>
    void (state.reply = { status: "ok", value, fetched_at_ms: clock.now(), cache: "miss" });
  const start = async (): Promise<void> => {
    await catalogue.recall();
    await catalogue.start();
  };
  return { clock, catalogue, state, answer, start, kept };
}

test("a start while it cannot be read uses what was kept, with its date, and says why", async () => {
  const first = open();
  first.answer(bodyOf("one"));
  await first.start();
  await first.catalogue.close();
  const second = open(first.kept, URL_OF, START_MS + DAY_MS);
  await second.start();
  await second.clock.advance(0);
  assert.deepEqual(second.state.used, ["one"]);
  assert.deepEqual(second.catalogue.health(), {
    status: "error",
    reason: "dns_failed",
    last_success_at_ms: START_MS,
    count: 3,
  });
  const { where, reason } = second.state.events.at(-1)!;
  assert.deepEqual([where, reason], ["catalogue.example", "dns_failed"]);
});

test("without anything kept nothing is used, and it is asked again a minute later", async () => {
  const { start, state, answer, clock, catalogue } = open();
  await start();
  assert.deepEqual([state.used, catalogue.health().count], [[], null]);
  answer(bodyOf("one"));
  await clock.advance(60_000);
  assert.deepEqual([state.used, catalogue.health().status], [["one"], "ok"]);
});

test("an unchanged one is asked for with its tag, and confirmed with the new date", async () => {
  const { start, state, answer, clock, kept } = open();
  answer(bodyOf("one"));
  await start();
  answer({ kind: "not_modified" });
  await clock.advance(DAY_MS);
  assert.equal(state.requests[1]!.etag, '"one"');
  assert.deepEqual(state.used, ["one"]);
  assert.equal(kept.get("c")!.read_at_ms, START_MS + DAY_MS);
});

test("garbage does not take the place of what was good", async () => {
  const { start, state, answer, clock, catalogue, kept } = open();
  answer(bodyOf("one"));
  await start();
  answer(bodyOf("garbage"));
  await clock.advance(DAY_MS);
  assert.deepEqual([state.used, catalogue.health().reason], [["one"], "wrong_shape"]);
  assert.equal(new TextDecoder().decode(kept.get("c")!.bodies[0]), "one");
});

test("a copy kept from another address is void", async () => {
  const first = open();
  first.answer(bodyOf("one"));
  await first.start();
  const second = open(first.kept, "https://other.example/systems");
  await second.start();
  assert.deepEqual(second.state.used, []);
});

test("a file that is gone is a failure with a name", async () => {
  const { clock } = open();
  const events: CatalogueEvent[] = [];
  const catalogue = new Catalogue<string>(
    { id: "c", from: { path: "no/such/systems.csv" }, keep: true, parse: () => null },
    {
      clock,
      documents: createMemoryDocuments(),
      onFault: noFault,
      onEvent: (event) => void events.push(event),
      run: () => Promise.resolve(FAILED),
    },
    () => Promise.resolve(),
  );
  await catalogue.start();
  const { where, reason } = events[0]!;
  assert.deepEqual([where, reason], ["no/such/systems.csv", "not_found"]);
});
