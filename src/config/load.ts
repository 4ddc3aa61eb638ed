/**
 * Configuration file and environment → `Config`. Anything wrong is one line that names the member
 * and what was expected; nothing is guessed.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { WeatherUnits } from "#api/weather.ts";
import { pathProblem } from "#kit/path-problem.ts";
import type { Overrides } from "#stations/identity/observed-station.ts";
import type { Env, RunMode } from "#config/env.ts";
import { fillDefaults } from "#config/defaults.ts";
import { type ConfigDigest, digestConfig } from "#config/digest.ts";
import { expand } from "#config/expand.ts";
import type { Origins } from "#config/expand.ts";
import { resolvePlans } from "#config/plan-settings.ts";
import type { Plans } from "#config/plan-settings.ts";
import { findProblem } from "#config/config-problem.ts";
import type { SchemaProblem, SchemaNode } from "#config/config-problem.ts";
import { listHosts } from "#config/hosts.ts";
import { failed, loaded } from "#config/config-result.ts";
import type { Loaded } from "#config/config-result.ts";
import { toOverrides } from "#config/schema-identity.ts";
import {
  type Maps,
  settleMaps,
  type SettledSources,
  settleSources,
} from "#config/source-settings.ts";
import { PROVIDERS } from "#providers/registry.ts";
import { findShape, SHAPES } from "#providers/register-shapes.ts";
import type { RegisterEntry } from "#providers/register-source.ts";
import { ConfigSchema } from "#config/config-schema.ts";
import type { ConfigFile } from "#config/config-schema.ts";

/** What the program runs with: the file's members, with everything left open settled. */
export type Config = Omit<ConfigFile, "egress" | "plans" | "identity" | "weather" | "sources"> & {
  mode: RunMode;
  /** The file it came from; null: defaults only. */
  file: string | null;
  /** By which replicas, and a later reading of the file, are compared. */
  digest: ConfigDigest;
  contact: string | null;
  enforce_limits: boolean;
  egress: {
    allow_private: boolean;
    /** `host:port` of every address that the file names: it may be private. */
    allow_hosts: readonly string[];
  };
  plans: Plans;
  /** null: every observation is a station of its own. */
  identity: Overrides | null;
  weather: { units: WeatherUnits; source: string | null };
  sources: SettledSources & {
    maps: Maps;
    aed: { registry: string };
    /** null: those of the simulator. */
    registers: readonly RegisterEntry[] | null;
  };
};

/** Used in live mode when no file is named. */
export const LIVE_FILE: string = fileURLToPath(
  new URL("../../vicinity.live.json", import.meta.url),
);

export function loadConfig(options: { file?: string; mode: RunMode; env: Env }): Loaded<Config> {
  const { mode, env } = options;
  const { file, read } = readFile(options);
  if (!read.ok) return read;
  if (mode === "live" && env.contact === null) {
    return failed(
      "VICINITY_CONTACT: live mode needs an e-mail address or URL that upstreams can reach you at",
    );
  }
  const checked = checkConfig(read.value, env);
  if (!checked.ok) return failed(`config: ${checked.message}`);
  const plans = resolvePlans(checked.value.settings.plans);
  if (!plans.ok) return failed(`config: ${plans.message}`);
  const { settings, hosts } = checked.value;
  const settled = settle(settings, { mode, env, file, plans: plans.value, hosts });
  const input = { ...settled, variables: env.variables };
  return loaded({ ...settled, digest: digestConfig(read.value, input) });
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
  const name = options.file === undefined ? "VICINITY_CONFIG" : "--config";
  return { file, read: file === null ? loaded<unknown>({}) : readJson(name, file) };
}

type Checked = { settings: ConfigFile; hosts: string[] };

/** References, schema, then what a schema cannot say. */
function checkConfig(tree: unknown, env: Env): Loaded<Checked> {
  const expanded = expand(tree, env.variables);
  if (!expanded.ok) return expanded;
  const { value, origins } = expanded.value;
  const schema = ConfigSchema as unknown as SchemaNode;
  const input = fillDefaults(schema, value);
  const problem = findProblem(schema, input);
  if (problem) return failed(describe(problem, origins));
  const filled = input as ConfigFile;
  const conflict =
    findTwinSystem(filled) ??
    findTwinFile(filled) ??
    findTwinRegister(filled) ??
    findUnreadTariffs(filled);
  return conflict ? failed(conflict) : loaded({ settings: filled, hosts: listHosts(value) });
}

