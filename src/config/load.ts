/**
 * Configuration file and environment → `Config`. Anything wrong is one line that names the member
 * and what was expected; nothing is guessed.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Value } from "typebox/value";
import type { Overrides } from "#core/identity/observation.ts";
import type { Env } from "#config/env.ts";
import { expand } from "#config/expand.ts";
import type { Origins } from "#config/expand.ts";
import { resolvePlans } from "#config/plans.ts";
import type { Plans } from "#config/plans.ts";
import { findProblem } from "#config/problem.ts";
import type { Problem, SchemaNode } from "#config/problem.ts";
import { listHosts } from "#config/hosts.ts";
import { failed, loaded } from "#config/result.ts";
import type { Loaded } from "#config/result.ts";
import type { Gbfs } from "#config/schema-gbfs.ts";
import { GbfsSchema } from "#config/schema-gbfs.ts";
import type { Citybikes } from "#config/schema-citybikes.ts";
import { CitybikesSchema } from "#config/schema-citybikes.ts";
import { toOverrides } from "#config/schema-identity.ts";
import type { Documents, Motis, Openstreetmap } from "#config/schema-documents.ts";
import { MotisSchema, OpenstreetmapSchema } from "#config/schema-documents.ts";
import { type Maps, type SettledPlaces, settleMaps, settlePlaces } from "#config/places.ts";
import { type SettledTransport, settleTransport } from "#config/transit.ts";
import { type SettledWeather, settleWeather } from "#config/weather.ts";
import { ConfigSchema } from "#config/schema.ts";
import type { ConfigFile } from "#config/schema.ts";

export type RunMode = "sandbox" | "live";

/** What the program runs with: the file's members, with everything left open settled. */
export type Config = {
  mode: RunMode;
  /** The file it came from; null: defaults only. */
  file: string | null;
  contact: string | null;
  enforce_limits: boolean;
  server: ConfigFile["server"];
  deadlines_ms: ConfigFile["deadlines_ms"];
  egress: {
    allow_private: boolean;
    /** `host:port` of every address that the file names: it may be private. */
    allow_hosts: readonly string[];
  };
  plans: Plans;
  datasets: ConfigFile["datasets"];
  mcp: ConfigFile["mcp"];
  deprecation: ConfigFile["deprecation"];
  changelog: ConfigFile["changelog"];
  legacy: ConfigFile["legacy"];
  /** null: every observation is a station of its own. */
  identity: Overrides | null;
  explorer: ConfigFile["explorer"];
  sources: {
    gbfs: Gbfs;
    /** `simulated`: the simulator's networks stand in, since the file names none. */
    citybikes: Citybikes & { simulated: boolean };
    motis: Motis & { simulated: boolean };
    openstreetmap: Openstreetmap & { simulated: boolean };
    maps: Maps;
    aed: { registry: "openaedmap" | "geodae" };
    /** `simulated`: what the file leaves open is filled in from the simulator. */
    places: SettledPlaces;
    transport: SettledTransport;
    weather: SettledWeather;
  };
};

/** Used in live mode when no file is named. */
export const LIVE_FILE: string = fileURLToPath(
  new URL("../../vicinity.live.json", import.meta.url),
);

export function loadConfig(options: { file?: string; mode: RunMode; env: Env }): Loaded<Config> {
  const { mode, env } = options;
  if (mode === "live" && env.contact === null) {
    return failed(
      "VICINITY_CONTACT: live mode needs an e-mail address or URL that upstreams can reach you at",
    );
  }
  const { file, read } = readFile(options);
  if (!read.ok) return read;
  const checked = checkConfig(read.value, env);
  if (!checked.ok) return failed(`config: ${checked.message}`);
  const plans = resolvePlans(checked.value.settings.plans);
  if (!plans.ok) return failed(`config: ${plans.message}`);
  const { settings, hosts } = checked.value;
  return loaded(settle(settings, { mode, env, file, plans: plans.value, hosts }));
}

/**
 * The plans alone, for commands that need no upstream: neither a contact nor the variables that
 * other members of the file refer to.
 */
export function loadPlans(options: { file?: string; mode: RunMode; env: Env }): Loaded<Plans> {
  const { read } = readFile(options);
  if (!read.ok) return read;
  const { plans } = (read.value ?? {}) as { plans?: unknown };
  const checked = checkConfig(plans === undefined ? {} : { plans }, options.env);
  const resolved = checked.ok ? resolvePlans(checked.value.settings.plans) : checked;
  return resolved.ok ? resolved : failed(`config: ${resolved.message}`);
}

/** The named file, else that of the environment, else that of the mode. */
function readFile(options: { file?: string; mode: RunMode; env: Env }): {
  file: string | null;
  read: Loaded<unknown>;
} {
  const { mode, env } = options;
  const file = options.file ?? env.config_file ?? (mode === "live" ? LIVE_FILE : null);
  return { file, read: file === null ? loaded<unknown>({}) : readJson(file) };
}

type Checked = { settings: ConfigFile; hosts: string[] };

