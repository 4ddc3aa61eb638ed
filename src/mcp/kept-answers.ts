/** Answers of ask_here that their callers can read again, or watch: an hour, within bounds. */
import { type Caller, streamOwnerOf } from "#app/access/request-caller.ts";
import { ANSWER_RESOURCE } from "#api/agent-tools.ts";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { SharedBound } from "#core/limits/shared-bound.ts";
import { encodeBase32 } from "#kit/base32.ts";
import type { Candidate, Question } from "./tools/ask-found.ts";
import type { AnswerOf } from "./tool.ts";

/** The chosen result of a wish that was known to fit, and what would end it. */
export type Claim = {
  wish: string;
  candidate: Pick<Candidate, "id" | "location" | "sources">;
  /** Of shared mobility: it is judged by this question; null: nothing of it is looked at again. */
  question: Pick<Question, "wish" | "needs"> | null;
  /** When it is not so any more, whatever is read, epoch ms; null: no time is known. */
  ends: { at_ms: number; why: "closed" | "departed" | "unknown" } | null;
};

export type KeptAnswer = {
  uri: string;
  answer: AnswerOf<"ask_here">;
  claims: readonly Claim[];
  made_ms: number;
  kept_until_ms: number;
};

type Made = Pick<KeptAnswer, "answer" | "claims">;
type Entry = KeptAnswer & { owner: string };

const KEPT_MS = 3_600_000;
/** Of one caller; the oldest of more goes. */
const OWNER_MAX = 16;
/** Of the name of an answer: no caller finds one of an hour by guesses. */
const RANDOM_BYTES = 10;

const [BEFORE_ID = ""] = ANSWER_RESOURCE.split("{id}");

export class KeptAnswers {
  readonly #random: (size: number) => Uint8Array;
  /** By address, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** Those of each caller, the oldest first. */
  readonly #owned = new Map<string, Set<Entry>>();
  readonly #places: SharedBound<Entry>;

  constructor(random: (size: number) => Uint8Array, most: number = BOUNDS_OF_ALL.answers.most) {
    this.#random = random;
    const bound = { ...BOUNDS_OF_ALL.answers, most };
    this.#places = new SharedBound<Entry>(bound, (entry) => this.#drop(entry));
  }

  get count(): number {
    return this.#entries.size;
  }

  /**
   * Keeps the answer that `finish` makes with its address, and returns it; one that has no room for the
   * address is not kept. null: there is no room for the answer.
   */
  keep(caller: Caller, now_ms: number, finish: (uri: string) => Made): AnswerOf<"ask_here"> | null {
    this.#dropExpired(now_ms);
    const { own: owner, block } = streamOwnerOf(caller);
    const uri = BEFORE_ID + encodeBase32(this.#random(RANDOM_BYTES));
    const made = finish(uri);
    if (made.answer.resource === undefined) return made.answer;
    const kept_until_ms = now_ms + KEPT_MS;
    const entry: Entry = { ...made, uri, made_ms: now_ms, kept_until_ms, owner };
    const [oldest, ...others] = this.#owned.get(owner) ?? [];
    if (oldest !== undefined && others.length + 1 >= OWNER_MAX) this.#drop(oldest);
    if (!this.#places.hasRoom(block)) return null;
    this.#places.take(entry, block);
    this.#entries.set(uri, entry);
    const owned = this.#owned.get(owner);
    if (owned) owned.add(entry);
    else this.#owned.set(owner, new Set([entry]));
    return entry.answer;
  }

  /** null: there is none at this address for this caller (any more). */
  find(uri: string, caller: Caller, now_ms: number): KeptAnswer | null {
    const entry = this.#entries.get(uri);
    if (entry === undefined || entry.owner !== streamOwnerOf(caller).own) return null;
    return now_ms < entry.kept_until_ms ? entry : null;
  }

  /** Answers are kept equally long: the oldest expire first. */
  #dropExpired(now_ms: number): void {
    for (const entry of this.#entries.values()) {
      if (now_ms < entry.kept_until_ms) return;
      this.#drop(entry);
    }
  }

  #drop(entry: Entry): void {
    this.#places.leave(entry);
    this.#entries.delete(entry.uri);
    const owned = this.#owned.get(entry.owner);
    owned?.delete(entry);
    if (owned?.size === 0) this.#owned.delete(entry.owner);
  }
}

/** Reports whether a URI has the form of the address of an answer. */
export function isAnswerUri(uri: string): boolean {
  return uri.startsWith(BEFORE_ID);
}