function findTwinSystem({ sources }: ConfigFile): string | null {
  const twin = findTwin(sources.gbfs?.systems.map(({ id }) => id) ?? []);
  if (twin === null) return null;
  const path = (index: number): string => `sources.gbfs.systems[${index}]`;
  return `${path(twin.at)}.id: expected a unique id, ${twin.id} is also ${path(twin.first)}`;
}

/** Each is a source of its own, so its id is that of no other. */
function findTwinRegister({ sources }: ConfigFile): string | null {
  const { registers = [], gbfs } = sources;
  const others = new Map<string, string>([
    ...PROVIDERS.map(({ id }): [string, string] => [id, `sources.${id}`]),
    ...(gbfs?.systems ?? []).map(({ id }, at): [string, string] => [
      id,
      `sources.gbfs.systems[${at}]`,
    ]),
  ]);
  const paths = registers.map((_, at) => `sources.registers[${at}]`);
  for (const [at, { id }] of registers.entries()) {
    const other = others.get(id);
    if (other !== undefined)
      return `${paths[at]!}.id: expected a unique id, ${JSON.stringify(id)} is also ${other}`;
    others.set(id, paths[at]!);
  }
  return null;
}

/** What no reader would read is no setting. */
function findUnreadTariffs({ sources: { registers = [] } }: ConfigFile): string | null {
  const at = registers.findIndex(
    ({ shape, tariffs_url }) => tariffs_url !== null && !findShape(shape)?.reads_tariffs,
  );
  if (at < 0) return null;
  const { shape } = registers[at]!;
  const others = SHAPES.filter((each) => each.reads_tariffs).map(({ id }) => id);
  return `sources.registers[${at}].tariffs_url: expected null, since shape ${shape} has no tariffs; ${others.join(", ")} has`;
}

/** The name of a base's file is its id. */
function findTwinFile({ sources }: ConfigFile): string | null {
  const { files = [], objects = [] } = sources.openbase ?? {};
  const names = [...files, ...objects.map(({ url }) => new URL(url).pathname)];
  const twin = findTwin(names.map((name) => basename(name)));
  if (twin === null) return null;
  const memberOf = (at: number): string =>
    at < files.length ? `files[${at}]` : `objects[${at - files.length}].url`;
  return `sources.openbase.${memberOf(twin.at)}: expected another name, ${twin.id} is also ${memberOf(twin.first)}`;
}

function findTwin(ids: readonly string[]): { id: string; at: number; first: number } | null {
  const at = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (at < 0) return null;
  return { id: JSON.stringify(ids[at]), at, first: ids.indexOf(ids[at]!) };
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
): Omit<Config, "digest"> {
  const { mode, env, file, plans } = from;
  const own_file = file !== null && file !== LIVE_FILE;
  const { gbfs, ...sources } = settleSources(settings.sources, {
    mode,
    variables: env.variables,
    own_file,
  });
  const settled = {
    ...sources,
    gbfs: { ...gbfs, catalogue: resolveCatalogue(gbfs.catalogue, file) },
    openbase: {
      ...sources.openbase,
      files: sources.openbase.files.map((each) => resolvePath(each, file)),
    },
  };
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
    keys: settings.keys,
    datasets: settings.datasets,
    mcp: settings.mcp,
    deprecation: settings.deprecation,
    legacy: settings.legacy,
    changelog: settings.changelog,
    identity: settings.identity.enabled ? toOverrides(settings.identity) : null,
    place_history: settings.place_history,
    explorer: { ...settings.explorer, pmtiles: resolvePath(settings.explorer.pmtiles, file) },
    weather: { units: settings.weather.units, source: settings.weather.source ?? null },
    sources: {
      ...settled,
      maps: settleMaps(settings.sources.maps, settled),
      aed: settings.sources.aed,
      registers: settings.sources.registers ?? (mode === "sandbox" ? null : []),
    },
  };
}

function resolveCatalogue(catalogue: string | null, file: string | null): string | null {
  const is_url = catalogue !== null && /^https?:\/\//i.test(catalogue);
  return is_url ? catalogue : resolvePath(catalogue, file);
}

/** A path starts at the folder of the file that names it. */
function resolvePath<T extends string | null>(path: T, file: string | null): string | T {
  return path === null || file === null ? path : resolve(dirname(file), path);
}

function describe({ path, problem, got }: SchemaProblem, origins: Origins): string {
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
function readJson(name: string, file: string): Loaded<unknown> {
  try {
    return loaded(JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, "")) as unknown);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return failed(`config: ${file}: not JSON: ${error.message.split("\n")[0]}`);
    }
    const place = { name, path: file };
    return failed(pathProblem(error, place, "read") ?? `${name}: ${file} cannot be read`);
  }
}
