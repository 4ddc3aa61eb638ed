/** Closure alerts (mobility.md 1.9, R7) of a shard, for the hot path: which stations are closed now. */
import { type Alerts, CLOSES, findWindow } from "#stations/shard/shard-alerts.ts";
import type { Shard } from "#stations/shard/shard.ts";

/** Returns the closures of a shard; null when no alert of it closes anything, at any time. */
export function closuresOf(shard: Shard): Closures | null {
  const alerts = shard.alerts?.data;
  return alerts?.has_closures ? new Closures(alerts, shard.statics.count) : null;
}

/**
 * Closed stations, which change only where a window begins or ends: between two such moments the
 * windows are not looked at again, however many alerts name a station.
 */
export class Closures {
  readonly #alerts: Alerts;
  readonly #rows: Uint8Array;
  #system = false;
  /** What is known holds from here, until there. */
  #from_s = Infinity;
  #until_s = -Infinity;

  constructor(alerts: Alerts, stations: number) {
    this.#alerts = alerts;
    this.#rows = new Uint8Array(stations);
  }

  isSystemClosed(now_s: number): boolean {
    this.#moveTo(now_s);
    return this.#system;
  }

  /** By an alert that names the station; one that closes the system names none. */
  isStationClosed(row: number, now_s: number): boolean {
    this.#moveTo(now_s);
    return this.#rows[row] === 1;
  }

  #moveTo(now_s: number): void {
    if (this.#from_s <= now_s && now_s < this.#until_s) return;
    const { count, closes, rows, rows_at } = this.#alerts;
    this.#system = false;
    this.#rows.fill(0);
    this.#setSpan(now_s);
    for (let i = 0; i < count; i++) {
      if (closes[i] === CLOSES.nothing || findWindow(this.#alerts, i, now_s) === null) continue;
      if (closes[i] === CLOSES.system) this.#system = true;
      // Row -1, an unknown station, is no element of the array.
      for (let at = rows_at[i]!; at < rows_at[i + 1]!; at++) this.#rows[rows[at]!] = 1;
    }
  }

  /** From the last beginning or end of a window before `now_s` to the next one. */
  #setSpan(now_s: number): void {
    this.#from_s = -Infinity;
    this.#until_s = Infinity;
    for (const moments of [this.#alerts.starts_s, this.#alerts.ends_s])
      for (const moment_s of moments) {
        if (moment_s <= now_s) this.#from_s = Math.max(this.#from_s, moment_s);
        else this.#until_s = Math.min(this.#until_s, moment_s);
      }
  }
}
