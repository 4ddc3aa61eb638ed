/** One page of a base, from the features that an extract has for it. */
import type { BaseSection } from "../base/base-features.ts";
import { openBasePack, type BasePack } from "../base/open-base.ts";
import type { GeocoderMeta, GeocoderSection } from "../geocoder/geocoder-section.ts";
import { listTerms, type NameEntry } from "../geocoder/page-names.ts";
import { noCells } from "../pages/head-facts.ts";
import type { PageCell } from "../pages/page-cell.ts";
import type { Turn } from "#kit/run/turn.ts";
import { finishSections, packColumns, toMeta } from "./import-extract.ts";
import type { JobSettings } from "./import-jobs.ts";
import type { RunEntry } from "./split/split-types.ts";
import { OPEN_MAP_TERMS } from "../terms.ts";

/** Features between two turns. */
const STEP = 1_000;

/** Hands the features of a run to the sections; `order`: whose bits they carry. */
export async function feedSections(
  entries: Iterable<RunEntry>,
  sections: readonly BaseSection[],
  order: readonly string[],
  turn: Turn,
): Promise<void> {
  const targets = order.map((name) => sections.find((section) => section.name === name));
  let left = STEP;
  for (const { sections: bits, feature } of entries) {
    for (let i = 0; bits >> i !== 0; i++) if ((bits >> i) & 1) take(targets[i], feature);
    if (--left > 0) continue;
    left = STEP;
    await turn();
  }
}

function take(section: BaseSection | undefined, feature: RunEntry["feature"]): void {
  if (feature.type === "node") section?.node(feature);
  else if (feature.type === "way") section?.way(feature);
  else section?.relation(feature);
}

/** What the sections have taken as the pack of a page. The head has what is known of the whole base. */
export async function packPage(
  sections: readonly BaseSection[],
  { id, region, now_ms, data_at_s }: JobSettings & { data_at_s: number | null },
  turn: Turn,
): Promise<{ pack: Uint8Array<ArrayBuffer>; opened: BasePack }> {
  const { columns, ...parts } = await finishSections(sections, turn);
  const counts = { nodes: 0, ways: 0, relations: 0 };
  const summary = { counts, box: null, data_at_s, dropped: [], repaired: [] };
  const meta = toMeta(summary, { id, region, now_ms, terms: OPEN_MAP_TERMS }, parts);
  const pack = await packColumns(meta, { ...noCells(), ...columns }, turn);
  return { pack, opened: openBasePack(pack, true)! };
}

/** Words of a page; null: it has no geocoder. */
export function namesOf({ meta, columns }: BasePack, cell: PageCell): Iterable<NameEntry> | null {
  const geocoder = meta.sections["geocoder"] as GeocoderMeta | undefined;
  return geocoder ? listTerms(columns, geocoder, cell) : null;
}

/** The geocoder among the sections; null: there is none. */
export function geocoderOf(sections: readonly BaseSection[]): GeocoderSection | null {
  const own = sections.find(({ name }) => name === "geocoder");
  return own === undefined ? null : (own as GeocoderSection);
}
