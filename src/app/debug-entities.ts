/** Each listed entity with what it was made of, and what was not merged into it (decisions, debug). */
import type { Reason } from "#core/identity/score.ts";
import { readText } from "#core/shard/bytes.ts";
import type { Part } from "#core/shard/shard.ts";
import { toRfc3339 } from "#core/time.ts";
import { caseOf, type Hits, hitId, isVehicle } from "#world/hits.ts";
import type { Case, Member } from "#world/identity/cases.ts";
import type { Page } from "#world/render.ts";

/** How the observation came into its entity; score null: it is the only one. */
type Joined = { merged: boolean; score: number | null; reasons: readonly string[] };
const ALONE: Joined = { merged: false, score: null, reasons: [] };

export function debugEntities(now_ms: number, hits: Hits, page: Page): unknown[] {
  const entities: unknown[] = [];
  for (let position = page.from; position < page.to; position++)
    entities.push(tellEntity(now_ms, hits, hits.order[position]!));
  return entities;
}

function tellEntity(now_ms: number, hits: Hits, hit: number): unknown {
  const id = hitId(hits, hit);
  const entry = hits.systems[hits.system[hit]!]!;
  const row = hits.row[hit]!;
  if (isVehicle(hits.state[hit]!)) {
    const { meta } = entry.shard!.statics;
    const { vehicles } = entry.shard!;
    const { index } = vehicles!.data!;
    const entity_id = id.slice(`${meta.system_id}:`.length);
    const location = { lat: index.lat[row]!, lon: index.lon[row]! };
    const told = { ...nameOf(meta, entity_id), location, ...ageOf(vehicles, now_ms), ...ALONE };
    return { id, observations: [told], near_misses: [] };
  }
  const known = caseOf(hits, hit);
  if (known) return tellCase(now_ms, known.of);
  const member = { entry, statics: entry.shard!.statics, row };
  return { id, observations: [{ ...tellMember(now_ms, member), ...ALONE }], near_misses: [] };
}

function tellCase(now_ms: number, { id, members, pairs, near }: Case): unknown {
  return {
    id,
    observations: members.map((member, i) => {
      const best = pairs
        .filter(({ a, b }) => a === i || b === i)
        .toSorted((x, y) => y.score - x.score)[0];
      const joined = best
        ? { merged: true, score: best.score, reasons: best.reasons.map(tellReason) }
        : ALONE;
      return { ...tellMember(now_ms, member), ...joined };
    }),
    near_misses: near.map(({ member, score, reasons }) => ({
      ...tellMember(now_ms, member),
      ...{ score, reasons: reasons.map(tellReason) },
    })),
  };
}

/** `name_equal +6`: what was found, and what it weighs (docs/identity.md). */
function tellReason({ code, weight }: Reason): string {
  return `${code} ${weight < 0 ? "" : "+"}${weight}`;
}

function tellMember(now_ms: number, { entry, statics, row }: Member): Record<string, unknown> {
  const { index, ids, meta } = statics;
  const location = { lat: index.lat[row]!, lon: index.lon[row]! };
  return {
    ...nameOf(meta, readText(ids, row)),
    location,
    ...ageOf(entry.shard?.status ?? null, now_ms),
  };
}

function nameOf(
  { system_id, network }: Member["statics"]["meta"],
  entity_id: string,
): Record<string, string> {
  return { source_id: `${system_id}:${entity_id}`, network_id: network.id, entity_id };
}

function ageOf(part: Part<unknown> | null, now_ms: number): Record<string, unknown> {
  const doc_s = part?.live?.doc_s ?? null;
  return {
    observed_at: doc_s === null ? null : toRfc3339(doc_s),
    age_s: doc_s === null ? null : Math.max(0, Math.round(now_ms / 1000 - doc_s)),
  };
}
