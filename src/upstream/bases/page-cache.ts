/**
 * Pages of bases in memory, up to a bound of bytes: a page is read once however many questions want
 * it, stays as long as one of them has it pinned, and goes when others need its place and it was not
 * used for longest. All that a pin wants is admitted at once, so that no two wait for each other.
 */
import { detach, guard } from "#kit/guard.ts";
import { weigh } from "#kit/weigh.ts";
import { createDeadline, onAbort, toAbandoned } from "#upstream/deadline.ts";
import type { Clock } from "#ports.ts";
import type { MissingPage } from "#ports/base-pages.ts";
import { type LoadedPage, type PageFault, type PageRead, type PageSlot } from "./page-slot.ts";

export type PinnedSlots<P> = {
  /** They stay until they are released. */
  pinned: readonly PageSlot<P>[];
  missing: readonly { slot: PageSlot<P>; reason: MissingPage["reason"] }[];
};

/** How long a question waits for memory that others have pinned. */
const WAIT_MS = 5_000;
/** How long a read may take. It goes on without those who wait for it: what it brings serves the next question. */
const READ_MS = 30_000;
/** Pages that have gone and are not collected yet: beyond this a read waits until some are, but not for long. */
const GONE_BYTES = megabytes(256);
const GONE_MS = 1_000;
/** A page that failed is not read again for so long. */
const RETRY_MS = 10_000;

/** What a question has of a slot: it is pinned unless the read, or the last one, has failed. */
type Claim<P> = { slot: PageSlot<P>; read: PageRead | null; fault: PageFault | null };
type Waiter<P> = { slots: readonly PageSlot<P>[]; admit(claims: readonly Claim<P>[]): void };
type Deps<P> = {
  bytes_max: number;
  clock: Clock;
  onFault: (error: unknown) => void;
  /** Receives each page that has gone. */
  onGone?: ((page: P) => void) | undefined;
};

export function megabytes(count: number): number {
  return count * 1024 * 1024;
}

export type PageFacts = {
  /** The bound, less what is reserved. What is pinned may be more where a single question needs more. */
  bytes_max: number;
  /** Of pages in memory, and of those that are being read. */
  bytes: number;
  /** The part of them that is pinned or being read. */
  pinned_bytes: number;
  pages: number;
  /** Pages that were wanted and in memory. */
  hits: number;
  reads: number;
  evictions: number;
  /** Questions that waited for memory. */
  waits: number;
};

export class PageCache<P extends object> {
  readonly #clock: Clock;
  readonly #onFault: (error: unknown) => void;
  readonly #onGone: (page: P) => void;
  readonly #facts: PageFacts;
  readonly #bytes_max: number;
  /** In memory and not pinned, the one that was not used for longest first. */
  readonly #idle = new Set<PageSlot<P>>();
  /** Who came first is served first. */
  readonly #waiting = new Set<Waiter<P>>();
  /** Bytes of pages that have gone from here, and that the runtime has not collected. */
  #gone = 0;
  readonly #collected = new FinalizationRegistry<number>((bytes) => this.#noteCollected(bytes));
  /** Reads that wait for it. */
  readonly #held_back = new Set<() => void>();

  constructor({ bytes_max, clock, onFault, onGone = () => undefined }: Deps<P>) {
    this.#clock = clock;
    this.#onFault = onFault;
    this.#onGone = onGone;
    this.#bytes_max = bytes_max;
    const counts = { hits: 0, reads: 0, evictions: 0, waits: 0 };
    this.#facts = { bytes_max, bytes: 0, pinned_bytes: 0, pages: 0, ...counts };
  }

  get facts(): Readonly<PageFacts> {
    return this.#facts;
  }

  /** So much of the bound is for what pages are found by; at least half of it stays theirs. */
  reserve(bytes: number): void {
    this.#facts.bytes_max = Math.max(this.#bytes_max / 2, this.#bytes_max - bytes);
    this.#makeRoom(0);
    this.#wake();
  }

  /** Pins all of them, where all are in memory; false: they are not, and none is pinned. */
  pinHeld(slots: readonly PageSlot<P>[]): boolean {
    for (const { state } of slots) if (state.name !== "held") return false;
    for (const slot of slots) this.#take(slot);
    this.#facts.hits += slots.length;
    return true;
  }

