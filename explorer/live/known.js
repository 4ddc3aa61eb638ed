/** What a stream has said so far: things by id, sources by id. Pure. */

/**
 * As the service sends them (LiveItem and LiveSource in the description of the API).
 * @typedef {{ id: string, kind: "station" | "vehicle", location: { lat: number, lon: number }, modes: string[],
 *   network_id: string, name?: string, state: string, pickup: string, return?: string, vehicles?: number | null,
 *   docks?: number | null, capacity?: number | null, battery?: number | null, form_factor?: string | null }} LiveItem
 * @typedef {{ source_id: string, network: { id: string, name: string } | null, color: string | null,
 *   state: "fresh" | "old" | "lost" | "waiting", as_of: string | null }} LiveSource
 * @typedef {{ items: LiveItem[], sources: LiveSource[], at: string }} Snapshot
 * @typedef {{ entered: LiveItem[], changed: LiveItem[], left: { id: string, reason: string }[], sources?: LiveSource[], at: string }} Delta
 */

export class Known {
  /** @type {Map<string, LiveItem>} */
  items = new Map();
  /** @type {Map<string, LiveSource>} */
  sources = new Map();
  /** By how much the clock of this device is ahead of the service's, ms; null: not known yet. @type {number | null} */
  #ahead_ms = null;

  /** @param {Snapshot} snapshot @param {number} now_ms */
  begin({ items, sources, at }, now_ms) {
    this.items = new Map(items.map((item) => [item.id, item]));
    this.sources = new Map(sources.map((source) => [source.source_id, source]));
    this.#setClock(at, now_ms);
  }

  /** @param {Delta} delta @param {number} now_ms */
  change({ entered, changed, left, sources = [], at }, now_ms) {
    for (const { id } of left) this.items.delete(id);
    for (const item of [...entered, ...changed]) this.items.set(item.id, item);
    this.report({ sources, at }, now_ms);
  }

  /** Sources whose age has changed. @param {{ sources: LiveSource[], at: string }} status @param {number} now_ms */
  report({ sources, at }, now_ms) {
    for (const source of sources) this.sources.set(source.source_id, source);
    this.#setClock(at, now_ms);
  }

  /** Seconds since a time of the service, by its own clock; null: there is no time. @param {string | null} time @param {number} now_ms */
  ageOf(time, now_ms) {
    const at_ms = time === null ? Number.NaN : Date.parse(time);
    if (Number.isNaN(at_ms)) return null;
    return Math.max(0, (now_ms - (this.#ahead_ms ?? 0) - at_ms) / 1_000);
  }

  /** The event that was least long on its way knows best. @param {string} at @param {number} now_ms */
  #setClock(at, now_ms) {
    const ahead_ms = now_ms - Date.parse(at);
    if (Number.isNaN(ahead_ms)) return;
    this.#ahead_ms = Math.min(ahead_ms, this.#ahead_ms ?? ahead_ms);
  }
}
