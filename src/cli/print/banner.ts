/** Text printed when the service has started: where it is and what to try first. */
import type { Config } from "#config/load.ts";
import { CONTRACT_VERSION } from "#api/capabilities.ts";
import { brandOf } from "#stations/identity/brand-names.ts";
import { SHOWN_CITIES } from "#config/simulated.ts";

const USUAL_URL = "http://127.0.0.1:8080";

type Place = { lat: number; lon: number };
/** A city of the simulated world; `roaming`: a system with vehicles in its streets. */
type City = Place & { name: string; roaming: string | null };
type Simulator = { url: string; sources: readonly { id: string; url: string }[] };

/** What a service says of itself. */
type Service = {
  url: string;
  admin_url: string;
  sandbox: (Simulator & { cities(): City[] }) | null;
  keys: readonly { plan: string; key: string }[];
  world: { list(): readonly unknown[] };
  feeds: { find(id: string): { id: string; name: string } | null };
};

/** How the program is started here, and which one it is. */
export type Program = { command: string; version: string };

/** Returns all that can be tried on the sandbox; live, the addresses. */
export function serviceBanner(service: Service, config: Config, program: Program): string {
  if (!service.sandbox) return liveBanner(service, config, program);
  const { sandbox } = service;
  const [first, second = first] = sandbox.cities().slice(0, SHOWN_CITIES);
  const token = keyOn(service, "developer");
  return lines([
    ...titleOf(program),
    `  API        ${service.url}`,
    `  Simulator  ${sandbox.url}/__sandbox/sources`,
    `  Admin      ${service.admin_url}/metrics`,
    "",
    `  Try (${first!.name}, ${second!.name}):`,
    ...listNearby(service.url, first!, second!),
    ...listFamilies(service.url, first!, second!),
    "",
    `  Legacy routes (with a key):`,
    `    curl '${service.url}/api/realtime/${toPlace(first!)}/freefloat/scooter?token=${token}'`,
    ...brandLines(service, first!, token),
    "",
    `  Agents     ${program.command} mcp, or POST to /mcp`,
    `    curl -H 'Content-Type: application/json' -d '${JSON.stringify(toQuestion(first!))}' '${service.url}/v1/capabilities'`,
    "",
    `  Keys, one a plan (Authorization: Bearer …; rates and quotas are ${config.enforce_limits ? "enforced" : "measured, not enforced"}):`,
    ...keyLines(service),
    `    curl -H 'Authorization: Bearer ${token}' '${service.url}/v1/me'`,
    "",
    ...lookLines(service, first!, program),
    `  Describe   ${service.url}/openapi.json`,
    ...(config.explorer.enabled ? [`             ${service.url}/docs`] : []),
    ...endLines(service, config),
  ]);
}

function listNearby(url: string, first: City, second: City): string[] {
  return [
    `    curl '${url}/v1/nearby?${toPoint(first)}'`,
    `    curl '${url}/v1/nearby?${toPoint(second)}&format=geojson&modes=bicycle'`,
    `    curl '${url}/v1/nearby?${toPoint(first)}&include=stations,vehicles,alerts&debug=true'`,
  ];
}

/** A line for each family of operations besides /v1/nearby: one that is short, then the most useful. */
function listFamilies(url: string, first: City, second: City): string[] {
  const at = toPoint(first);
  return [
    `    curl '${url}/v1/geocode?q=${encodeURIComponent(first.name)}'`,
    `    curl '${url}/v1/services/nearby?${at}&types=toilets,drinking_water'`,
    `    curl '${url}/v1/departures/nearby?${at}'`,
    `    curl '${url}/v1/transport/nearby?${at}'`,
    `    curl '${url}/v1/parking/nearby?${at}'`,
    `    curl '${url}/v1/charging/nearby?${toPoint(second)}'`,
    `    curl '${url}/v1/places/nearby?${at}&classes=cafe,hotel,toilets'`,
    `    curl '${url}/v1/reverse-geocode?${at}'`,
    `    curl '${url}/realtime/paris/${toPlace(first)}/water'`,
    `    curl '${url}/realtime/${toPlace(first)}/weather/fr'`,
    `    curl '${url}/realtime/${toPlace(second)}/forecast/en'`,
  ];
}

const toPlace = ({ lat, lon }: Place): string => `${lat},${lon}`;
const toPoint = ({ lat, lon }: Place): string => `lat=${lat}&lon=${lon}`;

/** `rows`, `columns`: of a terminal; absent: it is none, or does not say. */
type Terminal = { isTTY?: boolean; rows?: number; columns?: number };

const USUAL_ROWS = 24;
const USUAL_COLUMNS = 80;

/**
 * Returns all of it where there is room; in a terminal with less what is most useful, and as many
 * families of operations as its rows hold.
 */
