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
import { distance_m } from "#kit/geo.ts";
import { fold, nameWords } from "#kit/names/fold.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import { cleanText } from "#kit/text/clean.ts";
import { cutText } from "#kit/text/cut.ts";
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
    const chosen = choose({ text, argument }, reply.body.results);
    return "code" in chosen ? { ok: false, ...chosen } : { ok: true, ...chosen };
  };
}

/** Looks the name of a call up, in the language and country of its arguments where it has these. */
export function createFindNear(lookUp: LookUp): FindNear {
  return async ({ args, text }, passage) => {
    if (text === null) return { ok: true, args, near: null };
    const match = await lookUp({ text, argument: "near" }, args, passage);
    if (!match.ok) return match;
    const { label, lat, lon } = match;
    return { ok: true, args: { ...args, lat, lon }, near: { label, lat, lon } };
  };
}

type Candidate = ReplyAt<"/v1/geocode">["results"][number];

/** The one place that the text means, or why there is none. */
function choose(input: NearText, results: readonly Candidate[]): Near | ToolFailure {
  const { text } = input;
  if (results.length === 0) return nothing(text);
  const whole = results.filter((candidate) => hasAllWords(candidate, text));
  const names = whole.filter(({ name }) => isNamed(name, text));
  const left = names.length > 0 ? names : whole;
  const [first, ...others] = left;
  const isOne = first !== undefined && others.every((other) => isSame(first, other));
  return isOne ? toNear(first) : ambiguous(input, left.length > 0 ? left : results);
}

/** Every word begins a word of its label or address: what it leaves out may be the point of it. */
function hasAllWords({ name, label, address }: Candidate, text: string): boolean {
  const texts = [name, label, ...Object.values(address)].flatMap((each) => each ?? []);
  const words = nameWords(fold(texts.join(" ")));
  return nameWords(fold(text)).every((word) => words.some((each) => each.startsWith(word)));
}

/** The whole text, or what precedes its first comma. */
function isNamed(name: string, text: string): boolean {
  const [head = ""] = text.split(",");
  const plain = toPlain(name);
  return plain === toPlain(text) || plain === toPlain(head);
}

function toPlain(text: string): string {
  return nameWords(fold(text)).join(" ");
}

/** Objects of one place, such as the parts of a station: a search around either is the same. */
const SAME_PLACE_M = 150;

function isSame({ location: a }: Candidate, { location: b }: Candidate): boolean {
  return distance_m(a.lat, a.lon, b.lat, b.lon) <= SAME_PLACE_M;
}

/** A tenth of a metre; the question is asked with the point that is stated. */
const PLACES = 1e6;

function toNear({ label, location }: Candidate): Near {
  const round = (degrees: number): number => Math.round(degrees * PLACES) / PLACES;
  return {
    label: cutText(label, SHOWN.name_max),
    lat: round(location.lat),
    lon: round(location.lon),
  };
}

function nothing(text: string): ToolFailure {
  const message = `the geocoder knows no place "${cleanText(text)}"; nothing was searched. Try another spelling, an address with its city, or lat and lon`;
  return { code: "place_not_found", message };
}

function ambiguous({ text, argument }: NearText, results: readonly Candidate[]): ToolFailure {
  const candidates = results.map((each) => ({ ...toNear(each), kind: each.type }));
  const message = `"${cleanText(text)}" is not certain to be one place; nothing was searched. Choose one of candidates and call again with its "lat,lon" as ${argument}, or name the city and country too`;
  return { code: "ambiguous_place", message, candidates };
}

/** What came of it, with the match that it is about. */
export function stateNear(outcome: ToolOutcome, near: Near | null): ToolOutcome {
  if (near === null) return outcome;
  if (outcome.kind === "refused") return { ...outcome, near };
  return { ...outcome, answer: { near, ...outcome.answer } };
}
