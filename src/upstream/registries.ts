/**
 * Registries: read whole, once a day, in the background (architecture, Feeds). A new set
 * replaces the old one when all of its documents were read; what fails leaves the old one in use.
 */
import { guard, type NoteFault } from "#kit/guard.ts";
import type { Failure } from "#kit/outcome.ts";
import { type DocumentStore, MAX_KEPT_BYTES } from "#core/kept-documents.ts";
import type { Place } from "#core/places/place.ts";
import type { Trail } from "#kit/trail.ts";
import type { Clock, Random } from "#ports.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import { toOrigin } from "#upstream/catalogue-reader.ts";
import type { ReadInThread } from "#upstream/register-thread.ts";
import type { ReadingTurn, ReadingTurns, TurnState } from "#upstream/registers/reading-turns.ts";
import { mostBytes, type ReadAll, RegistryDocuments } from "#upstream/registry-documents.ts";
import type { SetBuilder } from "#upstream/registry-set.ts";
import type { RunRequest } from "#upstream/run.ts";

export type RegistryHealth = {
  status: "ok" | Failure["status"];
  reason: string | null;
  last_success_at_ms: number | null;
  count: number | null;
};

export type RegistryEvent = {
  registry: string;
  outcome: RegistryHealth["status"];
  reason: string | null;
  accepted: number;
  dropped: number;
  /** Why, with a few examples each. */
  reasons?: Trail["dropped"];
  /** What was put right, and why. */
  repaired?: Trail["repaired"];
  /** What was kept before the restart is in use. */
  kept?: true;
  /** It was its live half that was read. */
  half?: "live";
};

export type RegistryRuntime = {
  /** Resolves when it has been tried once. */
  start(): Promise<void>;
  health(): RegistryHealth;
  /** The reading that waits or goes on; null: none. */
  turn(): TurnState | null;
  close(): void;
};

type Deps = {
  run: RunRequest;
  clock: Clock;
  random: Random;
  build: () => SetBuilder;
  /** The set in use is what the source has now, too. */
  renew: (confirmed_at_ms: number) => void;
  /** How long a set is good. */
  renew_ms: number;
  /** Where the documents are kept for the next start; null: nowhere. */
  documents: DocumentStore | null;
  /** Lets others have the thread. */
  pause: () => Promise<void>;
  /** For documents too large to be read here; undefined: all are read here. */
  readInThread?: ReadInThread;
  /** Those of all registers. */
  turns: ReadingTurns;
  onEvent: (event: RegistryEvent) => void;
  /** Receives what a reader throws: its document has failed with the reason `defect`. */
  onFault: NoteFault;
};

const RETRY_MS = 60_000;
const MAX_RETRY_MS = 3_600_000;
const JITTER = 0.1;
export class WatchedRegistry<S extends LookupSettings> implements RegistryRuntime {
  readonly #registry: Registry<S>;
  readonly #deps: Deps;
  readonly #documents: RegistryDocuments<S, Place>;
  readonly #origin: string;
  readonly #turn: ReadingTurn;
  readonly #closing = new AbortController();
  #health: RegistryHealth = {
    status: "unavailable",
    reason: "not_loaded",
    last_success_at_ms: null,
    count: null,
  };
  #failures = 0;
  #cancel = (): void => {};

  constructor(registry: Registry<S>, settings: S, deps: Deps) {
    this.#registry = registry;
    this.#deps = deps;
    const requests = registry.requests(settings);
    this.#turn = deps.turns.open(mostBytes(requests));
    this.#documents = new RegistryDocuments(registry, settings, {
      ...deps,
      onFault: this.#onFault,
      signal: this.#closing.signal,
      keep_bytes: deps.documents === null ? 0 : MAX_KEPT_BYTES,
      turn: this.#turn,
    });
    const origins = [...requests, ...(registry.companions?.(settings) ?? [])];
    this.#origin = toOrigin(origins.map(({ url }) => url).join(" "));
  }

  async start(): Promise<void> {
    if (this.#deps.documents) await guard(() => this.#inTurn(() => this.#recall()), this.#onFault);
    await this.#once();
  }

  health(): RegistryHealth {
    return this.#health;
  }

  turn(): TurnState | null {
    return this.#turn.state();
  }

  close(): void {
    this.#cancel();
    this.#closing.abort();
  }

  /** null: it was closed before its turn. */
  #inTurn<T>(reading: () => Promise<T>): Promise<T | null> {
    return this.#turn.run(reading, this.#closing.signal);
  }

  readonly #onFault = (error: unknown): void =>
    this.#deps.onFault(`register ${this.#registry.id}`, error);

  /** What is thrown on the way costs this reading, and not the next ones. */
  async #once(): Promise<void> {
    const { clock, random } = this.#deps;
    const wait_ms = await guard(
      async () => (await this.#inTurn(() => this.#renew())) ?? 0,
      (error) => {
        this.#onFault(error);
        return toRetry_ms(++this.#failures);
      },
    );
    if (this.#closing.signal.aborted) return;
    const at_ms = clock.now() + wait_ms * (1 + JITTER * random());
    this.#cancel = clock.schedule(at_ms, () => this.#once());
  }

  /** Resolves with how long the set is good, or until it is tried again, ms. */
  async #renew(): Promise<number> {
    const { clock, documents, renew_ms, onEvent } = this.#deps;
    const { id } = this.#registry;
    const read = await this.#documents.read();
    if (this.#closing.signal.aborted) return 0;
    const { failure } = read;
    this.#failures = failure === null ? 0 : this.#failures + 1;
    const count = read.unchanged ? this.#health.count : read.accepted;
    this.#health =
      failure === null
        ? { status: "ok", reason: null, last_success_at_ms: clock.now(), count }
        : { ...this.#health, status: failure.status, reason: failure.reason };
    onEvent(toEvent(id, this.#health, read));
    if (failure !== null) return toRetry_ms(this.#failures);
    const stored = { id, origin: this.#origin, now_ms: clock.now() };
    if (documents) await keep(documents, read, stored);
    return renew_ms;
  }

  /** Uses the set that was kept of the same addresses, if there is one. */
  async #recall(): Promise<void> {
    const { id } = this.#registry;
    const documents = await this.#deps.documents?.read(id);
    if (!documents || documents.origin !== this.#origin) return;
    const counts = await this.#documents.recall(documents);
    if (counts === null) return;
    const { read_at_ms } = documents;
    const { accepted, dropped, reasons, repaired } = counts;
    this.#health = { status: "ok", reason: null, last_success_at_ms: read_at_ms, count: accepted };
    this.#deps.onEvent({
      ...{ registry: id, outcome: "ok", reason: null },
      ...{ accepted, dropped, reasons, repaired, kept: true },
    });
  }
}

function toRetry_ms(failures: number): number {
  return Math.min(RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
}

export function toEvent(
  registry: string,
  health: Pick<RegistryHealth, "status" | "reason">,
  read: ReadAll,
): RegistryEvent {
  const { accepted, dropped, reasons, repaired } = read;
  return {
    registry,
    outcome: health.status,
    accepted,
    dropped,
    reason: read.unchanged ? "not_modified" : health.reason,
    ...(reasons.length > 0 ? { reasons } : {}),
    ...(repaired.length > 0 ? { repaired } : {}),
  };
}

async function keep(
  documents: DocumentStore,
  { kept, unchanged }: ReadAll,
  { id, origin, now_ms }: { id: string; origin: string; now_ms: number },
): Promise<void> {
  if (unchanged) await documents.confirm(id, now_ms);
  else if (kept !== null) await documents.write(id, { origin, read_at_ms: now_ms, ...kept });
}
