/** `vicinity watch`: what is asked, the table while it changes, lines where there is no terminal. */
import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import type { Output } from "#cli/io.ts";
import { runCli } from "#cli/main.ts";
import { displayWidth } from "#cli/print/wrap.ts";
import type { LiveItemValue, LiveSnapshotValue, LiveSourceValue } from "#api/live.ts";
import { answering, NOW, run } from "./support.ts";

const HERE = ["watch", "48.8566,2.3522"];
const AT = "2026-11-21T12:00:00Z";
const EVENTS = { headers: { "content-type": "text/event-stream" } };

const place = (metres: number) => ({ lat: 48.8566 + metres / 111_195, lon: 2.3522 });
const dock = (id: string, metres: number, more: Partial<LiveItemValue> = {}): LiveItemValue => ({
  ...{ id, kind: "station", location: place(metres), modes: ["bicycle"], network_id: "velib" },
  ...{ name: "Hôtel de Ville", state: "operational", pickup: "available_now" },
  ...{ vehicles: 7, docks: 12, ...more },
});
const scooter = (id: string, metres: number, more: Partial<LiveItemValue> = {}): LiveItemValue => ({
  ...{ id, kind: "vehicle", location: place(metres), modes: ["scooter"], network_id: "lime" },
  ...{ state: "operational", pickup: "available_now", battery: 70, ...more },
});
const from = (state: LiveSourceValue["state"], as_of: string | null): LiveSourceValue => ({
  ...{
    source_id: "gbfs:velib",
    network: { id: "velib", name: "Vélib'" },
    color: null,
    state,
    as_of,
  },
});

const snapshot = (items: LiveItemValue[], sources = [from("fresh", "2026-11-21T11:59:48Z")]) => ({
  ...{ at: AT, bbox: [2.34, 48.85, 2.36, 48.86], items, sources },
});
const frame = (event: string, body: object): string =>
  `event: ${event}\nid: i.s.1\ndata: ${JSON.stringify(body)}\n\n`;
const delta = (more: object): string =>
  frame("delta", { at: AT, entered: [], changed: [], left: [], ...more });
const opening = (body: LiveSnapshotValue): string => frame("snapshot", body);

const turns = async (count = 20): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => void setImmediate(resolve));
};

/** A command that runs on a terminal, or on a pipe, while the test sends events. */
function begin(
  argv: readonly string[],
  more: { isTTY?: boolean; columns?: number; rows?: number },
) {
  const written: string[] = [];
  const errors: string[] = [];
  const toOutput = (texts: string[]): Output =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          texts.push(chunk.toString());
          done();
        },
      }),
      more,
    );
  const out = toOutput(written);
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (each) => void (controller = each) });
  let interrupt = (): void => assert.fail("no listener");
  let now_ms = NOW;
  const sleeps: (() => void)[] = [];
  const code = runCli(argv, {
    variables: { NO_COLOR: "1" },
    fetch: () => Promise.resolve(new Response(body, EVENTS)),
    now: () => now_ms,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        sleeps.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
        if (signal.aborted) resolve();
      }),
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => undefined;
    },
    serve: () => Promise.resolve(0),
    openOwn: () => Promise.resolve({ problem: "no service in this test" }),
    sandbox: () => Promise.resolve(0),
    openStore: () => ({ problem: "no store" }),
    importGtfs: () => Promise.resolve({ ok: false, problem: "none" }),
    importBase: () => Promise.resolve({ ok: false, problem: "none" }),
    out,
    err: toOutput(errors),
  });
  return {
    written,
    errors,
    out,
    code,
    interrupt: () => interrupt(),
    async send(...frames: string[]): Promise<void> {
      for (const text of frames) controller.enqueue(new TextEncoder().encode(text));
      await turns();
    },
    end: () => controller.close(),
    /** The pause between two drawings passes. */
    async tick(ms = 250): Promise<void> {
      now_ms += ms;
      for (const resolve of sleeps.splice(0)) resolve();
      await turns();
    },
  };
}

const linesOf = (text: string): string[] => stripVTControlCharacters(text).split("\n");

test("it asks for the box around the circle, by the options, with the key", async () => {
  const requested: Request[] = [];
  const fetch = answering([snapshot([])], { requested });
  const options = ["--radius", "300", "--modes", "bicycle", "--include", "stations"];
  await run([...HERE, ...options, "--once", "--key", "svc_test_a"], {
    fetch,
    variables: { VICINITY_API_KEY: "svc_test_b" },
  });
  await run(["watch", "--bbox", "-0.1,51.5,-0.09,51.51", "--once"], { fetch });
  const [circle, box] = requested.map(({ url }) => new URL(url).searchParams);
  assert.equal(circle!.get("bbox"), "2.348099,48.853902,2.356301,48.859298");
  assert.deepEqual(
    ["modes", "include", "once"].map((name) => circle!.get(name)),
    ["bicycle", "stations", "true"],
  );
  assert.equal(requested[0]!.headers.get("authorization"), "Bearer svc_test_a");
  assert.equal(box!.get("bbox"), "-0.1,51.5,-0.09,51.51");
});

