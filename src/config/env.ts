/**
 * The environment, read here and nowhere else, strictly checked. An unset and an empty variable are
 * the same. docs.test.ts compares the table of docs/operations.md with VARIABLES.
 */
import { failed, loaded } from "#config/result.ts";
import type { Loaded } from "#config/result.ts";
import { readSecretFile } from "#config/secret-file.ts";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];
const LOG_FORMATS = ["json", "pretty"] as const;

export type RunMode = "sandbox" | "live";

/** The raw variables, as `process.env` has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

export type Env = {
  host: string;
  port: number;
  sandbox_port: number;
  config_file: string | null;
  data_dir: string;
  /** Of PostgreSQL, a secret; null: everything is in the data folder. */
  store_url: string | null;
  /** Of Valkey or Redis, a secret; null: nothing is shared with other replicas. */
  shared_url: string | null;
  contact: string | null;
  /** null: what the mode says (off in sandbox mode, on in live mode). */
  enforce_limits: boolean | null;
  sandbox_seed: number;
  /** Ids of the cities of the simulated world; null: all. */
  sandbox_cities: readonly string[] | null;
  admin_host: string;
  admin_port: number;
  /** null: the admin listener has probes and metrics only. */
  admin_token: string | null;
  /** The server that the command line asks. */
  url: string;
  api_key: string | null;
  ready_file: string | null;
  /** Commit that the program was built from, where no checkout says it. */
  commit: string | null;
  /** null: lines go to standard output. */
  log_file: string | null;
  /** null: what the format says (info as JSON, warn for people). */
  log_level: LogLevel | null;
  /** null: pretty on a terminal, else JSON. */
  log_format: (typeof LOG_FORMATS)[number] | null;
  no_color: boolean;
  /** The width of the terminal; null: what the terminal reports. */
  columns: number | null;
  /** null: no traces. */
  traces: TraceSettings | null;
  /** For `${NAME}` in the configuration file. */
  variables: Variables;
};

/** Of the OpenTelemetry specification (SDK environment variables, OTLP exporter). */
type TraceSettings = {
  /** Where spans are posted to, path included. */
  url: string;
  service_name: string;
  sampler: Sampler;
  /** Share of the traces to keep, of those without an earlier decision. */
  ratio: number;
};
const SAMPLERS = [
  ...(["always_on", "always_off", "traceidratio"] as const),
  ...(["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const),
] as const;
type Sampler = (typeof SAMPLERS)[number];

/** A variable's rule: how to read its text (undefined: bad) and the words for what it should be. */
type Variable<T> = {
  expected: string;
  parse: (text: string) => T | undefined;
  /** Its value never reaches a message. */
  secret?: true;
};

export const VARIABLES = {
  HOST: host(),
  PORT: port(),
  SANDBOX_PORT: port(),
  VICINITY_CONFIG: path(),
  VICINITY_DATA_DIR: path(),
  VICINITY_STORE_URL: storeUrl(),
  VICINITY_STORE_URL_FILE: path(),
  VICINITY_SHARED_URL: sharedUrl(),
  VICINITY_SHARED_URL_FILE: path(),
  VICINITY_CONTACT: contact(),
  VICINITY_ENFORCE_LIMITS: flag(),
  SANDBOX_SEED: integer(0, 4_294_967_295),
  SANDBOX_CITIES: names(),
  ADMIN_HOST: host(),
  ADMIN_PORT: port(),
  ADMIN_TOKEN: token(),
  ADMIN_TOKEN_FILE: path(),
  VICINITY_URL: httpUrl(),
  VICINITY_API_KEY: secret(),
  VICINITY_API_KEY_FILE: path(),
  VICINITY_READY_FILE: path(),
  VICINITY_COMMIT: commit(),
  LOG_FILE: path(),
  LOG_LEVEL: oneOf(LOG_LEVELS),
  LOG_FORMAT: oneOf(LOG_FORMATS),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl(),
  OTEL_SERVICE_NAME: { expected: "a name", parse: (text) => text } as Variable<string>,
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS),
  OTEL_TRACES_SAMPLER_ARG: share(),
  // Any non-empty value counts: https://no-color.org
  NO_COLOR: { expected: "anything", parse: () => true } as Variable<boolean>,
  // Shells export it, some as 0: what is no width is as good as none.
  COLUMNS: { expected: "anything", parse: toWidth } as Variable<number>,
} as const;
type VariableName = keyof typeof VARIABLES;

/** Each may be in a file instead, which a variable of its name with `_FILE` names. */
const SECRETS = [
  "VICINITY_STORE_URL",
  "VICINITY_SHARED_URL",
  "ADMIN_TOKEN",
  "VICINITY_API_KEY",
] as const;

type Values = {
  [N in VariableName]?: (typeof VARIABLES)[N] extends Variable<infer T> ? T : never;
};

/** Reads the environment; the message of a failure is one line that starts with the variable. */
export function readEnv(variables: Variables = process.env): Loaded<Env> {
  const read: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const text = variables[name];
    if (text === undefined || text === "") continue;
    const value = rule.parse(text);
    if (value === undefined) {
      const got = rule.secret ? "something else" : JSON.stringify(text);
      return failed(`${name}: expected ${rule.expected}, got ${got}`);
    }
    read[name] = value;
  }
  for (const name of SECRETS) {
    const variable = `${name}_FILE`;
    const file = read[variable] as string | undefined;
    if (file === undefined) continue;
    if (name in read) return failed(`${variable}: expected without ${name}, which is set as well`);
    const found = readSecretFile<unknown>(variable, file, VARIABLES[name]);
    if (!found.ok) return found;
    read[name] = found.value;
  }
  return loaded(toEnv(read as Values, variables));
}

