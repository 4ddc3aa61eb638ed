/**
 * The facts of a thing that several sources see: what the leading one does not say, others may; one
 * value a fact, and those on which they disagree are listed (decisions, Attributes). What is free now
 * comes whole from one source, so that no sum has parts of two.
 */
import { FACTS, type Fact } from "#api/attributes.ts";
import { fold } from "#kit/names/fold.ts";
import { chargingOfAll } from "./charging-parts.ts";
import { ownNameOf } from "./place-naming.ts";
import type { Place } from "./place.ts";

/** The source whose observation it is, under whichever name it is published. */
export function observerOf({ observed_by, source_id }: Place): string {
  return observed_by ?? source_id;
}

/** The place that is shown: `place` leads, `others` follow in the order of their sources. */
export function withDetails(place: Place, others: readonly Place[]): Place {
  if (others.length === 0) return place;
  const all = [place, ...others];
  const match = all.find((each) => ownNameOf(each) !== null) ?? place;
  const located = all.find(({ address }) => address?.street !== undefined) ?? place;
  const attributes: Record<string, unknown> = {};
  for (const each of all.toReversed()) Object.assign(attributes, each.attributes);
  // "unknown" is no knowledge that could outrank another's.
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== "unknown") continue;
    const entry = others.map((each) => each.attributes[name]).find(isKnown);
    if (entry !== undefined) attributes[name] = entry;
  }
  Object.assign(attributes, liveFactsOf(all), creditsOf(all, attributes["attribution"]));
  const conflicts = listConflicts(all, attributes);
  const { name, names } = match;
  const { names: _, address: __, ...rest } = place;
  // The first that publishes hours decides, readable or not: the attribute is of the same one.
  const hours = all.find((each) => each.opening)?.opening;
  // A zone that one of them states is that of the thing.
  const time_zone = all.map((each) => each.opening?.time_zone).find(Boolean);
  const opening = hours && { ...hours, ...(time_zone !== undefined && { time_zone }) };
  return {
    ...rest,
    name,
    ...(names ? { names } : {}),
    ...(located.address ? { address: located.address } : {}),
    ...(opening ? { opening } : {}),
    attributes: {
      ...attributes,
      sources: all.map((each) => ({
        source_id: observerOf(each),
        external_id: each.external_id,
      })),
      ...(conflicts.length > 0 ? { conflicts } : {}),
    },
    keys: [...new Set(all.flatMap(({ keys }) => keys))],
  };
}

type Attributes = Record<string, unknown>;

/** Of car parks the last state that one of them has, of chargers the points of the one that knows most. */
function liveFactsOf(all: readonly Place[]): Attributes {
  switch (all[0]!.kind) {
    case "parking":
      return { ...availabilityOf(all) };
    case "charging":
      return { ...chargingOfAll(all, observerOf) };
    default:
      return {};
  }
}

/** The record as its source has it; of two that are as old the leading one's. */
function availabilityOf(all: readonly Place[]): { availability?: unknown } {
  let [last, last_ms] = [undefined as unknown, Number.NEGATIVE_INFINITY];
  for (const { attributes } of all) {
    const availability = attributes["availability"] as { observed_at?: string } | undefined;
    if (availability === undefined) continue;
    const at_ms = Date.parse(availability.observed_at ?? "") || 0;
    if (at_ms > last_ms) [last, last_ms] = [availability, at_ms];
  }
  return last === undefined ? {} : { availability: last };
}

/** What all of them oblige us to show, in addition to the attribution that is shown. */
function creditsOf(all: readonly Place[], shown: unknown): { attributions?: unknown[] } {
  const credits = new Map<string, unknown>();
  for (const { attributes } of all) {
    const { attribution, attributions } = attributes;
    for (const credit of Array.isArray(attributions) ? attributions : [])
      credits.set(JSON.stringify(credit), credit);
    if (attribution != null) credits.set(JSON.stringify(attribution), attribution);
  }
  credits.delete(JSON.stringify(shown));
  return credits.size > 0 ? { attributions: [...credits.values()] } : {};
}

function isKnown(value: unknown): boolean {
  return value !== undefined && value !== "unknown";
}

const COMPARED = FACTS.flatMap((fact: Fact) => (fact.compared ? [fact.name] : []));

/** Facts of which the sources have several values: all of them, each once, the one shown first. */
function listConflicts(all: readonly Place[], listed: Readonly<Attributes>) {
  return COMPARED.flatMap((name) => {
    const values = new Map<string, { source_id: string; value: unknown }>();
    for (const each of all) {
      const value = each.attributes[name];
      const key = comparable(value);
      if (isKnown(value) && !values.has(key))
        values.set(key, { source_id: observerOf(each), value });
    }
    if (values.size < 2) return [];
    const isShown = ({ value }: { value: unknown }): boolean => value === listed[name];
    const [first, rest] = [[...values.values()].filter(isShown), [...values.values()]];
    return [{ name, values: [...first, ...rest.filter((each) => !isShown(each))] }];
  });
}

/** Spelling is no disagreement. */
function comparable(value: unknown): string {
  return typeof value === "string" ? fold(value).replaceAll(/\s/g, "") : String(value);
}