test("--once prints the table, or one line of JSON, of what lies in the circle", async () => {
  const body = snapshot([
    scooter("lime:1", 51),
    dock("a", 84),
    dock("b", 499, { vehicles: null, docks: null, state: "unknown" }),
    dock("far", 600),
  ]);
  const ran = await run([...HERE, "--once"], { fetch: answering([body]) });
  assert.equal(ran.code, 0);
  assert.deepEqual(ran.out.split("\n"), [
    "2 stations, 1 vehicle within 500 m of 48.8566, 2.3522 · 1 source, 12 s old",
    "",
    "distance  kind     mode     name            network  free/docks  state        changed",
    "    51 m  vehicle  scooter  lime:1          lime           70 %  operational        –",
    "    84 m  station  bicycle  Hôtel de Ville  Vélib'         7/12  operational        –",
    "   499 m  station  bicycle  Hôtel de Ville  Vélib'            –  –                  –",
    "",
  ]);
  const json = await run([...HERE, "--once", "--json"], { fetch: answering([body]) });
  assert.deepEqual(JSON.parse(json.out), { kind: "snapshot", body });
  assert.equal(json.out.trimEnd().includes("\n"), false);
});

test("nothing is not taken for nothing while a source is lost or has not been read", async () => {
  for (const [state, code] of [
    ["fresh", 0],
    ["old", 0],
    ["lost", 3],
    ["waiting", 3],
  ] as const) {
    const ran = await run([...HERE, "--once"], {
      fetch: answering([snapshot([], [from(state, null)])]),
    });
    assert.equal(ran.code, code, state);
    assert.equal(ran.out.includes(`${state}: Vélib'\n`), state !== "fresh");
  }
});

test("on a terminal the table is drawn again in its place, four times a second at most", async () => {
  const ran = begin(HERE, { isTTY: true, columns: 80, rows: 12 });
  await turns();
  assert.equal(ran.written.length, 0, "nothing is drawn before anything is known");
  await ran.send(opening(snapshot([dock("a", 84), scooter("lime:1", 51)])));
  await ran.tick();
  assert.equal(ran.written.length, 1);
  assert.ok(ran.written[0]!.startsWith("\u001B[?1049h\u001B[?25l\u001B[H"));
  for (let n = 0; n < 30; n++) await ran.send(delta({ changed: [dock("a", 84, { vehicles: n })] }));
  assert.equal(ran.written.length, 1);
  await ran.tick();
  assert.equal(ran.written.length, 2);
  assert.match(ran.written[1]!, /29\/12/);
  await ran.tick();
  await ran.tick();
  assert.equal(ran.written.length, 2, "nothing has changed");
  await ran.tick(500);
  assert.equal(ran.written.length, 3, "ages have");
  ran.out.columns = 40;
  ran.out.emit("resize");
  await ran.tick();
  for (const line of linesOf(ran.written[3]!)) assert.ok(displayWidth(line) <= 40, line);
  ran.interrupt();
  assert.equal(await ran.code, 0);
  const [leave, last] = ran.written.slice(-2);
  assert.equal(leave, "\u001B[?25h\u001B[?1049l");
  assert.equal(last!.includes("\u001B"), false);
  assert.match(last!, /29\/12/);
});

