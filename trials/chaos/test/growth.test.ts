/** What a soak may leave behind: found where it is more than the documents say, and where nothing was seen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkGrowth, type Growth } from "../check/growth.ts";

const line = (members: object): string => JSON.stringify({ level: 30, st: 200, ...members });
const ANONYMOUS = line({
  time: 1795770000000,
  route: "/v1/nearby",
  id: "Vb3kQx-7pg",
  ms: 0.42,
  by: "pT5_xc",
});
const KEYED = line({
  time: 1,
  route: "/v1/nearby",
  id: "Vb3kQx-7pg",
  key: "key_1",
  account: "acc_1",
});
const seriesOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `svc_${i}`);
const GROWTH: Growth = {
  requests: 1_000_000,
  log_bytes: 108_000_000,
  lines: [ANONYMOUS, KEYED, line({ st: 503, by: "x".repeat(500) }), '{"msg":"other"}'],
  folder_bytes: 57_000_000,
  series: [seriesOf(147), seriesOf(160)],
};

test("what the documents say is no finding, and its figures are stated", () => {
  const { findings, figures } = checkGrowth(GROWTH);
  assert.deepEqual(findings, []);
  assert.equal(figures["log_bytes_a_request"], 108);
  assert.equal(figures["folder_bytes_a_reply"], 57);
  assert.equal(figures["log_bytes_anonymous"], ANONYMOUS.length + 1);
});

test("found: longer lines, a folder or series that grow, a log without requests", () => {
  const matches: [Partial<Growth>, RegExp][] = [
    [
      { lines: [line({ by: "x".repeat(100) }), KEYED] },
      /that is anonymous has \d+\.\d bytes, at most 110/,
    ],
    [{ lines: [ANONYMOUS, line({ key: "x".repeat(200) })] }, /that is keyed has/],
    [{ lines: [] }, /no line of a request that is anonymous/],
    [{ folder_bytes: 101_000_000 }, /101\.0 bytes a reply, at most 100/],
    [{ series: [seriesOf(147), seriesOf(200)] }, /53 further series, at most 20: svc_147 /],
  ];
  for (const [change, finding] of matches)
    assert.match(checkGrowth({ ...GROWTH, ...change }).findings.join(), finding);
  assert.deepEqual(checkGrowth({ ...GROWTH, folder_bytes: null }).findings, []);
});
