/**
 * Registers are read in turns, by the bytes of their documents: those of whole countries have a hundred
 * megabytes each, and a service that starts with several would have all of them in memory at once
 * (docs/registers.md, Memory).
 */
import { guard } from "#kit/guard.ts";
import { Lanes } from "#kit/run/lanes.ts";
import type { Clock } from "#ports.ts";

/** Documents of all registers that are read, with the copies of them that are to be kept, in bytes. */
const MEMORY_BYTES = 256 * 1024 ** 2;
/** A register that had no more bytes when it was last read does not wait. */
const SMALL_BYTES = 4 * 1024 ** 2;

/** A reading that waits or goes on since `since_ms`; `ahead`: readings that have to end before it. */
export type TurnState = { waits: boolean; ahead: number; since_ms: number };

export class ReadingTurns {
  readonly #lanes: Lanes;
  readonly #clock: Pick<Clock, "now">;
  /** In the order in which they came, those that go on first. */
  readonly #large = new Set<ReadingTurn>();

  constructor(clock: Pick<Clock, "now">, memory_bytes = MEMORY_BYTES) {
    this.#clock = clock;
    this.#lanes = new Lanes({ most: Infinity, memory_bytes });
  }

  /** Makes the turn of one half of a register; `most_bytes`: of a document, as long as none was read. */
  open(most_bytes: number): ReadingTurn {
    return new ReadingTurn(this, most_bytes);
  }

  now(): number {
    return this.#clock.now();
  }

  /** How many have to end before it. */
  ahead(turn: ReadingTurn): number {
    return Math.max(0, [...this.#large].indexOf(turn));
  }

  /** Runs the work when there is room for its bytes, and rejects as it does; null: it was stopped before. */
  async take<T>(
    turn: ReadingTurn,
    bytes: number,
    work: (resize: Resize) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | null> {
    let has_begun = false;
    const begin = (resize: Resize): Promise<T> => {
      has_begun = true;
      return work(resize);
    };
    this.#large.add(turn);
    try {
      return await guard(
        () => this.#lanes.run(bytes, begin, signal),
        (error) => {
          if (has_begun) throw error;
          return null;
        },
      );
    } finally {
      this.#large.delete(turn);
    }
  }
}

type Resize = (bytes: number) => void;

/** The readings of one half of a register, one after the other. */
export class ReadingTurn {
  readonly #turns: ReadingTurns;
  #expected_bytes: number;
  #most_bytes = 0;
  #state: Omit<TurnState, "ahead"> | null = null;
  #resize: Resize | null = null;

  constructor(turns: ReadingTurns, most_bytes: number) {
    this.#turns = turns;
    this.#expected_bytes = most_bytes;
  }

  /** null: it is not read now. */
  state(): TurnState | null {
    if (this.#state === null) return null;
    return { ...this.#state, ahead: this.#state.waits ? this.#turns.ahead(this) : 0 };
  }

  /** Runs a reading when it is its turn, and rejects as it does; null: it was stopped before. */
  async run<T>(reading: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
    this.#most_bytes = 0;
    try {
      if (this.#expected_bytes > SMALL_BYTES)
        return await this.#wait(this.#expected_bytes, reading, signal);
      this.#note(false);
      return await reading();
    } finally {
      this.#state = null;
      if (this.#most_bytes > 0) this.#expected_bytes = this.#most_bytes;
    }
  }

  /**
   * Runs a part of a reading that has these bytes in memory. One that was expected to be small waits
   * for its turn first; another one has it, and releases what it does not need. null: it was stopped.
   */
  async hold<T>(bytes: number, part: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
    this.#most_bytes = Math.max(this.#most_bytes, bytes);
    if (this.#resize === null && bytes > SMALL_BYTES) return await this.#wait(bytes, part, signal);
    this.#resize?.(bytes);
    return await part();
  }

  async #wait<T>(bytes: number, work: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
    this.#note(true);
    const begin = (resize: Resize): Promise<T> => {
      this.#resize = resize;
      this.#note(false);
      return work();
    };
    try {
      return await this.#turns.take(this, bytes, begin, signal);
    } finally {
      this.#resize = null;
    }
  }

  #note(waits: boolean): void {
    this.#state = { waits, since_ms: this.#turns.now() };
  }
}
