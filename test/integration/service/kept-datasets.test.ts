/** How long datasets of callers without a key are kept: what an answer says of it is what happens. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { connect, errorOf, resultOf, type ToolResult } from "../../support/mcp.ts";
import { advance, closeAll, createClient, createFolder, start, type Started } from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
/** Of an address with the longer life: as shipped they are a hundred. */
const DATASETS_MAX = 2;
const HOUR_S = 3_600;

const http = createClient();
let started: Started;
let client: Client;
before(async () => {
  started = await start({
    ...{ data_dir: await createFolder(), timetables: false, cities: "paris" },
    settings: { plans: { free: { datasets: DATASETS_MAX } } },
    variables: { VICINITY_ENFORCE_LIMITS: "1" },
  });
  client = await connect(started.service.url);
});
after(async () => {
  await client.close();
  await closeAll(http, started);
});

type Kept = NonNullable<ToolResult["dataset"]> & {
  expires_at: string;
  kept_until: string;
  kept_note?: string;
};

const call = (name: string, args: object) =>
  client.callTool({ name, arguments: args as Record<string, unknown> });
async function search(): Promise<Kept> {
  return resultOf(await call("search_mobility_nearby", PARIS)).dataset as Kept;
}
const read = ({ id, version }: Kept) => call("read_dataset", { id, version });
const hoursOf = ({ kept_until }: Kept): number =>
  Math.round((Date.parse(kept_until) - started.service.sandbox!.now()) / 3_600_000);

test("one beyond those that an address may keep for a day says that it goes in an hour, and what keeps it", async () => {
  const kept: Kept[] = [];
  for (let i = 0; i < DATASETS_MAX; i++) kept.push(await search());
  for (const each of kept) assert.deepEqual([hoursOf(each), each.kept_note], [24, undefined]);
  const beyond = await search();
  assert.equal(hoursOf(beyond), 1);
  assert.equal(beyond.kept_until, beyond.expires_at);
  assert.match(beyond.kept_note!, /goes at kept_until, unless it is read again before/);
  await advance(http, started.service.sandbox!.url, HOUR_S + 1);
  assert.equal(errorOf(await read(beyond)).code, "dataset_gone");
  for (const each of kept) assert.equal((await read(each)).isError, undefined);
});
