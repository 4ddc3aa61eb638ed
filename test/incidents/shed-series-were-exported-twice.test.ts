/**
 * `svc_shed_total` declared its series in advance, as zeros, and exported them in addition to the
 * ones that the shedder counts. Prometheus keeps the first of two samples with the same labels, so
 * the alert for overload never fired.
 */
import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { after, test } from "node:test";
import { type Exposition, readExposition, sumOf } from "../support/exposition.ts";
import { createClient, createFolder, start, closeAll } from "../integration/service/support.ts";

/** With each request of 32 callers, so that the last of a pass wait longer than they may. */
const BLOCK_MS = 15;
const REPLIES_MAX = 2_000;

test("under load no series appears twice in /metrics, and shed requests are counted", async () => {
  const data_dir = await createFolder();
  const client = createClient();
  const variables = { VICINITY_ENFORCE_LIMITS: "1" };
  // The delay is measured by the clock of the thread.
  const { service } = await start({ data_dir, variables, timed: true });
  after(() => closeAll(client, { service, data_dir }));
  const overloaded = await overload(() =>
    client.call(`${service.url}/v1/nearby?lat=48.8566&lon=2.3522`),
  );
  const { text } = await client.call(`${service.admin_url}/metrics`);
  const exposition = readExposition(text);
  assert.deepEqual(findRepeated(exposition), []);
  const shed = findFirst(exposition, "svc_shed_total", { class: "anonymous", reason: "delay" });
  assert.equal(shed, overloaded);
  assert.equal(sumOf(exposition, "svc_shed_total"), overloaded);
});

function block(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCK_MS);
}

/** Keeps the event loop behind until requests are shed; how many were. */
async function overload(call: () => Promise<{ status: number; text: string }>): Promise<number> {
  let overloaded = 0;
  let replies = 0;
  const caller = async (): Promise<void> => {
    while (overloaded === 0 && replies < REPLIES_MAX) {
      const { status, text } = await call();
      replies += 1;
      if (status === 429 && text.includes('"overloaded"')) overloaded += 1;
    }
  };
  subscribe("http.server.request.start", block);
  await Promise.all(Array.from({ length: 32 }, caller));
  unsubscribe("http.server.request.start", block);
  assert.ok(overloaded > 0, "nothing was shed");
  return overloaded;
}

function toName({ name, labels }: Exposition["series"][number]): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return `${name}{${pairs.toSorted((a, b) => (a < b ? -1 : 1)).join()}}`;
}

function findRepeated({ series }: Exposition): string[] {
  const names = series.map(toName);
  return names.filter((name, at) => names.indexOf(name) !== at);
}

/** The value that Prometheus keeps. */
function findFirst(
  { series }: Exposition,
  name: string,
  labels: Readonly<Record<string, string>>,
): number | undefined {
  const wanted = toName({ name, labels, value: 0 });
  return series.find((each) => toName(each) === wanted)?.value;
}