export function bannerFor(terminal: Terminal, ...about: Parameters<typeof serviceBanner>): string {
  const whole = serviceBanner(...about);
  const { isTTY = false, rows = USUAL_ROWS, columns = USUAL_COLUMNS } = terminal;
  if (!isTTY || rowsOf(whole, columns) <= rows) return whole;
  const [{ url, sandbox }] = about;
  const [first, second = first] = sandbox?.cities().slice(0, SHOWN_CITIES) ?? [];
  if (first === undefined) return briefBanner(about, []);
  const families = listFamilies(url, first, second!);
  const fits = (count: number): boolean =>
    rowsOf(briefBanner(about, families.slice(0, count)), columns) < rows;
  let count = 0;
  while (count < families.length && fits(count + 1)) count += 1;
  return briefBanner(about, families.slice(0, count));
}

/** Rows that a text takes, with the line of the cursor below it; long lines take several. */
function rowsOf(text: string, columns: number): number {
  return text
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}

/** Returns what fits a terminal of 24 lines, the address to open last, with these lines besides. */
function briefBanner(
  [service, config, program]: Parameters<typeof serviceBanner>,
  families: readonly string[],
): string {
  if (!service.sandbox) return liveBanner(service, config, program);
  const [first] = service.sandbox.cities();
  const { url, admin_url, sandbox } = service;
  return lines([
    ...titleOf(program),
    ...lookLines(service, first!, program),
    `             curl '${url}/v1/nearby?${toPoint(first!)}'`,
    ...families.map((line) => `         ${line}`),
    `  Keys, one a plan (Authorization: Bearer …):`,
    ...keyLines(service),
    `  Agents     ${url}/mcp`,
    `  Simulator  ${sandbox.url}/__sandbox/sources`,
    `  Admin      ${admin_url}/metrics`,
    ...(config.explorer.enabled ? [`  API        ${url}/docs`] : []),
    ...endLines(service, config),
  ]);
}

function titleOf({ version }: Program): string[] {
  return ["", `  Vicinity ${version} · sandbox mode: a simulated world, no key, no network`, ""];
}

function keyLines({ keys }: Service): string[] {
  return keys.map(({ plan, key }) => `    ${plan.padEnd(10)} ${key}`);
}

function lookLines({ url }: Service, { lat, lon }: Place, { command }: Program): string[] {
  // The command line asks there by itself.
  const at = url === USUAL_URL ? "" : ` --url ${url}`;
  return [
    `  Look       ${command} nearby ${lat},${lon}${at}`,
    `             ${command} services ${lat},${lon} --types aed${at}`,
    `             ${command} doctor${at}`,
  ];
}

function endLines({ url }: Service, { explorer }: Config): string[] {
  return [
    `  Go live    VICINITY_CONTACT=you@example.org npm run live`,
    `  Stop       Ctrl-C`,
    "",
    explorer.enabled ? `  Explorer   ${url}/` : `  API        ${url}`,
    "",
  ];
}

/** Lines about a brand whose vehicles are parked freely there. */
function brandLines(service: Service, { roaming, lat, lon }: City, token: string): string[] {
  const system = roaming === null ? null : service.feeds.find(roaming);
  const brand = system && brandOf(system);
  if (!brand) return [];
  const path = `/api/realtime/${lat},${lon}/${encodeURIComponent(brand.slug)}`;
  return [`    curl '${service.url}${path}?token=${token}'`];
}

function toQuestion({ lat, lon }: Place) {
  const ids = { conversation_id: "c", interaction_id: "i", request_id: "r" };
  return {
    contract_version: CONTRACT_VERSION,
    correlation: { ...ids, parent_request_id: null, turn_id: null },
    request: { capability: "search_mobility", args: { lat, lon } },
    freshness_policy: null,
  };
}

function keyOn({ keys }: Service, plan: string): string {
  return (keys.find((each) => each.plan === plan) ?? keys[0])?.key ?? "";
}

function liveBanner(service: Service, config: Config, { version }: Program): string {
  const systems = service.world.list().length;
  return lines([
    "",
    `  Vicinity ${version} · live mode · ${config.file ?? "defaults"} · ${systems} systems`,
    `  API        ${service.url}`,
    `  Admin      ${service.admin_url}/metrics`,
    ...(config.explorer.enabled ? [`  Explorer   ${service.url}/`] : []),
    "",
  ]);
}

export function sandboxBanner(sandbox: Simulator): string {
  const sources = sandbox.sources.map((source) => `    ${source.id.padEnd(12)} ${source.url}`);
  return lines([
    "",
    `  The simulator answers at ${sandbox.url}`,
    ...sources,
    `  Control    ${sandbox.url}/__sandbox/sources`,
    "",
  ]);
}

function lines(text: string[]): string {
  return `${text.join("\n")}\n`;
}
