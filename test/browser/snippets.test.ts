/** The examples that the explorer shows: each runs as it is pasted. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { toTarget } from "../../explorer/data/api.js";
import * as asks from "../../explorer/data/asks.js";
import { toSnippet } from "../../explorer/panel/snippets.js";
import { type Client, createClient } from "#api/client/client.ts";
import { createFolder, removeFolder, start, type Started } from "../integration/service/support.ts";
import { type ClientProject, createClientProject, type Ran } from "../support/client-project.ts";
import { findPython } from "../support/python.ts";
import { sized } from "../support/size.ts";

test("the examples of the explorer call methods that it has", () => {
  const client = createClient({ url: "http://localhost" });
  const text = readFileSync(new URL("../../explorer/panel/snippets.js", import.meta.url), "utf8");
  const paths = [...text.matchAll(/"(\/v1\/[^"]+)": "/g)].map(([, path = ""]) => path);
  assert.ok(paths.length >= 8, `${paths.length} paths`);
  for (const path of paths) {
    const ask = { path, query: { lat: 1, lon: 2 } };
    const example = toSnippet("TypeScript", "http://localhost", path, ask);
    const method = /client\.(\w+)\(/.exec(example)?.[1] ?? "";
    assert.equal(typeof client[method as keyof Client], "function", `${path}: ${method}`);
  }
});

test("no parameter value can break out of the shell example", () => {
  const query = { q: "'; rm -rf ~ #" };
  const target = "/v1/place-search?q='; rm -rf ~ #";
  const line = toSnippet("curl", "http://localhost", target, { path: "/v1/place-search", query });
  assert.equal(line, String.raw`curl 'http://localhost/v1/place-search?q='\''; rm -rf ~ #'`);
});

type Ask = { path: string; query: Record<string, string | number | boolean> };

const AT = { lat: 48.8566, lon: 2.3522 };
const STATE = {
  at: AT,
  radius: 300,
  minutes: 5,
  wishes: new Set(["wheelchair"]),
  kinds: new Set(["bicycle", "toilets", "drinking_water", "parking", "transit"]),
};

/** What the page asks, a station's departures among it. */
function listAsks(station: string): Ask[] {
  return [
    asks.askNearby(STATE as never, { debug: true }),
    asks.askServices(STATE as never),
    asks.askTransport(STATE as never),
    asks.askWalk(STATE as never, { lat: 48.858, lon: 2.353 }),
    asks.askReach(STATE as never),
    asks.askDepartures(station),
    asks.askSources(AT, 300),
    asks.askAddress(AT),
    asks.askPlaces('Paris "l\'été"', AT),
    asks.askWeather("/realtime/{coords}/weather/{lang}", AT),
    { path: "/openapi.json", query: {} },
  ] as Ask[];
}

/** A member of each answer, as the languages print it; an error has none of them. */
const MEMBER = /\b(results|sources|weather|openapi)"?:/;

describe("pasted, the examples print the answer of a running service", () => {
  const python = findPython();
  const ends: (() => void)[] = [];
  let data_dir: string;
  let started: Started;
  let project: ClientProject;
  let all: Ask[];
  before(async () => {
    data_dir = await createFolder();
    started = await start({ data_dir });
    project = await createClientProject({ after: (end) => void ends.push(end as () => void) });
    const near = `${started.service.url}/v1/transport/nearby?lat=48.8566&lon=2.3522&limit=1`;
    const body = (await (await fetch(near)).json()) as { results: { stations: { id: string }[] } };
    all = listAsks(body.results.stations[0]!.id);
  });
  after(async () => {
    for (const end of ends) end();
    await started.service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });

  const textsIn = (language: string, requests: readonly Ask[] = all): string[] =>
    requests.map((ask) => toSnippet(language, started.service.url, toTarget(ask), ask));

  /** Those that are run: all, or of the same form one, with what a shell and a program must quote. */
  const some = (): readonly Ask[] =>
    all.filter(({ path, query }) => sized(path === "/v1/nearby" || "q" in query, true));

  function judge({ code, out }: Ran, text: string): void {
    assert.equal(code, 0, `${text}\n${out}`);
    assert.match(out, MEMBER, text);
  }

  test("curl, in a shell", async () => {
    for (const text of textsIn("curl", some())) judge(await project.run("sh", "-c", text), text);
  });

  test("Python", { skip: python === null && "there is no Python" }, async () => {
    for (const text of textsIn("Python", some())) {
      project.write("ask.py", text);
      judge(await project.run(python!, "ask.py"), text);
    }
  });

  test("TypeScript, compiled strictly and run", async () => {
    const texts = textsIn("TypeScript");
    assert.ok(texts.filter((text) => text.includes("@vicinity/client")).length >= 6);
    for (const [at, text] of texts.entries()) project.write(`ask${at}.ts`, `${text}\nexport {};\n`);
    const compiled = await project.compile({ module: "nodenext" });
    assert.equal(compiled.code, 0, compiled.out);
    for (const text of textsIn("TypeScript", some())) {
      project.write("ask.ts", text);
      judge(await project.run(process.execPath, "ask.ts"), text);
    }
  });
});
