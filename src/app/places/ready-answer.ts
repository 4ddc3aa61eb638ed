/**
 * Answers to plain questions for places of which all is in memory, without a wait and as text: the
 * steps are those of place-search.ts, and so is what they say. What has to be asked, walked, filtered
 * or explained, and what may take long, is left to the search, which has turns.
 */
import { toEnd } from "#kit/steps.ts";
import { selectPlaces } from "#core/places/select.ts";
import type { OpenItem } from "#core/places/place-results.ts";
import { clamp, type ReadyReply, type SearchInput } from "../search-reply.ts";
import type { OpenStates } from "./open-states.ts";
import { toPlainPage } from "./place-page.ts";
import type { Finding } from "./place-finder.ts";
import { readWalkWish } from "../walk/walking.ts";
import { isFiltered } from "./place-wishes.ts";
import {
  listInstead,
  type PlacesQuestion,
  toAnswer,
  type ToOwn,
  type Tools,
  toSelecting,
  toWanted,
} from "./place-answer.ts";
import { type PlaceTexts, toBinary } from "./place-texts.ts";

/** Places that one answer counts without a pause, and texts that it makes. */
const MOST_HITS = 1_000;
const MOST_WRITTEN = 8;

/** null: the search has to be asked. */
export function answerAtOnce<O extends object>(
  tools: Tools,
  input: SearchInput<PlacesQuestion>,
  limits: { radius_max: number; limit_max: number },
  toOwn: ToOwn<O>,
): ReadyReply | null {
  const { question, now_ms } = input;
  const { countries } = tools.known;
  const moment = { at_ms: now_ms, is_now: true };
  const states = tools.openStates.atOnce?.(moment) ?? null;
  if (countries === null || states === null || !isPlain(question)) return null;
  const applied = clamp(question, limits);
  const wanted = toWanted(tools, input, { applied, signal: input.signal, countries });
  const { query, finders } = wanted;
  const findings: Finding[] = [];
  let hits = 0;
  for (const finder of finders) {
    const finding = finder.findAtOnce?.(query) ?? null;
    if (finding === null || (hits += finding.places.length) > MOST_HITS) return null;
    findings.push(finding);
  }
  if (listInstead(tools.finders, query, findings).length > 0) return null;
  const selecting = toSelecting(tools, question, { applied, states, query });
  const selection = toEnd(
    selectPlaces(
      findings.map(({ places }) => places),
      selecting,
    ),
  );
  const page = toPlainPage(selection, { selecting, limit_max: limits.limit_max });
  const texts = writeItems(page.items, states, tools.texts);
  if (texts === null) return null;
  tools.noteServices?.(page.items);
  const answer = { question, applied, limits, wanted, findings, page, now_ms, moment, states };
  const { body, ...reply } = toAnswer(tools, answer, toOwn(page, []));
  return { ...reply, bytes: join(JSON.stringify(body), texts) };
}

/** Whether nothing is wished for but what is near. */
function isPlain(question: PlacesQuestion): boolean {
  return !question.debug && readWalkWish(question) === null && !isFiltered(question);
}

/** null: too many of them would have to be made; some were, so that fewer have to be next time. */
function writeItems(
  items: readonly OpenItem[],
  states: OpenStates,
  texts: PlaceTexts,
): string[] | null {
  const all: string[] = [];
  let written = 0;
  for (const item of items) {
    const known = texts.find(item, states);
    if (known === null && ++written > MOST_WRITTEN) return null;
    all.push(known ?? texts.write(item, states));
  }
  return all;
}

const NO_RESULTS = '"results":[]}';

/** The body with its results (`toBinary`), which are its last member. */
function join(body: string, results: readonly string[]): Uint8Array {
  if (!body.endsWith(NO_RESULTS)) throw new Error("results are the last member of a body");
  const text = `${toBinary(body.slice(0, -2))}${results.join(",")}]}`;
  return Buffer.from(text, "latin1");
}
