/**
 * Arguments that are places by themselves (packages/api/agent-tools, `each`): each text is a name, an
 * address or `lat,lon`, as `near` is (docs/agents.md).
 */
import type { Passage, Refusal } from "#app/access/request-caller.ts";
import { isOnEarth, type LookUp, readPoint, refuseRange } from "./near-argument.ts";
import type { ToolFailure, Refused } from "./tool.ts";

type Args = Readonly<Record<string, unknown>>;

/** A place of a call. `label`: what a name was taken for; absent: it was given as coordinates. */
export type FoundPlace =
  | { ok: true; text: string; label?: string; lat: number; lon: number }
  | ({ ok: false; text: string } & ToolFailure);

type PlaceTexts = string | readonly string[];

export type EachPlace = {
  ok: true;
  args: Args;
  /** Names of the arguments, which are texts or lists of texts. */
  each: readonly string[];
  /** The first text that is to be looked up; null: none is. */
  text: string | null;
};

/** Reads the texts of the arguments `each`; a point that is not on Earth is refused by its name. */
export function readEachPlace(
  args: Args,
  each: readonly string[],
): EachPlace | ({ ok: false } & Refusal) {
  const names: string[] = [];
  for (const name of each)
    for (const { argument, text } of listTexts(name, args[name] as PlaceTexts)) {
      const point = readPoint(text);
      if (point && !isOnEarth(point)) return refuseRange(argument);
      if (!point) names.push(text);
    }
  return { ok: true, args, each, text: names[0] ?? null };
}

/** One text, and how a refusal names it. */
type Wanted = { argument: string; text: string };

function listTexts(name: string, input: PlaceTexts): Wanted[] {
  if (typeof input === "string") return [{ argument: name, text: input }];
  return input.map((text, index) => ({ argument: `${name}[${index}]`, text }));
}

/** Looks the names up at the same time; in `args` each text is then a `FoundPlace`. */
export async function findEachPlace(
  { args, each }: EachPlace,
  lookUp: LookUp,
  passage: Passage,
): Promise<{ ok: true; args: Args; near: null }> {
  const find = async ({ argument, text }: Wanted): Promise<FoundPlace> => {
    const point = readPoint(text);
    if (point) return { ok: true, text, ...point };
    const match = await lookUp({ text, argument }, args, passage);
    if (!match.ok) return { ...match, text, argument };
    const { label, lat, lon } = match;
    return { ok: true, text, label, lat, lon };
  };
  const matches = each.map(async (name) => {
    const input = args[name] as PlaceTexts;
    const places: FoundPlace[] = await Promise.all(listTexts(name, input).map(find));
    return [name, typeof input === "string" ? places[0] : places];
  });
  return {
    ok: true,
    args: { ...args, ...Object.fromEntries(await Promise.all(matches)) },
    near: null,
  };
}

/** Refuses a call of which no place can be used: what is wrong with each is said at once. */
export function refusePlaces(places: readonly FoundPlace[]): Refused {
  const [first, ...others] = places.flatMap((place) => (place.ok ? [] : [toFailure(place)]));
  const rest = others.length === 0 ? {} : { others };
  return { kind: "refused", charged: false, ...first!, ...rest };
}

/** What is wrong with a place, as a refusal. */
function toFailure(place: Extract<FoundPlace, { ok: false }>): ToolFailure {
  const { ok: _, text: __, ...failure } = place;
  return { ...failure, message: `${failure.argument}: ${failure.message}` };
}
