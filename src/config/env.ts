/**
 * The environment, read here and nowhere else, strictly checked. An unset and an empty variable are
 * the same. docs.test.ts compares the table of docs/operations.md with VARIABLES.
 */
import { isHttpUrl } from "#config/config-formats.ts";
import { failed, type Loaded, loaded } from "#config/config-result.ts";
import { readSecretFile } from "#config/secret-file.ts";
import {
  choiceRule,
  fromText,
  matching,
  numberRule,
  type Rule,
  textBy,
  textThat,
} from "#kit/rule.ts";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const LOG_FORMATS = ["json", "pretty"] as const;

/** Where a service keeps what it stores, unless the environment says so. */
export const DATA_DIR = "./data";

export type RunMode = "sandbox" | "live";

/** The raw variables, as `process.env` has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

export type Env = ReturnType<typeof toEnv>;

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

/** `secret`: its value never reaches a message. */
type Variable<T> = Rule<T> & { secret?: true };

const PORT = integer(0, 65_535);
const PATH = textThat((text) => text.trim() !== "" && !text.includes("\0"), "a path");
const HOST = matching(/^[A-Za-z0-9._:%-]+$/, "a host name or an IP address");
const HTTP_URL = textBy("an http(s) URL", (text) =>
  isHttpUrl(text) ? text.replace(/(?<!\/)\/+$/, "") : undefined,
);

/** Of PostgreSQL. A file of passwords (PGPASSFILE) is no part of it. */
const STORE_URL = /^postgres(?:ql)?:\/\/[!-~]+$/;
const STORE_WORDS = "sqlite: or a URL such as postgres://user:password@host:5432/database";

/** Hosts of a cluster are listed with commas, which URL would not read. */
const SHARED_HOST = String.raw`(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?`;
const SHARED_URL = new RegExp(
  String.raw`^(?:rediss?|valkey)://(?:[^@/\s]*@)?${SHARED_HOST}(?:,${SHARED_HOST})*(?:/\d*)?(?:\?[!-~]*)?$`,
);
const SHARED_WORDS =
  "a URL such as redis://user:password@host:6379, hosts of a cluster with commas between";

const EMAIL = /^[^\s@()<>]+@[^\s@().<>]+(?:\.[^\s@().<>]+)+$/;

export const VARIABLES = {
  HOST,
  PORT,
  SANDBOX_PORT: PORT,
  VICINITY_CONFIG: PATH,
  VICINITY_DATA_DIR: PATH,
  VICINITY_STORE_URL: secret(
    textBy<string | null>(STORE_WORDS, (text) =>
      text === "sqlite:" ? null : STORE_URL.test(text) && URL.canParse(text) ? text : undefined,
    ),
  ),
  VICINITY_STORE_URL_FILE: PATH,
  VICINITY_SHARED_URL: secret(matching(SHARED_URL, SHARED_WORDS)),
  VICINITY_SHARED_URL_FILE: PATH,
  // It becomes part of the user agent, so it may hold nothing that a header may not.
  VICINITY_CONTACT: textThat(
    (text) => /^[!-~]+$/.test(text) && (EMAIL.test(text) || isHttpUrl(text)),
    "an e-mail address or an http(s) URL",
  ),
  VICINITY_ENFORCE_LIMITS: textBy("0 or 1", (text) =>
    text === "0" || text === "1" ? text === "1" : undefined,
  ),
  SANDBOX_SEED: integer(0, 4_294_967_295),
  SANDBOX_CITIES: textBy("names separated by commas", (text) =>
    /^[a-z-]+(,[a-z-]+)*$/.test(text) ? text.split(",") : undefined,
  ),
  ADMIN_HOST: HOST,
  ADMIN_PORT: PORT,
  // Of the admin API (operation.md, Environment). Longer, it would not fit into a header.
  ADMIN_TOKEN: secret(
    matching(/^[!-~]{16,1024}$/, "16 to 1024 printable ASCII characters without blanks"),
  ),
  ADMIN_TOKEN_FILE: PATH,
  VICINITY_URL: HTTP_URL,
  VICINITY_API_KEY: secret(matching(/^[!-~]+$/, "printable ASCII without blanks")),
  VICINITY_API_KEY_FILE: PATH,
  VICINITY_READY_FILE: PATH,
  VICINITY_COMMIT: matching(/^[0-9a-f]{7,40}$/, "7 to 40 of 0-9 and a-f"),
  LOG_FILE: PATH,
  LOG_LEVEL: choiceRule(LOG_LEVELS),
  LOG_FORMAT: choiceRule(LOG_FORMATS),
  OTEL_EXPORTER_OTLP_ENDPOINT: HTTP_URL,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: HTTP_URL,
  OTEL_SERVICE_NAME: textBy("a name", (text) => text),
  OTEL_TRACES_SAMPLER: choiceRule(SAMPLERS),
  OTEL_TRACES_SAMPLER_ARG: textBy("a number from 0 to 1", (text) =>
    /^(0(\.\d{1,17})?|1(\.0{1,17})?)$/.test(text) ? Number(text) : undefined,
  ),
  // Any non-empty value counts: https://no-color.org
  NO_COLOR: textBy<boolean>("anything", () => true),
  // Shells export it, some as 0: what is no width is as good as none.
  COLUMNS: textBy("anything", (text) => (/^\d{1,5}$/.test(text) ? Number(text) : 0)),
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
    const value = rule.read(text);
    if (value === undefined) {
      const got = rule.secret ? "something else" : JSON.stringify(text);
      return failed(`${name}: expected ${rule.words}, got ${got}`);
    }
    read[name] = value;
  }
  for (const name of SECRETS) {
    const variable = `${name}_FILE`;
    const file = read[variable] as string | undefined;
    if (file === undefined) continue;
    if (name in read) return failed(`${variable}: expected without ${name}, which is set as well`);
    const secret_file = readSecretFile<unknown>(variable, file, VARIABLES[name]);
    if (!secret_file.ok) return secret_file;
    read[name] = secret_file.value;
  }
  return loaded(toEnv(read as Values, variables));
}