/** References, schema, then what a schema cannot say. */
function checkConfig(tree: unknown, env: Env): Loaded<Checked> {
  const expanded = expand(tree, env.variables);
  if (!expanded.ok) return expanded;
  const { value, origins } = expanded.value;
  const filled = Value.Default(ConfigSchema, structuredClone(value));
  const problem = findProblem(ConfigSchema as unknown as SchemaNode, filled);
  if (problem) return failed(describe(problem, origins));
  // The words above are ours; the verdict is TypeBox's.
  if (!Value.Check(ConfigSchema, filled)) {
    const [first] = Value.Errors(ConfigSchema, filled);
    return failed(`${first?.instancePath ?? ""}: ${first?.message ?? "not valid"}`);
  }
  const twin = findTwin(filled.sources.gbfs?.systems.map((system) => system.id) ?? []);
  return twin ? failed(twin) : loaded({ settings: filled, hosts: listHosts(value) });
}

function findTwin(ids: readonly string[]): string | null {
  const twin = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twin < 0) return null;
  const id = ids[twin] ?? "";
  const path = (index: number): string => `sources.gbfs.systems[${index}]`;
  return `${path(twin)}.id: expected a unique id, ${JSON.stringify(id)} is also ${path(ids.indexOf(id))}`;
}

function settle(
  settings: ConfigFile,
  from: {
    mode: RunMode;
    env: Env;
    file: string | null;
    plans: Plans;
    hosts: readonly string[];
  },
): Config {
  const { mode, env, file, plans } = from;
  const own_file = file !== null && file !== LIVE_FILE;
  const from_env = { mode, variables: env.variables, own_file };
  const places = settlePlaces(settings.sources, from_env);
  return {
    mode,
    file,
    contact: env.contact,
    enforce_limits: env.enforce_limits ?? mode === "live",
    server: settings.server,
    deadlines_ms: settings.deadlines_ms,
    egress: {
      allow_private: settings.egress.allow_private ?? mode === "sandbox",
      allow_hosts: from.hosts,
    },
    plans,
    datasets: settings.datasets,
    mcp: settings.mcp,
    deprecation: settings.deprecation,
    legacy: settings.legacy,
    changelog: settings.changelog,
    identity: settings.identity.enabled ? toOverrides(settings.identity) : null,
    explorer: settings.explorer,
    sources: {
      gbfs: settleGbfs(settings.sources.gbfs, mode, file),
      citybikes: settleCitybikes(settings.sources, mode),
      motis: settleDocuments(settings.sources, "motis", mode) as Motis & { simulated: boolean },
      openstreetmap: settleDocuments(settings.sources, "openstreetmap", mode) as Openstreetmap & {
        simulated: boolean;
      },
      maps: settleMaps(settings.sources, places),
      aed: settings.sources.aed,
      places,
      transport: settleTransport(settings.sources, from_env),
      weather: settleWeather(settings, from_env),
    },
  };
}

/** A source that the file does not name is not asked; the simulator stands in for it in the sandbox. */
function settleGbfs(gbfs: Gbfs | undefined, mode: RunMode, file: string | null): Gbfs {
  if (!gbfs) return Value.Default(GbfsSchema, { enabled: mode === "sandbox" }) as Gbfs;
  const { catalogue } = gbfs;
  if (catalogue === null || file === null || /^https?:\/\//i.test(catalogue)) return gbfs;
  return { ...gbfs, catalogue: resolve(dirname(file), catalogue) };
}

/** As with GBFS; but a file that names GBFS systems of its own means those and no simulated ones. */
function settleCitybikes(
  { gbfs, citybikes }: ConfigFile["sources"],
  mode: RunMode,
): Config["sources"]["citybikes"] {
  if (citybikes) return { ...citybikes, simulated: false };
  const simulated = mode === "sandbox" && gbfs === undefined;
  const filled = Value.Default(CitybikesSchema, { enabled: simulated }) as Citybikes;
  return { ...filled, simulated };
}

const DOCUMENTS = { motis: MotisSchema, openstreetmap: OpenstreetmapSchema };

function settleDocuments(
  sources: ConfigFile["sources"],
  name: keyof typeof DOCUMENTS,
  mode: RunMode,
): Documents & { simulated: boolean } {
  const stated = sources[name];
  if (stated) return { ...stated, simulated: false };
  const simulated = mode === "sandbox" && sources.gbfs === undefined;
  const filled = Value.Default(DOCUMENTS[name], { enabled: simulated }) as Documents;
  return { ...filled, simulated };
}

function describe({ path, problem, got }: Problem, origins: Origins): string {
  const where = path === "" ? "" : `${path}: `;
  return got === undefined ? `${where}${problem}` : `${where}${problem}, got ${show(got, origins)}`;
}

/** Short, on one line, and never the value of a variable. */
function show(value: unknown, origins: Origins): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const written = typeof value === "string" ? (origins.get(value) ?? value) : value;
  const text = JSON.stringify(written);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
}

/** The one place here where failing is the platform's way of answering. */
function readJson(file: string): Loaded<unknown> {
  try {
    return loaded(JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, "")) as unknown);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return failed(`config: ${file}: not JSON: ${error.message.split("\n")[0]}`);
    }
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    return failed(`config: cannot read ${file} (${code === "ENOENT" ? "no such file" : code})`);
  }
}
