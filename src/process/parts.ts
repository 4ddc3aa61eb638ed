/**
 * Starts a program from a table of its parts, each with what it needs, and ends it in the reverse order:
 * what has been started before a part that cannot be is ended as well, and nothing stays open.
 */
import { guard, type NoteFault } from "#kit/guard.ts";

/** Reason why the start is refused, in one line. */
export type StartProblem = { problem: string };

/** Resolves when the part of this name has been started, or could not be. */
export type Started = (name: string) => Promise<void>;

export type Part = {
  name: string;
  /** By which the log knows it; absent: its name. */
  label?: string;
  /** Parts that it is made of, or that must have been started before. */
  needs: readonly string[];
  start(parts: never, started: Started): unknown;
  close?(value: never): unknown;
  /** The start goes on meanwhile; where it throws, those that need it begin without. */
  background?: boolean;
  /** How long it waits for its needs; absent: until they are there. */
  within_ms?: number;
};

type Options<V> = Omit<Part, "name" | "needs" | "start" | "close"> & { close?(value: V): unknown };

/** Makes rows of a table: values of its parts have the types that `P` states by name. */
export function rowsOf<P extends object>() {
  return <K extends keyof P & string, N extends keyof P & string>(
    name: K,
    needs: readonly N[],
    start: (parts: Pick<P, N>, started: Started) => Opened<P[K]> | Promise<Opened<P[K]>>,
    options: Options<P[K]> = {},
  ): Part => ({ name, needs, start, ...options });
}

type Opened<V> = V | StartProblem;
type Deps = { log: { info(members: object, line: string): void }; onFault: NoteFault };

/** A part that takes longer to end is named in the log. */
const SLOW_MS = 250;

export class Starter<P extends object> {
  readonly #deps: Deps;
  readonly #values: Record<string, unknown> = {};
  readonly #started = new Map<string, PromiseWithResolvers<void>>();
  readonly #background: Promise<unknown>[] = [];
  /** Parts that are to be ended, the latest last. */
  readonly #open: Part[] = [];
  #ended = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Rejects with what a part throws that is not in the background. */
  async start(table: readonly Part[]): Promise<P | StartProblem> {
    const parts = inOrder(table);
    for (const { name } of parts) this.#started.set(name, Promise.withResolvers());
    for (const part of parts) {
      const problem = part.background ? this.#startLater(part) : await this.#start(part);
      if (problem) return problem;
    }
    return this.#values as P;
  }

  /** The value of a part; undefined: it has not been started. */
  find<K extends keyof P & string>(name: K): P[K] | undefined {
    return this.#values[name] as P[K] | undefined;
  }

  /** Resolves when all that is started in the background has been tried. */
  async tried(): Promise<void> {
    await Promise.all(this.#background);
  }

  /** Ends all parts in turn, also after one that throws, and logs what a slow end waits for. */
  async end(): Promise<void> {
    this.#ended = true;
    for (const part of this.#open.splice(0).toReversed()) await this.#close(part);
  }

  #startLater(part: Part): void {
    const { label = part.name } = part;
    const done = guard(
      () => this.#start(part),
      (error) => this.#deps.onFault(label, error),
    );
    this.#background.push(done.then(() => this.#started.get(part.name)!.resolve()));
  }

  async #start(part: Part): Promise<StartProblem | null> {
    const { name, needs, within_ms } = part;
    const ready = Promise.all(needs.map((need) => this.#started.get(need)!.promise));
    await (within_ms === undefined ? ready : Promise.race([ready, sleep(within_ms)]));
    if (this.#ended) return null;
    // No more than it names: parts are handed on whole, and the name of another would mean another thing.
    const input = Object.fromEntries(needs.map((need) => [need, this.#values[need]]));
    const value = await part.start(input as never, (other) => this.#started.get(other)!.promise);
    if (isProblem(value)) return value;
    this.#values[name] = value;
    this.#open.push(part);
    this.#started.get(name)!.resolve();
    if (this.#ended) await this.end();
    return null;
  }

  async #close({ name, label = name, close }: Part): Promise<void> {
    if (!close) return;
    const { log, onFault } = this.#deps;
    const begun_ms = performance.now();
    const timer = setTimeout(() => log.info({ waiting_for: label }, "closing"), SLOW_MS);
    await guard(
      () => close(this.#values[name] as never),
      (error) => onFault(`end of ${label}`, error),
    );
    clearTimeout(timer);
    const elapsed_ms = Math.round(performance.now() - begun_ms);
    if (elapsed_ms >= SLOW_MS) log.info({ part: label, elapsed_ms }, "closed a part");
  }
}

function isProblem(value: unknown): value is StartProblem {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "problem");
}

/** The table with these rows in the place of those of their names; names that it has not are added at its end. */
export function withRows(table: readonly Part[], rows: readonly Part[]): Part[] {
  const replaced = new Map(rows.map((row) => [row.name, row]));
  const known_names = new Set(table.map(({ name }) => name));
  return [
    ...table.map((row) => replaced.get(row.name) ?? row),
    ...rows.filter(({ name }) => !known_names.has(name)),
  ];
}

/** The table in which the value of a part is what this makes of it. */
export function wrapped<V>(table: readonly Part[], name: string, wrap: (value: V) => V): Part[] {
  return table.map((row) =>
    row.name === name
      ? { ...row, start: async (...input) => wrap((await row.start(...input)) as V) }
      : row,
  );
}

/** Parts behind all that they need, and else in the order of the table; throws where that cannot be. */
export function inOrder(table: readonly Part[]): Part[] {
  const all = new Map(table.map((part) => [part.name, part]));
  const ordered = new Set<Part>();
  const add = (name: string, of: readonly string[]): void => {
    const part = all.get(name);
    if (part === undefined || of.includes(name))
      throw new Error(`no order of parts: ${[...of, name].join(" needs ")}`);
    if (ordered.has(part)) return;
    for (const need of part.needs) add(need, [...of, name]);
    ordered.add(part);
  };
  for (const { name } of table) add(name, []);
  return [...ordered];
}

/** Does not keep the process alive, unlike listeners and sockets. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