  /** Waits for memory and for what must be read, until the signal or a bound of time ends it. */
  async pin(slots: readonly PageSlot<P>[], signal?: AbortSignal): Promise<PinnedSlots<P>> {
    if (this.pinHeld(slots)) return { pinned: slots, missing: [] };
    using ended = signal ? onAbort(signal) : ENDLESS;
    const aborted = ended.aborted ?? new Promise<never>(() => undefined);
    const claims = await this.#admit(slots, aborted);
    const reason = (): MissingPage["reason"] => (signal?.aborted ? reasonOf(signal) : "busy");
    if (claims === null) {
      // What is in memory needs no place.
      const pinned = slots.filter(({ state }) => state.name === "held");
      this.pinHeld(pinned);
      const others = slots.filter((slot) => !pinned.includes(slot));
      return { pinned, missing: others.map((slot) => ({ slot, reason: reason() })) };
    }
    const reads = claims.flatMap(({ read }) => (read === null ? [] : read.ended));
    if (reads.length > 0) await Promise.race([Promise.all(reads), aborted]);
    const pinned: PageSlot<P>[] = [];
    const missing: { slot: PageSlot<P>; reason: MissingPage["reason"] }[] = [];
    for (const { slot, read, fault } of claims) {
      const outcome = fault ?? (read === null ? "ok" : read.outcome);
      if (outcome === "ok") pinned.push(slot);
      else missing.push({ slot, reason: outcome ?? reason() });
      // The read goes on; what failed is not pinned any more.
      if (outcome === null) this.release([slot]);
    }
    return { pinned, missing };
  }

  /** Lets pages go that were pinned. */
  release(slots: readonly PageSlot<P>[]): void {
    for (const slot of slots) {
      slot.pins -= 1;
      if (slot.pins > 0) continue;
      this.#facts.pinned_bytes -= slot.bytes;
      this.#idle.add(slot);
      if (slot.isRetired) this.#drop(slot);
    }
    // Of a question that alone needed more than the bound.
    this.#makeRoom(0);
    if (this.#waiting.size > 0) this.#wake();
  }

  /** The base of these is no longer in use. Questions that have them keep them. */
  retire(slots: readonly PageSlot<P>[]): void {
    for (const slot of slots) {
      slot.isRetired = true;
      if (this.#idle.has(slot)) this.#drop(slot);
    }
    this.#wake();
  }

  /** Whether there is a place for these bytes without that a page goes. */
  hasRoom(bytes: number): boolean {
    return this.#facts.bytes + bytes <= this.#facts.bytes_max;
  }

  /** null: others have pinned too much, and go on to. */
  async #admit(
    slots: readonly PageSlot<P>[],
    aborted: Promise<unknown>,
  ): Promise<readonly Claim<P>[] | null> {
    const isNext = this.#waiting.size === 0 || slots.every(isPinned);
    const at_once = isNext ? this.#tryAdmit(slots) : null;
    if (at_once !== null) return at_once;
    this.#facts.waits += 1;
    let claims: readonly Claim<P>[] | null = null;
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter<P> = { slots, admit: (made) => resolve(void (claims = made)) };
    this.#waiting.add(waiter);
    const cancel = this.#clock.schedule(this.#clock.now() + WAIT_MS, () => resolve());
    await Promise.race([over, aborted]);
    cancel();
    if (this.#waiting.delete(waiter)) this.#wake();
    return claims;
  }

  /** Those whose pages others have pinned need not wait: one read serves all who want it. */
  #wake(): void {
    let isBlocked = false;
    for (const waiter of this.#waiting) {
      if (isBlocked && !waiter.slots.every(isPinned)) continue;
      const claims = this.#tryAdmit(waiter.slots);
      if (claims === null) {
        isBlocked = true;
        continue;
      }
      this.#waiting.delete(waiter);
      waiter.admit(claims);
    }
  }

  /** Pins all of them and begins to read what is not there; null: there is no room, and nothing is pinned. */
  #tryAdmit(slots: readonly PageSlot<P>[]): Claim<P>[] | null {
    const { pinned_bytes, bytes_max } = this.#facts;
    const now_ms = this.#clock.now();
    const faults = slots.map(({ state }) =>
      state.name === "failed" && now_ms < state.until_ms ? state.reason : null,
    );
    const more = slots.reduce(
      (sum, { pins, bytes }, i) => sum + (pins === 0 && faults[i] === null ? bytes : 0),
      0,
    );
    // A question that alone needs more than the bound goes on when no other one does.
    if (pinned_bytes > 0 && more > 0 && pinned_bytes + more > bytes_max) return null;
    slots.forEach((slot, i) => {
      if (faults[i] === null) this.#take(slot);
    });
    return slots.map((slot, i) => {
      const fault = faults[i]!;
      return { slot, read: fault === null ? this.#readIfAbsent(slot) : null, fault };
    });
  }

  #take(slot: PageSlot<P>): void {
    if (slot.pins === 0) {
      this.#facts.pinned_bytes += slot.bytes;
      this.#idle.delete(slot);
    }
    slot.pins += 1;
  }

