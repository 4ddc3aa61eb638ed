/** The checker of revocations: no replica accepts a key after the bound, nor again once it refused. */
import { test } from "node:test";
import { checkKeys, type KeyTerms, type KeyUse } from "../check/keys.ts";
import { assertFound, assertKept, fault } from "./support.ts";

const TERMS: KeyTerms = { faults: [], bound_ms: 5_000, wanted_ms: 250, grace_ms: 60_000 };
const REVOKED = [{ key_id: "key_a", acked_ms: 1_000 }];

/** One replica, asked every 50 ms; accepts until then, and refuses from there on. */
function uses(replica: number, until_ms: number, end_ms = 8_000): KeyUse[] {
  const all: KeyUse[] = [];
  for (let from_ms = 0; from_ms <= end_ms; from_ms += 50)
    all.push({
      key_id: "key_a",
      replica,
      from_ms,
      to_ms: from_ms + 5,
      outcome: from_ms <= until_ms ? "accepted" : "rejected",
    });
  return all;
}

test("a key that lives 250 ms longer at one replica and not at all at the other", () => {
  assertKept(checkKeys(REVOKED, [...uses(0, 1_250), ...uses(1, 950)], TERMS), 2);
});

test("with notices cut it may live 5 s", () => {
  const cut = { ...TERMS, faults: [fault("cut_notices", 500, 600)] };
  assertKept(checkKeys(REVOKED, uses(0, 6_000), cut));
  assertFound(checkKeys(REVOKED, uses(0, 6_050), cut), /accepted 5050 ms after/);
});

test("the bound starts again when a frozen replica, or the store, is back; for others it does not", () => {
  const frozen = { ...TERMS, faults: [fault("freeze_replica", 900, 3_000, 0)] };
  assertKept(checkKeys(REVOKED, uses(0, 7_900), frozen));
  assertFound(checkKeys(REVOKED, uses(0, 8_100, 9_000), frozen), /after its revocation/);
  assertFound(checkKeys(REVOKED, uses(1, 7_900), frozen), /after its revocation|99 in 100/);
  const away = { ...TERMS, faults: [fault("kill_store", 1_100, 3_000)] };
  assertKept(checkKeys(REVOKED, uses(1, 7_900), away));
});

test("found: a store that is away for ever, and keys that live longer than without asking", () => {
  const gone = { ...TERMS, faults: [fault("kill_store", 1_100, 200_000)] };
  assertFound(checkKeys(REVOKED, uses(0, 66_050, 70_000), gone), /accepted 65050 ms/);
  assertKept(checkKeys(REVOKED, uses(0, 66_000, 70_000), gone));
});

test("found: slower than wanted without any fault; accepted again; accepted for good", () => {
  assertFound(checkKeys(REVOKED, uses(0, 1_300), TERMS), /99 in 100 replicas: 300 ms/);
  const again = uses(0, 1_100);
  again.splice(-1, 1, { ...again.at(-1)!, outcome: "accepted" });
  const faults = [fault("cut_notices", 500, 7_900)];
  assertFound(checkKeys(REVOKED, again, { ...TERMS, faults }), /accepted again|accepted 7000 ms/);
  assertFound(checkKeys(REVOKED, uses(0, 8_000), { ...TERMS, faults }), /accepted 7000 ms/);
});

test("a question that got no reply shows nothing", () => {
  const silent = uses(0, 8_000).map((each): KeyUse => ({ ...each, outcome: "unknown" }));
  const { findings, scanned } = checkKeys(REVOKED, silent, TERMS);
  assertKept({ rule: "", findings, scanned: 1 - scanned, figures: {} });
});