/** 0: not a width. */
function toWidth(text: string): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : 0;
}

function toEnv(values: Values, variables: Variables): Env {
  const listen = values.PORT ?? 8080;
  return {
    host: values.HOST ?? "127.0.0.1",
    port: listen,
    sandbox_port: values.SANDBOX_PORT ?? 0,
    config_file: values.VICINITY_CONFIG ?? null,
    data_dir: values.VICINITY_DATA_DIR ?? "./data",
    store_url: values.VICINITY_STORE_URL ?? null,
    shared_url: values.VICINITY_SHARED_URL ?? null,
    contact: values.VICINITY_CONTACT ?? null,
    enforce_limits: values.VICINITY_ENFORCE_LIMITS ?? null,
    sandbox_seed: values.SANDBOX_SEED ?? 1,
    sandbox_cities: values.SANDBOX_CITIES ?? null,
    admin_host: values.ADMIN_HOST ?? "127.0.0.1",
    admin_port: values.ADMIN_PORT ?? 0,
    admin_token: values.ADMIN_TOKEN ?? null,
    url: values.VICINITY_URL ?? `http://127.0.0.1:${listen === 0 ? 8080 : listen}`,
    api_key: values.VICINITY_API_KEY ?? null,
    ready_file: values.VICINITY_READY_FILE ?? null,
    commit: values.VICINITY_COMMIT ?? null,
    log_file: values.LOG_FILE ?? null,
    log_level: values.LOG_LEVEL ?? null,
    log_format: values.LOG_FORMAT ?? null,
    no_color: values.NO_COLOR ?? false,
    columns: values.COLUMNS || null,
    traces: toTraces(values),
    variables,
  };
}

/** The base address gets the path of traces; the address of traces is taken as it is. */
function toTraces(values: Values): TraceSettings | null {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url =
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === undefined ? null : `${base}/v1/traces`);
  if (url === null) return null;
  const sampler = values.OTEL_TRACES_SAMPLER ?? "parentbased_always_on";
  const service_name = values.OTEL_SERVICE_NAME ?? "vicinity";
  return { url, service_name, sampler, ratio: values.OTEL_TRACES_SAMPLER_ARG ?? 1 };
}

