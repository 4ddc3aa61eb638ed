/** The scopes that a caller sees or saw a minute ago, by what they are made of and by where they are. */
import type { Box } from "#kit/geo.ts";
import { boxesTouch } from "#kit/geo.ts";
import type { LiveChange } from "./live-change.ts";
import { Grid } from "./live-grid.ts";
import { JOURNAL_MS } from "./live-journal.ts";
import { Scope, scopeKey } from "./live-scope.ts";
import type { LiveSystem } from "./live-systems.ts";
import type { LiveScope } from "./live-types.ts";

/** Scopes that no caller sees any more and that a caller may come back to. */
const IDLE_MAX = 6_000;

export class LiveScopes {
  readonly #scopes = new Map<string, Scope>();
  readonly #grid = new Grid<Scope>();
  readonly #of_systems = new Map<LiveSystem, Set<Scope>>();
  /** Those that no caller sees, the first of them first. */
  readonly #idle = new Set<Scope>();

  get count(): number {
    return this.#scopes.size;
  }

  list(): Iterable<Scope> {
    return this.#scopes.values();
  }

  find(wish: LiveScope): Scope | undefined {
    return this.#scopes.get(scopeKey(wish));
  }

  /** Lists those that a system may have things in. */
  listOf(system: LiveSystem): Iterable<Scope> {
    return this.#of_systems.get(system) ?? [];
  }

  /** Returns the scope, which is made where there is none; `systems`: those in its box. */
  take(wish: LiveScope, systems: () => Iterable<LiveSystem>): Scope {
    const key = scopeKey(wish);
    const found = this.#scopes.get(key);
    if (found) return found;
    const scope = new Scope(wish, key);
    this.#scopes.set(key, scope);
    this.#grid.add(scope.tiles, scope);
    for (const system of systems()) this.#join(scope, system);
    return scope;
  }

  /** To be called when a caller begins to see it, or the last one has left. */
  noteSeen(scope: Scope, now_ms: number): void {
    this.#idle.delete(scope);
    scope.idle_since_ms = scope.subscribers.size > 0 ? null : now_ms;
    if (scope.subscribers.size > 0) return;
    this.#idle.add(scope);
    const [oldest] = this.#idle;
    if (this.#idle.size > IDLE_MAX) this.#drop(oldest!);
  }

  /** Forgets what no caller can come back to. */
  dropIdle(now_ms: number): void {
    for (const scope of this.#idle) {
      if (now_ms - scope.idle_since_ms! <= JOURNAL_MS) return;
      this.#drop(scope);
    }
  }

  /** Adds a system to the scopes that a box touches; returns those that it is new to. */
  join(box: Box, toSystem: () => LiveSystem): Scope[] {
    const joined: Scope[] = [];
    for (const scope of this.#scopes.values())
      if (boxesTouch(scope.wish.box, box, 0) && this.#join(scope, toSystem())) joined.push(scope);
    return joined;
  }

  /** Reports a change to the scopes that see it, and adds them to `into`; false: none does. */
  report(change: LiveChange, into: Set<Scope>): boolean {
    let is_seen = false;
    const reportTo = (scope: Scope): void => {
      if (!scope.note(change)) return;
      into.add(scope);
      is_seen = true;
    };
    this.#grid.everywhere.forEach(reportTo);
    for (const tile of change.tiles) this.#grid.at(tile)?.forEach(reportTo);
    return is_seen;
  }

  #drop(scope: Scope): void {
    this.#idle.delete(scope);
    this.#scopes.delete(scope.key);
    this.#grid.remove(scope.tiles, scope);
    for (const system of scope.systems) {
      const scopes = this.#of_systems.get(system)!;
      scopes.delete(scope);
      system.scopes = scopes.size;
      if (scopes.size === 0) this.#of_systems.delete(system);
    }
  }

  /** false: it is in it. */
  #join(scope: Scope, system: LiveSystem): boolean {
    if (scope.systems.has(system)) return false;
    scope.systems.add(system);
    const scopes = this.#of_systems.get(system) ?? new Set();
    this.#of_systems.set(system, scopes.add(scope));
    system.scopes = scopes.size;
    return true;
  }
}
