/**
 * npm run reports -- mcp-inspect: the protocol's inspector, without its window, lists the tools and calls every
 * one of them, over HTTP and over `vicinity mcp`. It holds answers to the published schemas.
 */
import { fileURLToPath } from "node:url";
import { AGENT_TOOLS } from "#api/agent-tools.ts";
import { isObject } from "#core/members/member-rules.ts";
import { parseJson } from "#kit/json.ts";
import type { Ran } from "./mcp/execute.ts";
import { type Judge, withInspector } from "./mcp/judges.ts";

const PARIS = { lat: "48.8566", lon: "2.3522" };
const ARGUMENTS: Readonly<Record<string, Record<string, string>>> = {
  search_mobility_nearby: PARIS,
  find_urban_services: { ...PARIS, types: '["toilets","aed","charging"]' },
  find_transit_stations: PARIS,
  find_departures: PARIS,
  geocode: { q: "Paris" },
  reverse_geocode: PARIS,
  get_weather: PARIS,
  plan_nearby: { from: "48.8566,2.3522", to: "48.8656,2.3612" },
  compare_places: { places: '["48.8566,2.3522","48.8656,2.3612"]' },
};
const BIN = fileURLToPath(new URL("../bin/vicinity", import.meta.url));

await withInspector(async (judge, { url, keys }) => {
  process.stdout.write(`${judge.spec}\n`);
  const [key] = keys;
  const secret = key?.key ?? "";
  await inspect(judge, "HTTP", {
    before: [`${url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${secret}`],
    after: [],
  });
  await inspect(judge, "stdio", {
    before: ["-e", `VICINITY_API_KEY=${secret}`],
    after: ["--", BIN, "mcp", "--url", url],
  });
});

/** What an option with several values follows it would swallow: a program goes last, an address first. */
type Target = { before: readonly string[]; after: readonly string[] };

async function inspect({ run }: Judge, over: string, { before, after }: Target): Promise<void> {
  const ask = (method: string, ...args: string[]): Promise<Ran> =>
    run(["--cli", ...before, "--method", method, ...args, ...after]);
  const listed = await ask("tools/list", "--strict");
  const tools = (read(listed)["tools"] ?? []) as { name: string }[];
  const names = tools.map(({ name }) => name);
  report(
    `${over}: lists ${names.length} tools`,
    listed,
    names.length === Object.keys(AGENT_TOOLS).length,
  );
  /** Arguments that an earlier answer has. */
  let dataset: Record<string, string> = {};
  const later: Record<string, Record<string, string>> = {};
  for (const [name, { parameters }] of Object.entries(AGENT_TOOLS)) {
    const args = "version" in parameters ? dataset : (later[name] ?? ARGUMENTS[name] ?? {});
    const pairs = Object.entries(args).flatMap(([member, value]) => [
      "--tool-arg",
      `${member}=${value}`,
    ]);
    const ran = await ask("tools/call", "--tool-name", name, ...pairs);
    const { structuredContent, isError } = read(ran);
    const content = isObject(structuredContent) ? structuredContent : {};
    if (isObject(content["dataset"])) dataset = idOf(content["dataset"]);
    if (name === "find_transit_stations") later["get_place"] = { id: firstIdOf(content) };
    const bytes = JSON.stringify(read(ran)).length;
    const isOne = isObject(content["place"]) || isObject(content["now"]);
    const visible = isOne ? 1 : Number(content["shown"] ?? 0);
    report(
      `${over}: ${name} ${bytes} bytes, ${visible} shown`,
      ran,
      isError !== true && visible > 0,
    );
  }
}

function idOf({ id, version }: Readonly<Record<string, unknown>>): Record<string, string> {
  return { id: String(id), version: String(version) };
}

function firstIdOf({ results }: Readonly<Record<string, unknown>>): string {
  const first: unknown = Array.isArray(results) ? results[0] : null;
  return isObject(first) ? String(first["id"]) : "";
}

function read({ out }: Ran): Readonly<Record<string, unknown>> {
  const value = parseJson(out);
  return isObject(value) ? value : {};
}

function report(what: string, ran: Ran, good: boolean): void {
  const passed = good && ran.code === 0;
  process.stdout.write(`${passed ? "pass" : "FAIL"} ${what}\n`);
  const reported = ran.err.split("\n").filter((line) => line !== "" && !line.startsWith("npm "));
  for (const line of reported.slice(0, 10)) process.stdout.write(`     ${line}\n`);
  if (passed) return;
  process.stdout.write(`${ran.out.slice(0, 600)}\n`);
  process.exitCode = 1;
}
