/** States of the live half of a register by the ids of its static half, of one reading. */
import type { DatedState } from "#core/places/live-facts.ts";
import type { LiveState } from "#core/places/live-state.ts";
import type { SetBuilder } from "#upstream/registry-set.ts";

/** Clocks differ; a time beyond this is wrong, and what is dated by it may be of any age. */
const FUTURE_S = 300;

export class LiveStates {
  readonly #states = new Map<string, LiveState>();
  #read_at_ms = 0;
  #unknown_sites = 0;

  get count(): number {
    return this.#states.size;
  }

  /** States of sites that the static half does not have, which are left out. */
  get unknown_sites(): number {
    return this.#unknown_sites;
  }

  /** When the source last said that these are its states, epoch ms. */
  get read_at_ms(): number {
    return this.#read_at_ms;
  }

  /** They are what the source has now, too. */
  confirm(at_ms: number): void {
    this.#read_at_ms = at_ms;
  }

  /** Takes the rows of one reading; `isSite`: the static half has a place that looks for this id. */
  builder(
    now_s: number,
    isSite: (id: string) => boolean,
    finish: (at_ms: number) => void,
  ): SetBuilder<LiveState> {
    return {
      add: (state) => this.#add(state, now_s, isSite),
      finish: (at_ms) => {
        this.#read_at_ms = at_ms;
        finish(at_ms);
      },
    };
  }

  /** null: it is not known, or was observed longer ago than `max_age_ms`. */
  find(id: string, now_ms: number, max_age_ms: number): DatedState | null {
    const state = this.#states.get(id);
    if (!state) return null;
    const read_s = Math.floor(this.#read_at_ms / 1_000);
    const observed_s = Math.min(state.observed_s ?? read_s, read_s);
    return now_ms - observed_s * 1_000 <= max_age_ms ? { state, observed_s } : null;
  }

  /** Of doubled ids the one that was observed last stays. */
  #add(state: LiveState, now_s: number, isSite: (id: string) => boolean): true | string {
    if (state.observed_s !== null && state.observed_s > now_s + FUTURE_S)
      return "observed_in_future";
    if (!isSite(state.id)) {
      this.#unknown_sites++;
      return "site_unknown";
    }
    const known = this.#states.get(state.id);
    if (known && (known.observed_s ?? now_s) >= (state.observed_s ?? now_s)) return "id_duplicate";
    this.#states.set(state.id, state);
    return known ? "id_duplicate" : true;
  }
}
