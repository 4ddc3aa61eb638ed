/** The client and the command line over the stream of a running service. */
import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { runCli } from "#cli/main.ts";
import { applyEvent } from "#api/client/apply-event.ts";
import { createClient as createApiClient } from "#api/client/client.ts";
import type { LiveEvent } from "#api/client/live-event.ts";
import type { LiveItemValue, LiveSourceValue } from "#api/live.ts";
import {
  advance,
  createClient,
  createFolder,
  eventually,
  removeFolder,
  start,
  type Started,
} from "./support.ts";

const QUERY = { bbox: "2.345,48.852,2.36,48.862" };
const byId = <V>(map: ReadonlyMap<string, V>): V[] =>
  [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);

describe("the client of a sandbox service", () => {
  const http = createClient();
  let started: Started;
  before(async () => {
    started = await start({
      data_dir: await createFolder(),
      cities: "paris",
      ...{ timetables: false, still: true },
    });
  });
  const [stop, ended] = [new AbortController(), new AbortController()];
  let interrupt = (): void => {};
  after(async () => {
    interrupt();
    stop.abort();
    ended.abort();
    http.close();
    await started.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  const move = (seconds: number) => advance(http, started.service.sandbox!.url, seconds);
  const come = (what: string, is: () => boolean | Promise<boolean>) =>
    eventually(
      async () => {
        return (await is()) ? true : null;
      },
      { within_ms: 15_000, what },
    );

  test("after every event it has what a poll has, goes on from an id, and ends when it is left", async () => {
    const client = createApiClient({ url: started.service.url });
    const first = await client.snapshot(QUERY);
    assert.ok(first.kind === "ok", JSON.stringify(first).slice(0, 300));
    const items = new Map<string, LiveItemValue>();
    const sources = new Map<string, LiveSourceValue>();
    const seen: LiveEvent[] = [];
    const reading = (async () => {
      for await (const event of client.stream(QUERY, { signal: stop.signal })) {
        applyEvent(items, event, sources);
        seen.push(event);
      }
    })();
    await come("items", () => items.size > 20);
    await move(120);
    await come("a delta", async () => {
      await move(40);
      await client.snapshot(QUERY);
      return seen.some(({ kind }) => kind === "delta");
    });
    await come("what a poll has", async () => {
      const reply = await client.snapshot(QUERY);
      return reply.kind === "ok" && isDeepStrictEqual(byId(items), reply.body.items);
    });
    stop.abort();
    await reading;
    assert.equal(seen[0]!.kind, "snapshot");
    assert.ok(seen.every(({ kind }) => kind !== "interrupted" && kind !== "refused"));
    const last_event_id = seen.flatMap((event) => ("id" in event ? event.id : [])).at(-1)!;
    const kinds: string[] = [];
    const again = client.stream(QUERY, { last_event_id, signal: ended.signal });
    const resuming = (async () => {
      for await (const event of again) {
        applyEvent(items, event, sources);
        kinds.push(event.kind);
      }
    })();
    await come("a delta of the stream that goes on", async () => {
      await move(40);
      await client.snapshot(QUERY);
      return kinds.includes("delta");
    });
    ended.abort();
    await resuming;
    assert.equal(kinds.includes("snapshot"), false, "it goes on where it was");
    const refused: LiveEvent[] = [];
    for await (const event of client.stream({ bbox: "0,0,9,9" })) refused.push(event);
    const [last, ...others] = refused;
    assert.ok(last?.kind === "refused" && last.status === 400 && others.length === 0);
  });

  test("vicinity watch shows it, and ends with Ctrl-C", async () => {
    const lines: string[] = [];
    const out = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(...chunk.toString().trimEnd().split("\n"));
        done();
      },
    });
    const none = { ok: false as const, problem: "none" };
    const io = {
      variables: {},
      onInterrupt: (listener: () => void) => {
        interrupt = listener;
        return () => undefined;
      },
      serve: () => Promise.resolve(0),
      sandbox: () => Promise.resolve(0),
      openOwn: () => Promise.resolve({ problem: "none" }),
      openStore: () => none,
      importGtfs: () => Promise.resolve(none),
      importBase: () => Promise.resolve(none),
      out,
    };
    const url = ["--url", started.service.url];
    const code = runCli(["watch", "48.8566,2.3522", "--radius", "400", ...url], io);
    await come("a station", () => lines.some((line) => line.includes("  here  station  ")));
    await come("a change", async () => {
      await move(40);
      return lines.some((line) => /Z {2}(changed|entered|left)/.test(line));
    });
    interrupt();
    assert.equal(await code, 0);
    const once = await runCli(["watch", "--bbox", QUERY.bbox, "--once", "--json", ...url], io);
    assert.equal(once, 0);
    const { kind, body } = JSON.parse(lines.at(-1)!) as Extract<LiveEvent, { kind: "snapshot" }>;
    assert.ok(kind === "snapshot" && body.items.length > 20);
  });
});
