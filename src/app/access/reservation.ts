/**
 * Units of requests under way (docs/decisions/0031-reserve-before-the-work.md): reserved before the work, and
 * booked with the answer. One object owns both, so that no unit is reserved and booked at once.
 */
import type { SharedReservation } from "#ports/reservations.ts";
import type { UnitCounts } from "#ports/unit-counts.ts";
import type { Caller } from "./request-caller.ts";

/** Where units of an owner are counted once they are booked. */
export type Counter = {
  /** Counts units. false: they count when they are recorded (access/meter.ts), which ends them here. */
  add(caller: Caller, units: number, now_ms: number): boolean;
};

/** What bounds a request: the units of the owner, or those of the block around an address. */
export type Short = { bound: "own" | "block"; left: number };

type SharedOwner = { name: string; counts: Pick<UnitCounts, "reserved" | "reserve"> };

/** An owner of units. What an address reserves counts for the block around it as well. */
export class Owner {
  readonly #block: Owner | null;
  readonly #shared: SharedOwner | null;
  #reserved = 0;

  /** `shared`: where the threads that serve count together; null: this one is alone. */
  constructor(block: Owner | null, shared: SharedOwner | null = null) {
    this.#block = block;
    this.#shared = shared;
  }

  /** Units reserved by requests under way. */
  get reserved(): number {
    return this.#shared === null ? this.#reserved : this.#shared.counts.reserved(this.#shared.name);
  }

  /** Returns the bound that leaves fewer units than these beyond those reserved; null: none does. */
  findShort(
    left: { remaining: number | null; block_remaining: number | null },
    units: number,
  ): Short | null {
    const { remaining, block_remaining } = left;
    if (block_remaining !== null) {
      const of_block = block_remaining - (this.#block?.reserved ?? 0);
      if (of_block < units) return { bound: "block", left: Math.max(0, of_block) };
    }
    if (remaining === null || remaining - this.reserved >= units) return null;
    return { bound: "own", left: Math.max(0, remaining - this.reserved) };
  }

  /** Used by reservations alone. */
  change(units: number): void {
    if (this.#shared === null) this.#reserved += units;
    else this.#shared.counts.reserve(this.#shared.name, units);
    this.#block?.change(units);
  }
}

export type ReservationDeps = {
  caller: Caller;
  owner: Owner;
  counter: Counter;
  /** Id of the operation. */
  operation: string;
  units: number;
  /** Of the same request, which may ask several operations. */
  next: Reservation | null;
};

/** Units of a request, until they are booked or released. */
export class Reservation {
  readonly #operation: string;
  #others: readonly string[] = [];
  readonly next: Reservation | null;
  readonly #caller: Caller;
  readonly #owner: Owner;
  readonly #counter: Counter;
  #units: number;
  #state: "open" | "booked" | "over" = "open";
  #shared: SharedReservation | null = null;

  constructor({ caller, owner, counter, operation, units, next }: ReservationDeps) {
    this.#operation = operation;
    this.next = next;
    this.#caller = caller;
    this.#owner = owner;
    this.#counter = counter;
    this.#units = units;
    owner.change(units);
  }

  /** Id for the event of usage; null: any. */
  get event_id(): string | null {
    return this.#shared?.event_id ?? null;
  }

  /** Units that are neither booked nor released, of this reservation and the next ones. */
  get open_units(): number {
    const own = this.#state === "open" ? this.#units : 0;
    return own + (this.next === null ? 0 : this.next.open_units);
  }

  /** Admits another operation: what was reserved is for whichever is answered first. */
  admit(operation: string): void {
    this.#others = [...this.#others, operation];
  }

  /** Returns the one that is open for an operation, this or a next one; null: there is none. */
  findOpen(operation: string): Reservation | null {
    const isFor = this.#operation === operation || this.#others.includes(operation);
    if (isFor && this.#state === "open") return this;
    return this.next === null ? null : this.next.findOpen(operation);
  }

  /** Joins the reservation in the store that replicas share. */
  share(shared: SharedReservation): void {
    if (this.#state === "over") shared.settle(0);
    else this.#shared = shared;
  }

  /** Turns what was reserved into what the answer costs. */
  book(units: number, now_ms: number): void {
    if (this.#state !== "open") return;
    if (units === 0 || this.#counter.add(this.#caller, units, now_ms)) return this.#leave(units);
    this.#state = "booked";
    this.#shared?.settle(units);
    this.#owner.change(units - this.#units);
    this.#units = units;
  }

  /** Notes that the units are recorded: they count there from now on. */
  noteRecorded(): void {
    if (this.#state === "booked") this.#close();
  }

  /** Releases what was not booked, or not recorded, of this reservation and the next ones. */
  endAll(): void {
    this.#leave(0);
    this.next?.endAll();
  }

  #leave(units: number): void {
    if (this.#state === "over") return;
    this.#shared?.settle(units);
    this.#close();
  }

  #close(): void {
    this.#state = "over";
    this.#owner.change(-this.#units);
    this.#units = 0;
  }
}