  /** The read that is under way, or begins now; null: it is in memory. */
  #readIfAbsent(slot: PageSlot<P>): PageRead | null {
    const { state } = slot;
    if (state.name === "held") return null;
    if (state.name === "reading") return state.read;
    this.#makeRoom(slot.bytes);
    this.#facts.bytes += slot.bytes;
    this.#facts.reads += 1;
    // The read has a pin of its own: it goes on when no question waits for it any more.
    this.#take(slot);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const read: PageRead = { ended, outcome: null };
    slot.state = { name: "reading", read };
    const end = (loaded: LoadedPage<P>): void => resolve(this.#end(slot, read, loaded));
    const load = guard(
      () => this.#load(slot),
      (error): LoadedPage<P> => {
        this.#onFault(error);
        return { reason: "unreadable" };
      },
    );
    detach(load.then(end), this.#onFault);
    return read;
  }

  async #load(slot: PageSlot<P>): Promise<LoadedPage<P>> {
    if (this.#gone > GONE_BYTES) await this.#untilCollected();
    using deadline = createDeadline(this.#clock, this.#clock.now() + READ_MS);
    return await slot.load(deadline.signal);
  }

  async #untilCollected(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held_back.add(resolve);
    const cancel = this.#clock.schedule(this.#clock.now() + GONE_MS, resolve);
    await promise;
    cancel();
    this.#held_back.delete(resolve);
  }

  #noteCollected(bytes: number): void {
    this.#gone -= bytes;
    if (this.#gone > GONE_BYTES) return;
    for (const resolve of this.#held_back) resolve();
  }

  #end(slot: PageSlot<P>, read: PageRead, loaded: LoadedPage<P>): void {
    if ("page" in loaded) {
      read.outcome = "ok";
      this.#facts.pages += 1;
      // It is collected after it has gone from the slot, which is all that keeps it.
      this.#collected.register(loaded.page, slot.bytes);
      slot.state = { name: "held", page: loaded.page, weight: weigh(slot.bytes) };
      return this.release([slot]);
    }
    const { reason } = loaded;
    read.outcome = reason;
    this.#facts.bytes -= slot.bytes;
    this.#facts.pinned_bytes -= slot.bytes;
    slot.pins = 0;
    slot.state = { name: "failed", reason, until_ms: this.#clock.now() + RETRY_MS };
    this.#wake();
  }

  #makeRoom(bytes: number): void {
    for (const slot of this.#idle) {
      if (this.hasRoom(bytes)) return;
      this.#drop(slot);
      this.#facts.evictions += 1;
    }
  }

  #drop(slot: PageSlot<P>): void {
    this.#idle.delete(slot);
    this.#facts.bytes -= slot.bytes;
    this.#facts.pages -= 1;
    this.#gone += slot.bytes;
    const { state } = slot;
    slot.state = { name: "absent" };
    if (state.name === "held") this.#onGone(state.page);
  }
}

function isPinned({ pins }: { pins: number }): boolean {
  return pins > 0;
}

/** Of a question without a time of its own. */
const ENDLESS: Disposable & { aborted?: Promise<void> } = { [Symbol.dispose]: () => undefined };

function reasonOf(signal: AbortSignal): "deadline" | "aborted" {
  return toAbandoned(signal).reason === "deadline" ? "deadline" : "aborted";
}
