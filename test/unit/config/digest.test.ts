/** Digests of configurations: equal for equal ones, and blind to secrets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { digestConfig } from "#config/digest.ts";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";

const plans = Object.fromEntries(SHIPPED_PLANS.map((plan) => [plan.name, plan]));
const input = { mode: "live", plans, enforce_limits: true, variables: {} } as const;

const digestOf = (tree: object, more: Partial<Parameters<typeof digestConfig>[1]> = {}): string =>
  digestConfig(tree, { ...input, ...more }).config;

test("the order of members and where the schema lies do not count, values and lists do", () => {
  const one = digestOf({ server: { write_timeout_ms: 1, drain_delay_ms: 2 }, mcp: {} });
  assert.match(one, /^[0-9a-f]{12}$/);
  const two = { $schema: "./x.json", mcp: {}, server: { drain_delay_ms: 2, write_timeout_ms: 1 } };
  assert.equal(digestOf(two), one);
  for (const other of [
    { server: { write_timeout_ms: 1, drain_delay_ms: 3 }, mcp: {} },
    { server: { write_timeout_ms: 1, drain_delay_ms: 2 }, mcp: { allowed_origins: ["https://a"] } },
    { server: { write_timeout_ms: 1, drain_delay_ms: 2 } },
    { server: { write_timeout_ms: 1, drain_delay_ms: 2 }, mcp: {}, datasets: { keyed_h: 1 } },
  ])
    assert.notEqual(digestOf(other), one, JSON.stringify(other));
  const kept = (keyed_h: number) => digestOf({ datasets: { keyed_h } });
  assert.notEqual(kept(1), kept(2), "a number is no secret, whatever its name");
  assert.notEqual(digestOf(two, { mode: "sandbox" }), one);
  assert.notEqual(digestOf(two, { enforce_limits: false }), one);
});

/** A source with a credential in each place that one may be in. */
const withSecret = (secret: string): object => ({
  sources: {
    google_maps: { api_key: secret },
    gbfs: {
      systems: [
        { id: "a", url: `https://user:${secret}@gbfs.example.org/gbfs.json?token=${secret}` },
        {
          id: "b",
          url: "https://b.example.org",
          auth: { kind: "headers", headers: { k: secret } },
        },
      ],
    },
  },
});

test("no credential is in it: another one changes nothing, its absence does", () => {
  const one = digestOf(withSecret("one"));
  assert.equal(digestOf(withSecret("two")), one);
  assert.notEqual(digestOf(withSecret("")), one);
  // A reference counts as it is written, whatever the variable holds.
  const tree = { sources: { x: { url: "https://${HOST}/a" } } };
  assert.equal(digestOf(tree, { variables: { HOST: "a" } }), digestOf(tree, { variables: {} }));
});

test("which sources have a key in the environment counts, and not the key", () => {
  const keyed = (key: string) => digestOf({}, { variables: { GOOGLE_MAPS_API_KEY: key } });
  assert.equal(keyed("one"), keyed("two"));
  assert.notEqual(keyed("one"), digestOf({}));
});

test("plans have a digest of their own", () => {
  const { free } = plans;
  const other = { ...plans, free: { ...free!, rate_per_s: 6 } };
  assert.notEqual(
    digestConfig({}, { ...input, plans: other }).plans,
    digestConfig({}, input).plans,
  );
});