function integer(low: number, high: number): Variable<number> {
  return {
    expected: `an integer from ${low} to ${high}`,
    parse: (text) => {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
      return value >= low && value <= high ? value : undefined;
    },
  };
}

/** From nothing to all. */
function share(): Variable<number> {
  return {
    expected: "a number from 0 to 1",
    parse: (text) => (/^(0(\.\d{1,17})?|1(\.0{1,17})?)$/.test(text) ? Number(text) : undefined),
  };
}

function port(): Variable<number> {
  return integer(0, 65_535);
}

function host(): Variable<string> {
  return {
    expected: "a host name or an IP address",
    parse: (text) => (/^[A-Za-z0-9._:%-]+$/.test(text) ? text : undefined),
  };
}

function names(): Variable<readonly string[]> {
  return {
    expected: "names separated by commas",
    parse: (text) => (/^[a-z-]+(,[a-z-]+)*$/.test(text) ? text.split(",") : undefined),
  };
}

function path(): Variable<string> {
  return {
    expected: "a path",
    parse: (text) => (text.trim() === "" || text.includes("\0") ? undefined : text),
  };
}

function commit(): Variable<string> {
  return {
    expected: "7 to 40 of 0-9 and a-f",
    parse: (text) => (/^[0-9a-f]{7,40}$/.test(text) ? text : undefined),
  };
}

/** It becomes part of the user agent, so it may hold nothing that a header may not. */
function contact(): Variable<string> {
  const email = /^[^\s@()<>]+@[^\s@().<>]+(?:\.[^\s@().<>]+)+$/;
  return {
    expected: "an e-mail address or an http(s) URL",
    parse: (text) =>
      /^[!-~]+$/.test(text) && (email.test(text) || isHttpUrl(text)) ? text : undefined,
  };
}

function flag(): Variable<boolean> {
  return {
    expected: "0 or 1",
    parse: (text) => (text === "0" || text === "1" ? text === "1" : undefined),
  };
}

function httpUrl(): Variable<string> {
  return {
    expected: "an http(s) URL",
    parse: (text) => (isHttpUrl(text) ? text.replace(/(?<!\/)\/+$/, "") : undefined),
  };
}

/** It may hold a password, as the next one may. A file of passwords (PGPASSFILE) is no part of it. */
function storeUrl(): Variable<string | null> {
  const known = /^postgres(?:ql)?:\/\/[!-~]+$/;
  return {
    expected: "sqlite: or a URL such as postgres://user:password@host:5432/database",
    parse: (text) => {
      if (text === "sqlite:") return null;
      return known.test(text) && URL.canParse(text) ? text : undefined;
    },
    secret: true,
  };
}

/** Hosts of a cluster are listed with commas, which URL would not read. */
function sharedUrl(): Variable<string> {
  const place = String.raw`(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?`;
  const known = new RegExp(
    String.raw`^(?:rediss?|valkey)://(?:[^@/\s]*@)?${place}(?:,${place})*(?:/\d*)?(?:\?[!-~]*)?$`,
  );
  return {
    expected:
      "a URL such as redis://user:password@host:6379, hosts of a cluster with commas between",
    parse: (text) => (known.test(text) ? text : undefined),
    secret: true,
  };
}

function secret(): Variable<string> {
  return {
    expected: "printable ASCII without blanks",
    parse: (text) => (/^[!-~]+$/.test(text) ? text : undefined),
    secret: true,
  };
}

/** Of the admin API (operation.md, Environment). Longer, it would not fit into a header. */
function token(): Variable<string> {
  return {
    expected: "16 to 1024 printable ASCII characters without blanks",
    parse: (text) => (/^[!-~]{16,1024}$/.test(text) ? text : undefined),
    secret: true,
  };
}

function oneOf<const T extends string>(values: readonly T[]): Variable<T> {
  return {
    expected: `one of ${values.join(", ")}`,
    parse: (text) => values.find((value) => value === text),
  };
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