test("a terminal of 80 columns and few lines is enough, whatever sources write", async () => {
  const name = `\u001B[2J${"東京駅 丸の内北口 ".repeat(9)}\n\u202Eevil`;
  const items = Array.from({ length: 40 }, (_, i) => dock(`s${i}`, 10 + i, { name }));
  const sources = [
    from("lost", null),
    { ...from("waiting", null), source_id: "x", network: { id: "y", name } },
  ];
  const ran = begin(HERE, { isTTY: true, columns: 80, rows: 16 });
  await ran.send(opening(snapshot(items, sources)));
  await ran.tick();
  const text = ran.written.join("");
  assert.equal(text.includes("\u001B[2J"), false);
  assert.equal(text.includes("\u202E"), false);
  const lines = linesOf(text);
  assert.ok(lines.length <= 16, `${lines.length}`);
  for (const line of lines) assert.ok(displayWidth(line) <= 80, line);
  assert.match(lines.join("\n"), /lost: Vélib'\n/);
  assert.match(lines.at(-1)!, /^… \d+ farther$/);
  ran.interrupt();
  await ran.code;
});

test("an interruption is said with when it is tried again, and what was known stays", async () => {
  const ran = begin(HERE, { isTTY: true, columns: 80, rows: 24 });
  await ran.send(opening(snapshot([dock("a", 84)])));
  ran.end();
  await turns();
  await ran.tick();
  const lines = linesOf(ran.written.join(""));
  assert.match(lines.join("\n"), /interrupted: ended, again in [12] s\n/);
  assert.match(lines.join("\n"), /Hôtel de Ville/);
  ran.interrupt();
  assert.equal(await ran.code, 0);
});

test("without a terminal each change is a line", async () => {
  const ran = begin(HERE, {});
  await ran.send(
    opening(snapshot([dock("a", 84), scooter("lime:1", 51), dock("far", 600)])),
    delta({ changed: [dock("a", 84, { vehicles: 6, docks: 13, state: "degraded" })] }),
    delta({ entered: [scooter("lime:2", 20)], left: [{ id: "lime:1", reason: "gone" }] }),
    // It moves out of the circle, and stays in the box.
    delta({ changed: [scooter("lime:2", 700)] }),
    delta({ changed: [dock("far", 601)] }),
    // Nothing is known of why it is not there after a gap.
    opening(snapshot([scooter("lime:3", 5)])),
    frame("bye", { reason: "shutting_down", message: "", retry_after_s: 5 }),
  );
  assert.deepEqual(ran.written.join("").trimEnd().split("\n"), [
    `${AT}  here  station  84 m  Hôtel de Ville  7/12  operational`,
    `${AT}  here  vehicle  51 m  lime:1  70 %  operational`,
    `${AT}  changed  station  84 m  Hôtel de Ville  7/12 → 6/13  operational → degraded`,
    `${AT}  left (gone)  vehicle  51 m  lime:1  70 %  operational`,
    `${AT}  entered  vehicle  20 m  lime:2  70 %  operational`,
    `${AT}  left (moved)  vehicle  20 m  lime:2  70 %  operational`,
    `${AT}  left  station  84 m  Hôtel de Ville  6/13  degraded`,
    `${AT}  entered  vehicle  5 m  lime:3  70 %  operational`,
  ]);
  assert.deepEqual(ran.errors, ["interrupted: shutting_down, again in 5 s\n"]);
  ran.interrupt();
  assert.equal(await ran.code, 0);
});

test("--json writes one event a line, on a terminal as well", async () => {
  const ran = begin([...HERE, "--json"], { isTTY: true, columns: 80 });
  const body = snapshot([dock("a", 84)]);
  await ran.send(opening(body), delta({}));
  const events = ran.written
    .join("")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  assert.deepEqual(events[0], { kind: "snapshot", id: "i.s.1", body });
  assert.deepEqual(
    events.map((event) => (event as { kind: string }).kind),
    ["snapshot", "delta"],
  );
  ran.interrupt();
  assert.equal(await ran.code, 0);
});

test("an output that is closed, as by head, ends it", async () => {
  const ran = begin([...HERE, "--json"], {});
  await ran.send(opening(snapshot([])));
  ran.out.emit("error", Object.assign(new Error("closed"), { code: "EPIPE" }));
  assert.equal(await ran.code, 0);
});

test("what the server refuses, or that there is none, is one line, and the terminal is as it was", async () => {
  const refusal = { error: { code: "invalid_request", message: "bbox: too large" } };
  const refused = await run(HERE, { fetch: answering([refusal], { status: 400 }) });
  assert.deepEqual(refused, {
    code: 1,
    out: "",
    err: "vicinity: 400 invalid_request: bbox: too large\n",
  });
  const gone = await run(HERE, {
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })),
  });
  assert.equal(gone.code, 1);
  assert.match(gone.err, /^vicinity: no answer from http.* \(ECONNREFUSED\); start it/);
  const page = await run(HERE, { fetch: answering(["<html>"], { type: "text/html" }) });
  assert.match(page.err, /answered 200 \(text\/html\), not as this service does/);
});

test("what it is called with is checked", async () => {
  for (const [argv, message] of [
    [["watch"], "watch needs LAT,LON or --bbox"],
    [["watch", "999,999"], "LAT,LON: lat must be from -90 to 90, got 999"],
    [["watch", "9,-999"], "LAT,LON: lon must be from -180 to 180, got -999"],
    [[...HERE, "--bbox", "1,2,3,4"], "watch needs LAT,LON or --bbox"],
    [
      ["watch", "--bbox", "1,2,3"],
      '--bbox: expected W,S,E,N such as 2.345,48.852,2.36,48.862, got "1,2,3"',
    ],
    [["watch", "--bbox", "1,2,3,4", "--radius", "5"], "--radius: a box has none"],
    [[...HERE, "--radius", "2500"], '--radius: expected a number from 1 to 2499, got "2500"'],
  ] as const)
    assert.deepEqual(await run(argv), { code: 2, out: "", err: `vicinity: ${message}\n` });
});