function toEnv(values: Values, variables: Variables) {
  const listen = values.PORT ?? 8080;
  return {
    host: values.HOST ?? "127.0.0.1",
    port: listen,
    sandbox_port: values.SANDBOX_PORT ?? 0,
    config_file: values.VICINITY_CONFIG ?? null,
    data_dir: values.VICINITY_DATA_DIR ?? DATA_DIR,
    /** Of PostgreSQL, a secret; null: everything is in the data folder. */
    store_url: values.VICINITY_STORE_URL ?? null,
    /** Of Valkey or Redis, a secret; null: nothing is shared with other replicas. */
    shared_url: values.VICINITY_SHARED_URL ?? null,
    contact: values.VICINITY_CONTACT ?? null,
    /** null: what the mode says (off in sandbox mode, on in live mode). */
    enforce_limits: values.VICINITY_ENFORCE_LIMITS ?? null,
    sandbox_seed: values.SANDBOX_SEED ?? 1,
    /** Ids of the cities of the simulated world; null: all. */
    sandbox_cities: values.SANDBOX_CITIES ?? null,
    admin_host: values.ADMIN_HOST ?? "127.0.0.1",
    admin_port: values.ADMIN_PORT ?? 0,
    /** null: the admin listener has probes and metrics only. */
    admin_token: values.ADMIN_TOKEN ?? null,
    /** The server that the command line asks. */
    url: values.VICINITY_URL ?? `http://127.0.0.1:${listen === 0 ? 8080 : listen}`,
    api_key: values.VICINITY_API_KEY ?? null,
    ready_file: values.VICINITY_READY_FILE ?? null,
    /** Commit that the program was built from, where no checkout says it. */
    commit: values.VICINITY_COMMIT ?? null,
    /** null: lines go to standard output. */
    log_file: values.LOG_FILE ?? null,
    /** null: what the format says (info as JSON, warn for people). */
    log_level: values.LOG_LEVEL ?? null,
    /** null: pretty on a terminal, else JSON. */
    log_format: values.LOG_FORMAT ?? null,
    no_color: values.NO_COLOR ?? false,
    /** The width of the terminal; null: what the terminal reports. */
    columns: values.COLUMNS || null,
    /** null: no traces. */
    traces: toTraces(values),
    /** `node --watch` runs the program, which it starts again at every change. */
    is_watched: variables["WATCH_REPORT_DEPENDENCIES"] !== undefined,
    /** For `${NAME}` in the configuration file. */
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

function integer(low: number, high: number): Rule<number> {
  const rule = numberRule(`an integer from ${low} to ${high}`, { minimum: low, maximum: high });
  return fromText(rule, (text) => (/^\d{1,10}$/.test(text) ? Number(text) : undefined));
}

function secret<T>(rule: Rule<T>): Variable<T> {
  return { ...rule, secret: true };
}
