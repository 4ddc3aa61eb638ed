/**
 * One search over the pages of a base. The pages are walked side by side, some metres at a time; what
 * reaches a gate is handed to the pages that share it. So each vertex is final once all pages have
 * walked so far, as in one graph.
 */
import { BUCKET } from "./bucket-queue.ts";
import { MOST_LOOKS, SearchMemories } from "./search-memory.ts";
import type { Snap } from "./snap.ts";
import { mayJoin, mayLead, type Walk, walkTo } from "./walk-ends.ts";
import type { WalkGraph } from "./walk-graph.ts";
import { ELSEWHERE, type Profile } from "./walk-layout.ts";
import { WalkSearch } from "./walk-search.ts";

/** A point on an edge of a page, which is known by its number. */
export type Placed = { page: number; at: Snap };
/** A vertex of a page. */
export type Place = { page: number; vertex: number };

type Wish = { most_cm: number; profile: Profile };

/** Buckets that a page walks through before the next one does: 20 m. */
const TURN = 32;

export class PagedSearch {
  readonly pages: readonly WalkSearch[];
  readonly #most_looks: number;
  #searched_cm = 0;
  #profile: Profile = "foot";

  constructor(
    graphs: readonly WalkGraph[],
    { most_looks = MOST_LOOKS, memories = new SearchMemories(most_looks) } = {},
  ) {
    this.#most_looks = most_looks;
    this.pages = graphs.map((graph, i) => new WalkSearch(graph, most_looks, memories.at(i)));
  }

  /** As of WalkSearch, over all pages. */
  find(from: Placed, targets: readonly (Placed | null)[], wish: Wish): (Walk | null)[] {
    const [only] = this.pages;
    if (this.pages.length === 1) {
      const walks = only!.find(
        from.at,
        targets.map((target) => target && target.at),
        wish,
      );
      this.#profile = wish.profile;
      this.#searched_cm = only!.searched_cm;
      return walks;
    }
    const { profile } = wish;
    const joined = targets.map((target) =>
      target !== null && this.#mayJoin(from, target, profile) ? target : null,
    );
    this.#begin(wish);
    for (const target of joined)
      if (target !== null)
        for (const vertex of [target.at.from, target.at.to]) {
          const { page, vertex: home } = this.homeOf({ page: target.page, vertex });
          this.pages[page]!.addGoal(home);
        }
    this.#walk(from, () => this.pages.some(({ goals }) => goals > 0));
    return joined.map(
      (target) =>
        target &&
        walkTo(this.pages[target.page]!, from.page === target.page ? from.at : null, target.at),
    );
  }

  reach(from: Placed, wish: Wish): void {
    if (this.pages.length === 1) {
      this.pages[0]!.reach(from.at, wish);
      this.#searched_cm = this.pages[0]!.searched_cm;
      return;
    }
    this.#begin(wish);
    this.#walk(from, () => true);
  }

  /** Centimetres within which the newest search has found all, in all pages. */
  get searched_cm(): number {
    return this.#searched_cm;
  }

  get profile(): Profile {
    return this.#profile;
  }

  /** A vertex in the page in whose cell it lies; itself: it does, or that page is not there. */
  homeOf(place: Place): Place {
    const { graph } = this.pages[place.page]!;
    if ((graph.columns.marks[place.vertex]! & ELSEWHERE) === 0) return place;
    for (const key of graph.gates.keysOf(place.vertex))
      for (const [page, { graph: other }] of this.pages.entries()) {
        const vertex = other.gates.inside.get(key);
        if (vertex !== undefined) return { page, vertex };
      }
    return place;
  }

  /** A vertex in all pages that have it, the one first in whose cell it lies. */
  listPlaces(home: Place): Place[] {
    const { gates } = this.pages[home.page]!.graph;
    const others = gates.keysOf(home.vertex).flatMap((key) =>
      this.pages.flatMap(({ graph }, page) => {
        const vertex = graph.gates.elsewhere.get(key);
        return vertex === undefined ? [] : [{ page, vertex }];
      }),
    );
    return [home, ...others];
  }

  #mayJoin(from: Placed, target: Placed, profile: Profile): boolean {
    const [one, other] = [this.pages[from.page]!.graph, this.pages[target.page]!.graph];
    const ends = [from.at, target.at] as const;
    if (from.page === target.page) return mayJoin(one, ends, profile);
    return mayLead([one, other], ends, profile);
  }

  #begin(wish: Wish): void {
    const looks = { left: this.#most_looks, entries: 0 };
    this.#profile = wish.profile;
    for (const page of this.pages) {
      page.begin(wish, looks);
      page.beEndless();
    }
    this.#searched_cm = this.pages[0]!.searched_cm;
  }

  #walk(from: Placed, isLeft: () => boolean): void {
    this.pages[from.page]!.start(from.at);
    const last = this.pages[0]!.lastBucket;
    for (let first = 0; first <= last && isLeft(); first += TURN)
      if (!this.#turn(first, Math.min(last, first + TURN - 1))) {
        this.#searched_cm = first * BUCKET - 1;
        for (const page of this.pages) page.endAt(this.#searched_cm);
        return;
      }
  }

  /** Walks through these buckets in all pages; false: the last look was made. */
  #turn(first: number, until: number): boolean {
    const due = new Set(this.pages.filter(({ isTouched }) => isTouched));
    while (due.size > 0)
      for (const page of due) {
        due.delete(page);
        if (page.run(first, until) !== null || !this.#handOver(page)) return false;
        for (const other of this.pages) if (other.handedFrom <= until) due.add(other);
      }
    return true;
  }

  /** Hands what a page has come to on to those that share it; false: the last look was made. */
  #handOver(from: WalkSearch): boolean {
    const page = this.pages.indexOf(from);
    for (const vertex of from.takePassed()) {
      const cost = from.costOf(vertex);
      if (cost === null) continue;
      const reached = { cost, steps: from.stepsTo(vertex) };
      const home = this.homeOf({ page, vertex });
      if (home.page !== page) this.pages[home.page]!.arrive(home.vertex, reached);
      else
        for (const other of this.listPlaces(home).slice(1))
          this.pages[other.page]!.leave(other.vertex, reached, from.leftWith(vertex));
    }
    return from.hasLooks;
  }
}
