/** The descriptor, the registry and the polling floor (mobility.md 1.2). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_BYTES, defineProvider } from "#providers/define.ts";
import type { Descriptor } from "#providers/define.ts";
import gbfs from "#providers/gbfs/index.ts";
import { nextPoll_s } from "../../gbfs/gbfs-protocol.ts";
import { REASONS } from "../../gbfs/gbfs-reasons.ts";
import { PROVIDERS } from "#providers/registry.ts";

test("the registry lists each provider once, frozen", () => {
  assert.ok(PROVIDERS.includes(gbfs));
  assert.equal(new Set(PROVIDERS.map(({ id }) => id)).size, PROVIDERS.length);
  for (const provider of PROVIDERS) {
    assert.ok(Object.isFrozen(provider) && Object.isFrozen(provider.terms));
    assert.ok(Object.isFrozen(provider.limits) && Object.isFrozen(provider.operations));
  }
});

test("a wrong descriptor does not load", () => {
  const wrong: Partial<Descriptor>[] = [
    { id: "GBFS" },
    { name: " " },
    { operations: [] },
    { operations: ["nearby", "nearby"] },
    { limits: { max_bytes: 0 } },
    { limits: { max_bytes: MAX_BYTES + 1 } },
  ];
  for (const part of wrong) assert.throws(() => defineProvider({ ...gbfs, ...part }), TypeError);
  assert.doesNotThrow(() => defineProvider({ ...gbfs }));
});

test("polls: the publisher's ttl within bounds, else the fallback", () => {
  const cases: [Parameters<typeof nextPoll_s>, number][] = [
    [["station_status", 1], 15],
    [["vehicle_status", 90], 90],
    [["station_status", 86_400], 300],
    [["station_status", 0], 60],
    [["vehicle_status", null], 60],
    [["station_information", 60], 300],
    [["vehicle_types", 7_200], 7_200],
    [["system_information", 1e9], 86_400],
    [["system_alerts", null], 3_600],
    [["geofencing_zones", Number.NaN], 3_600],
  ];
  for (const [args, expected] of cases) assert.equal(nextPoll_s(...args), expected, args.join(" "));
});

test("each reason is a token with a sentence", () => {
  for (const [reason, { sentence, violation }] of Object.entries(REASONS)) {
    assert.match(reason, /^[a-z]+(_[a-z]+)*$/);
    assert.match(sentence, /^[A-Z].*\.$/);
    assert.ok(violation === null || (violation >= 1 && violation <= 24));
  }
});
