/** The examples of docs/live-map.md: each runs as it is pasted, against a running service. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { TILE_LAYERS } from "#api/live.ts";
import { findPython } from "../../support/python.ts";
import { createFolder, removeFolder, start, type Started } from "./support.ts";

const PAGE = readFileSync(new URL("../../../docs/live-map.md", import.meta.url), "utf8");
const HOST = "http://localhost:8080";

/** The blocks of a language, in their order. */
function blocksOf(language: string): string[] {
  return [...PAGE.matchAll(/^```(\w+)\n([^]*?)^```$/gmu)].flatMap(([, name, text = ""]) =>
    name === language ? [text] : [],
  );
}

describe("the examples of docs/live-map.md", () => {
  let data_dir: string;
  let started: Started;
  before(async () => {
    data_dir = await createFolder();
    started = await start({ data_dir });
  });
  after(async () => {
    await started.service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });

  const here = (text: string): string => text.replaceAll(HOST, started.service.url);

  test("the page has an example of each kind", () => {
    const count = (language: string): number => blocksOf(language).length;
    assert.deepEqual(["sh", "js", "python", "html"].map(count), [2, 1, 1, 1]);
  });

  test("curl shows the events of a stream", async () => {
    const [stream = ""] = blocksOf("sh");
    const text = await untilOutput("sh", ["-c", `exec ${here(stream)}`], /^event: snapshot$/m);
    assert.match(text, /^retry: 2000$/m);
  });

  test("curl shows the snapshot alone", async () => {
    const [, once = ""] = blocksOf("sh");
    const text = await untilOutput("sh", ["-c", `exec ${here(once)}`], /\}$/);
    const { items, sources } = JSON.parse(text) as { items: object[]; sources: object[] };
    assert.ok(items.length > 0 && sources.length > 0, text.slice(0, 300));
  });

  test("the script for a browser applies what comes", async () => {
    const [script = ""] = blocksOf("js");
    const args = ["--experimental-eventsource", "--input-type=module", "-e", here(script)];
    const text = await untilOutput(process.execPath, args, /^snapshot: \d+ items$/m);
    assert.ok(Number(/\d+/.exec(text)![0]) > 0, text);
  });

  const python = findPython();
  const skip = python === null && "!!! no python3 here, so the example in Python is not proved";
  test("the script in Python applies what comes", { skip }, async () => {
    const [script = ""] = blocksOf("python");
    const text = await untilOutput(python!, ["-c", here(script)], /^snapshot \d+ items$/m);
    assert.ok(Number(/\d+/.exec(text)![0]) > 0, text);
  });

  test("the layers of the map are layers of the tiles, and its address is one", async () => {
    const [page = ""] = blocksOf("html");
    const names = [...page.matchAll(/"source-layer": "(\w+)"/g)].map(([, name = ""]) => name);
    const listed = /layers=([\w,]+)/.exec(page)![1]!.split(",");
    for (const name of [...names, ...listed])
      assert.ok((TILE_LAYERS as readonly string[]).includes(name), name);
    const address = /"(http[^"]+mvt[^"]*)"/.exec(here(page))![1]!;
    const tile = address.replace("{z}", "14").replace("{x}", "8298").replace("{y}", "5636");
    const reply = await fetch(tile);
    await reply.arrayBuffer();
    assert.equal(reply.status, 200);
  });
});

/** What a command has printed once it fits; it is ended then. */
async function untilOutput(command: string, args: string[], fits: RegExp): Promise<string> {
  const child: ChildProcess = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (err += text));
  const over = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  await new Promise<void>((resolve) => {
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (fits.test(out)) resolve();
    });
    void over.then(resolve);
  });
  child.kill("SIGKILL");
  await over;
  assert.match(out, fits, err);
  return out;
}
