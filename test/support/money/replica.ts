/** A replica of a model: the classes that count units and claim searches, over the store that it shares. */
import assert from "node:assert/strict";
import type { Caller } from "#app/access/request-caller.ts";
import { Meter } from "#app/access/meter.ts";
import { Quotas } from "#app/access/unit-quota.ts";
import { type CapabilityTurn, CapabilityTurns } from "#app/capabilities/search-turns.ts";
import { findOperation, type OperationId } from "#api/operations.ts";
import { ONE_ANSWER, type Metered } from "#core/metering/metered-units.ts";
import type { Exchange } from "#http/http-exchange.ts";
import { bookAnswer, checkQuota, type QuotaDeps, unitsOfQuestion } from "#http/quota-check.ts";
import { uncounted } from "#http/limit-verdict.ts";
import type { Datasets } from "#ports.ts";
import type { Journal, JournalEntry } from "#storage/usage/journal.ts";
import { createUsageWriter } from "#storage/usage/writer.ts";
import type { ModelClock } from "./clock.ts";
import type { ModelStore } from "./store.ts";

export type ModelRequest = {
  caller: Caller;
  operation: OperationId;
  types?: readonly string[];
  /** Of a search that may be repeated. */
  body?: string;
};

export class ModelReplica {
  readonly deps: QuotaDeps;
  readonly turns: CapabilityTurns;
  readonly started: Promise<void>;
  /** It was killed: nothing that it was about to do happens. */
  dead = false;

  constructor(
    input: { clock: ModelClock; store: ModelStore; alone: boolean; datasets: ModelDatasets },
    journal: Journal,
  ) {
    const { clock, store, alone, datasets } = input;
    const ledger = store.ledgerFor(() => this.dead);
    const usage = createUsageWriter({
      journal,
      ledger,
      time: clock,
    });
    // A service answers once what its journal holds has been handed over.
    this.started = ledger.start().then(usage.start);
    const defer = (task: () => void): void => void clock.schedule(clock.now(), task);
    this.deps = {
      clock,
      quotas: new Quotas(usage, assert.ifError),
      meter: new Meter({ usage: this.#whileAlive(usage), newEventId: store.newId, defer }),
      reservations: alone ? null : store.reservations,
      enforced: true,
      decisions: uncounted(),
    };
    this.turns = new CapabilityTurns({ datasets, claims: alone ? null : store.claims, clock });
  }

  #whileAlive({ record }: ReturnType<typeof createUsageWriter>) {
    return {
      record: (events: Parameters<typeof record>[0]): boolean => !this.dead && record(events),
    };
  }

  unitsOf({ operation, types }: ModelRequest): number {
    return unitsOfQuestion(newExchange(), findOperation(operation), { types });
  }

  /** As the gate does; null: it is permitted. */
  check(exchange: Exchange, request: ModelRequest) {
    const operation = findOperation(request.operation);
    const units = unitsOfQuestion(exchange, operation, { types: request.types });
    if (units === 0) return null;
    return checkQuota({ exchange, operation, caller: request.caller, units }, this.deps);
  }

  book(exchange: Exchange, request: ModelRequest, metered: Partial<Metered>): Promise<boolean> {
    const priced = {
      operation: findOperation(request.operation),
      caller: request.caller,
      metered: { ...ONE_ANSWER, ...metered },
    };
    return bookAnswer(this.deps, exchange, priced);
  }

  take(body: string, deadline_ms: number): Promise<CapabilityTurn> {
    return this.turns.take(Buffer.from(body), deadline_ms);
  }
}

/** What the checks read and write of an exchange. */
export function newExchange(): Exchange {
  return {
    allowances: [],
    remaining_units: null,
    reservation: null,
    free: false,
  } as unknown as Exchange;
}

/** It outlives its replica, as the data folder does. */
export function createModelJournal(): Journal {
  let entries: JournalEntry[] = [];
  let seq = 0;
  return {
    append(events) {
      entries.push({ seq: ++seq, events });
      return true;
    },
    read: () => ({ entries: [...entries], hasMore: false }),
    drop: (through) => void (entries = entries.filter((each) => each.seq > through)),
    entries: () => [...entries],
    room: () => ({ used: entries.length, provided: 0 }),
    close: () => undefined,
  };
}

/** Of all replicas; stored after a while. */
export class ModelDatasets implements Pick<Datasets, "findRepeat" | "read"> {
  readonly #clock: ModelClock;
  readonly #pause: () => Promise<void>;
  readonly #kept = new Map<string, { id: string; made_at_ms: number }>();

  constructor(clock: ModelClock, pause: () => Promise<void>) {
    this.#clock = clock;
    this.#pause = pause;
  }

  put(body: string, id: string): void {
    this.#kept.set(body, { id, made_at_ms: this.#clock.now() });
  }

  findRepeat = async (key: Uint8Array) => {
    await this.#pause();
    return this.#kept.get(Buffer.from(key).toString()) ?? null;
  };

  read = async (id: string) => {
    await this.#pause();
    return { status: "ok", bytes: Buffer.from(id), row: null as never } as const;
  };
}
