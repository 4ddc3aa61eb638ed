/** What an answer of ask_here says for certain, and what would end it (docs/agents.md, Watching an answer). */
import { parseRfc3339 } from "#kit/time.ts";
import type { Needs, Wish } from "#core/wishes/read-wish.ts";
import type { Claim } from "../kept-answers.ts";
import type { AnswerOf } from "../tool.ts";
import type { Candidate } from "./ask-found.ts";
import type { Chosen } from "./ask-pairs.ts";
import { knownOf } from "./ask-shown.ts";

/** A free plug is reported by sources that are not read again for a watch: it is unknown after that. */
const PLUG_MS = 300_000;

type Shown = { chosen: readonly Chosen[]; answer: AnswerOf<"ask_here">; now_ms: number };

/** One for each wish whose known answer is shown, in the order of the wishes. */
export function listClaims(
  { wishes, needs }: { wishes: readonly Wish[]; needs: Needs },
  { chosen, answer, now_ms }: Shown,
): Claim[] {
  return wishes.flatMap((wish, index): Claim[] => {
    const candidate = knownOf(chosen[index]!);
    if (candidate === null || answer.answers[index]?.known === undefined) return [];
    const { id, location, sources } = candidate;
    // What is read again in the background is judged by that, not by the time of the next reading.
    const isRead = wish.kind.family === "mobility";
    return [
      {
        wish: wish.text,
        candidate: { id, location, sources },
        question: isRead ? { wish, needs } : null,
        ends: isRead ? null : endOf(wish, candidate, now_ms),
      },
    ];
  });
}

function endOf(wish: Wish, { true_until }: Candidate, now_ms: number): Claim["ends"] {
  const until_ms = true_until === null ? null : parseRfc3339(true_until);
  const why = wish.kind.family === "transit" ? "departed" : "closed";
  const end = until_ms === null ? null : ({ at_ms: until_ms, why } as const);
  if (!wish.options.has("free")) return end;
  const plug = { at_ms: now_ms + PLUG_MS, why: "unknown" } as const;
  return end !== null && end.at_ms <= plug.at_ms ? end : plug;
}
