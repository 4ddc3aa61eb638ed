/** What readings of registers and answers of lookups leave in the quality of their source. */
import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import type { SourceReading } from "#core/quality/findings.ts";
import type { Trail } from "#kit/trail.ts";
import { noteLookups, noteRegistries } from "#observe/lookup-events.ts";

const TRAIL: Trail = {
  dropped: [{ reason: "id_missing", count: 2, examples: ["secret", "place"] }],
  repaired: [{ reason: "evse_malformed", count: 1, examples: ["secret"] }],
};

function open() {
  const notes: [string, SourceReading][] = [];
  const attempts: string[] = [];
  const deps = {
    log: pino({ level: "silent" }),
    history: { note: (id: string) => void attempts.push(id) },
    quality: { note: (...note: [string, SourceReading]) => void notes.push(note) },
  };
  return { deps, notes, attempts };
}

test("an answer leaves reasons without examples, which would show where its caller asked; a failure leaves none", () => {
  const { deps, notes, attempts } = open();
  const note = noteLookups({
    ...{ ...deps, metrics: { lookedUp: () => undefined }, tracing: null, health: { note() {} } },
    toListedId: (provider) => `listed:${provider}`,
  });
  const attempt = {
    ...{ lookup_id: "x.charging", provider: "x", reason: null, elapsed_ms: 1, resend: 0 },
    ...{ sent: () => ({ method: "GET", host: "x" }), trail: () => TRAIL },
  };
  note({ ...attempt, status: "ok" });
  note({ ...attempt, status: "error", reason: "http_500" });
  assert.deepEqual(attempts, ["listed:x", "listed:x"]);
  assert.deepEqual(notes, [
    [
      "listed:x",
      {
        part: "x.charging",
        dropped: [{ reason: "id_missing", count: 2, examples: [] }],
        repaired: [{ reason: "evse_malformed", count: 1, examples: [] }],
      },
    ],
  ]);
});

test("a set that was read, or kept from before, leaves its reasons; one that is unchanged or failed says nothing", () => {
  const { deps, notes, attempts } = open();
  const note = noteRegistries(deps.log, deps);
  const event = { registry: "r", outcome: "ok", reason: null, accepted: 1, dropped: 2 } as const;
  const reasons = { reasons: TRAIL.dropped, repaired: TRAIL.repaired };
  note({ ...event, ...reasons }, "r");
  note({ ...event, ...reasons, kept: true }, "r");
  note({ ...event, reason: "not_modified" }, "r");
  note({ ...event, outcome: "error", reason: "http_500" }, "r");
  assert.equal(attempts.length, 3);
  assert.deepEqual(notes, [
    ["r", { part: null, ...TRAIL }],
    ["r", { part: null, ...TRAIL }],
  ]);
});
