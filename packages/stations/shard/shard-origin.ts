/** Provenance as §2.9 asks: the part of it that all items of one system share. */
import type { StaticsMeta } from "./shard-statics.ts";

/** Members of a provenance item beyond entity_id and source_id, as JSON without its braces. */
export function originJson(meta: StaticsMeta, fields: readonly string[]): string {
  const origin = {
    kind: "provider",
    source: meta.source,
    provider: providerName(meta),
    network_id: meta.network.id,
    fields,
  };
  return JSON.stringify(origin).slice(1, -1);
}

/** Repeated with each item of a system. */
const MAX_NAME_LENGTH = 256;

/** Publisher: the operator, else the system's name, else its id. */
export function providerName(meta: StaticsMeta): string {
  const name = meta.system?.operator ?? meta.system?.name ?? meta.network.name;
  return name.slice(0, MAX_NAME_LENGTH).toWellFormed();
}
