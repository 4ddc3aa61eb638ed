/**
 * `near`: a place by its name, its address or `lat,lon`, in place of the arguments lat and lon
 * (docs/agents.md). A name is used only where it means one place; otherwise the model chooses.
 */
import type { Passage, Refusal } from "#app/access/request-caller.ts";
import type { Geocoding } from "#app/places/geocoding.ts";
import { SHOWN } from "#api/agent-results.ts";
import type { AgentTool } from "#api/agent-tools.ts";
import { LIMITS } from "#api/limits.ts";
import { findOperation, type ReplyAt } from "#api/operations.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import { cleanText } from "#kit/text/clean.ts";
import { cutText } from "#kit/text/cut.ts";
import { chooseNear, type NearCandidate } from "./near-choice.ts";
import {
  type ToolFailure,
  type Near,
  type ToolTimes,
  toToolCall,
  type ToolOutcome,
} from "./tool.ts";

type Args = Readonly<Record<string, unknown>>;
type Point = { lat: number; lon: number };
/** `text`: what is to be looked up; null: `args` have their point, or need none. */
export type ReadPlace = { ok: true; args: Args; text: string | null } | ({ ok: false } & Refusal);

/** Reads the point of a tool's arguments: exactly one of the two forms, or none where it is optional. */
export function readPlace(input: Args, need?: AgentTool["point"]): ReadPlace {
  if (!("near" in input)) return { ok: true, args: input, text: null };
  const { near, ...args } = input;
  const missing = (["lat", "lon"] as const).filter((name) => args[name] === undefined);
  if (typeof near !== "string") {
    if (missing.length === 0 || (missing.length === 2 && need === "optional"))
      return { ok: true, args, text: null };
    return refuse(missing.length === 2 ? ONE_FORM : `arguments.${missing[0]} is required, ${PAIR}`);
  }
  if (missing.length < 2) return refuse(ONE_FORM);
  const point = readPoint(near);
  if (point === null) return { ok: true, args, text: near };
  return isOnEarth(point)
    ? { ok: true, args: { ...args, ...point }, text: null }
    : refuseRange("near");
}

/** Reads `lat,lon`, in any range; null: the text is a name. */
export function readPoint(text: string): Point | null {
  const pair = COORDINATES.exec(text);
  return pair && { lat: Number(pair[1]), lon: Number(pair[2]) };
}

const PAIR = "together with the other one, or near in place of both";
const ONE_FORM = "arguments must have near, or lat and lon, and not both";
const COORDINATES = /^(-?\d{1,3}(?:\.\d{1,20})?) ?, ?(-?\d{1,3}(?:\.\d{1,20})?)$/;

export function isOnEarth({ lat, lon }: Point): boolean {
  const isWithin = (value: number, { min, max }: { min: number; max: number }): boolean =>
    value >= min && value <= max;
  return isWithin(lat, LIMITS.lat) && isWithin(lon, LIMITS.lon);
}

function refuse(message: string): { ok: false } & Refusal {
  return { ok: false, code: "invalid_request", message };
}

/** Refuses a point that is not on Earth; `argument`: as a call names it. */
export function refuseRange(argument: string): { ok: false } & Refusal {
  return refuse(
    `arguments.${argument} must be lat,lon from -90 to 90 and from -180 to 180, or a name`,
  );
}

type Placed = { ok: true; args: Args; near: Near | null } | ({ ok: false } & ToolFailure);
export type FindNear = (
  place: Extract<ReadPlace, { ok: true }>,
  passage: Passage,
) => Promise<Placed>;

const GEOCODE = findOperation("geocode");

/** Geocoding's scope alone: a call looks at its quota once, for the operation of its tool. */
export async function permitNear(
  { text }: { text: string | null },
  passage: Passage,
): Promise<Refusal | null> {
  return text === null ? null : await passage.permit(GEOCODE, true);
}

/** A text of a call, and the argument that it is. */
type NearText = { text: string; argument: string };

/** Looks one name up; the preferences are those of the call. */
export type LookUp = (
  match: NearText,
  preferences: { language?: string; country?: string },
  passage: Passage,
) => Promise<({ ok: true } & Near) | ({ ok: false } & ToolFailure)>;

/**
 * What the geocoder answers costs what geocoding costs, also where it knows none or several; one
 * that fails costs nothing.
 */
export function createLookUp(deps: ToolTimes & Pick<Geocoding, "geocode">): LookUp {
  return async ({ text, argument }, { language, country }, passage) => {
    const { caller, ...query } = toToolCall(GEOCODE, passage, deps);
    const question = { q: text, language, country };
    const reply = await deps.geocode({ ...query, question, keyed: caller.kind === "keyed" });
    if (reply.kind === "failed") {
      const { code, message, retry_after_s } = reply;
      return { ok: false, code, message, retry_after_s };
    }
    const unrecorded = await passage.charge(GEOCODE, ONE_ANSWER);
    if (unrecorded) return { ok: false, ...unrecorded };
    const chosen = choose({ text, argument }, reply.body);
    return "code" in chosen ? { ok: false, ...chosen } : { ok: true, ...chosen };
  };
}

/** Looks the name of a call up, in the language and country of its arguments where it has these. */
export function createFindNear(lookUp: LookUp): FindNear {
  return async ({ args, text }, passage) => {
    if (text === null) return { ok: true, args, near: null };
    const match = await lookUp({ text, argument: "near" }, args, passage);
    if (!match.ok) return match;
    const { label, kind, lat, lon } = match;
    return { ok: true, args: { ...args, lat, lon }, near: { label, kind, lat, lon } };
  };
}

/** The one place that the text means, or why there is none. */
function choose(input: NearText, { results, meta }: ReplyAt<"/v1/geocode">): Near | ToolFailure {
  const { text } = input;
  if (results.length === 0) return nothing(text);
  const isWhole = meta.status !== "partial" && meta.notices === undefined;
  const choice = chooseNear(text, results, isWhole);
  return choice.chosen ? toNear(choice.chosen) : ambiguous(input, choice.candidates);
}

/** A tenth of a metre; the question is asked with the point that is stated. */
const PLACES = 1e6;

function toNear({ label, location, type }: NearCandidate): Near {
  const round = (degrees: number): number => Math.round(degrees * PLACES) / PLACES;
  return {
    label: cutText(label, SHOWN.name_max),
    kind: type,
    lat: round(location.lat),
    lon: round(location.lon),
  };
}

function nothing(text: string): ToolFailure {
  const message = `the geocoder knows no place "${cleanText(text)}"; nothing was searched. Try another spelling, an address with its city, or lat and lon`;
  return { code: "place_not_found", message };
}

function ambiguous({ text, argument }: NearText, results: readonly NearCandidate[]): ToolFailure {
  const candidates = results.map(toNear);
  const message = `"${cleanText(text)}" is not certain to be one place; nothing was searched. Choose one of candidates and call again with its "lat,lon" as ${argument}, or name the city and country too`;
  return { code: "ambiguous_place", message, candidates };
}

/** What came of it, with the match that it is about. */
export function stateNear(outcome: ToolOutcome, near: Near | null): ToolOutcome {
  if (near === null) return outcome;
  if (outcome.kind === "refused") return { ...outcome, near };
  return { ...outcome, answer: { near, ...outcome.answer } };
}
