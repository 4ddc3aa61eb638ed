/** Expires as it is on the wire: relative to the sender's clock where the sender states it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createManualClock } from "../support/manual-clock.ts";
import { createEgress } from "#upstream/egress.ts";
import { createHttpClient } from "#upstream/http.ts";
import { createRun } from "#upstream/run.ts";
import { listenHttp } from "../unit/upstream/local-server.ts";
import { noFault } from "../support/faults.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const at = (offset_s: number): string => new Date(NOW_MS + offset_s * 1000).toUTCString();

const ROWS: readonly [
  expires: string | null,
  date: string | null,
  expires_in_s: number | undefined,
][] = [
  [null, at(0), undefined],
  [at(1800), at(0), 1800],
  // Our clocks differ by a day; theirs counts.
  [at(86_400 + 90), at(86_400), 90],
  [at(600), "soon", 600],
  [at(-5), at(0), 0],
  ["0", at(0), 0],
  ["never", at(0), 0],
];

test("freshness follows Expires, with a body and without", async () => {
  let [expires, date] = [null, null] as (string | null)[];
  await using server = await listenHttp((request, response) => {
    response.sendDate = false;
    if (expires !== null) response.setHeader("expires", expires!);
    if (date !== null) response.setHeader("date", date!);
    const isKnown = request.headers["if-modified-since"] !== undefined;
    response.writeHead(isKnown ? 304 : 200, { "last-modified": at(-600) }).end(isKnown ? "" : "{}");
  });
  const egress = createEgress({ allow_private: true });
  const client = createHttpClient({ egress, user_agent: "vicinity-test" });
  const run = createRun({ client, clock: createManualClock(NOW_MS), onFault: noFault });
  for (const [reported, sent, wanted] of ROWS) {
    [expires, date] = [reported, sent];
    for (const last_modified of [null, at(-600)]) {
      const outcome = await run({ url: server.origin, timeout_ms: 60_000, last_modified }, {});
      assert.ok(outcome.status === "ok" && outcome.value.kind !== "refused");
      assert.equal(outcome.value.kind, last_modified ? "not_modified" : "body");
      assert.equal(outcome.value.expires_in_s, wanted, `${reported} sent ${sent}`);
    }
  }
  await egress.close();
});
