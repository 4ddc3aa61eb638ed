/**
 * SIGHUP (docs/operations.md, Reload): opens the log file again and reads the configuration again.
 * The plans are applied at once; what else has changed is named, and needs a restart. A file that is
 * not valid is one line, and the configuration of before stays.
 */
import type { Config } from "#config/load.ts";
import type { Loaded } from "#config/config-result.ts";

/** Members that a running service takes over. */
const APPLIED = ["plans"] as const;
/** Not of the file, or made of all of it. */
const DERIVED = new Set<string>(["file", "digest", "mode", ...APPLIED]);

/**
 * What the file has and the service does not serve by: members that wait for a restart, or all of a file
 * that is not valid, in one line.
 */
export type Unapplied = { restart: readonly string[]; problem: string | null };
export const ALL_APPLIED: Unapplied = { restart: [], problem: null };

export type ReloadDeps = {
  /** The configuration that the service runs with. */
  config: Config;
  load: () => Loaded<Config>;
  /** Of the log file. */
  reopen: () => void;
  /** Serves by these plans, and calls the configuration in use by this digest. */
  apply: (next: Pick<Config, "plans" | "digest">) => void;
  /** Called with what was not applied. */
  onUnapplied: (unapplied: Unapplied) => void;
  log: () => Record<"info" | "warn" | "error", (members: object, message: string) => void>;
};

export class Reload {
  readonly #deps: ReloadDeps;
  /** What the service was started with, as far as a restart is needed to change it. */
  readonly #started: Config;
  /** With what was taken over since. */
  #current: Config;
  #unapplied = ALL_APPLIED;

  constructor(deps: ReloadDeps) {
    this.#deps = deps;
    this.#started = deps.config;
    this.#current = deps.config;
  }

  /** The configuration that the service was started with, and what was taken over since. */
  get current(): Config {
    return this.#current;
  }

  /** What the last reading of the file has that is not served by. */
  get unapplied(): Unapplied {
    return this.#unapplied;
  }

  run(): void {
    const { load, reopen, apply } = this.#deps;
    reopen();
    const log = this.#deps.log();
    const loaded = load();
    if (!loaded.ok) {
      this.#note({ ...this.#unapplied, problem: loaded.message });
      log.error(
        { problem: loaded.message },
        "the configuration was not reloaded: the old one stays",
      );
      return;
    }
    const next = loaded.value;
    const applied = APPLIED.filter((name) => differs(next[name], this.#current[name]));
    const restart = findChanged(this.#started, next);
    // Until a restart the rest is the old one, and so is its digest.
    const { config } = restart.length > 0 ? this.#started.digest : next.digest;
    const digest = { config, plans: next.digest.plans };
    const plans = applied.length > 0 ? next.plans : this.#current.plans;
    this.#current = { ...this.#current, plans, digest };
    apply({ plans, digest });
    this.#note({ restart, problem: null });
    const reported = { applied, restart, ...digest };
    if (restart.length === 0) log.info(reported, "configuration reloaded");
    else log.warn(reported, "configuration reloaded in part: what `restart` names needs a restart");
  }

  #note(unapplied: Unapplied): void {
    this.#unapplied = unapplied;
    this.#deps.onUnapplied(unapplied);
  }
}

/** Names the members that differ, one level down where both are objects. */
function findChanged(before: Config, after: Config): string[] {
  const names = Object.keys(after) as (keyof Config)[];
  return names.flatMap((name) => {
    if (DERIVED.has(name) || !differs(before[name], after[name])) return [];
    const [old, now]: readonly unknown[] = [before[name], after[name]];
    if (!isTable(old) || !isTable(now)) return [name];
    return Object.keys({ ...old, ...now })
      .filter((member) => differs(old[member], now[member]))
      .map((member) => `${name}.${member}`);
  });
}

type Table = Readonly<Record<string, unknown>>;

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function differs(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
