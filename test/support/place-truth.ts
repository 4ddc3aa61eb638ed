/** Services of the simulated world as GET /__sandbox/truth has them, next to what answers say of them. */
import type { ServicesBodyValue } from "#api/services.ts";

type Item = ServicesBodyValue["results"][number];
export type Observation = { source: string; source_id: string };

export function keyOf({ source, source_id }: Observation): string {
  return `${source} ${source_id}`;
}

/** The observations of a result: those it was merged from, or the one of its source. */
export function observationsOf(item: Item): Observation[] {
  const attributes = item.attributes as { sources?: { source_id: string; external_id: string }[] };
  const from = attributes.sources ?? [
    { source_id: item.source_id, external_id: item.external_id! },
  ];
  return from.map(({ source_id, external_id }) => ({
    source: originOf(source_id, external_id),
    source_id: external_id,
  }));
}

/** The maps provider's constants hide the source; its keys reveal it. */
function originOf(source_id: string, external_id: string): string {
  if (source_id !== "sandbox_maps") return source_id;
  if (external_id.startsWith("ChIJ")) return "google_maps";
  if (external_id.startsWith("ocm/")) return "openchargemap";
  return /^(node|way|relation)\//.test(external_id) ? "openstreetmap" : "ocpi";
}

/** The few forms of the simulated world, read by hand. `time` is local. */
export function stateAt(hours: string, time: string): string {
  const day = (new Date(`${time.slice(0, 19)}Z`).getUTCDay() + 6) % 7;
  const minute = Number(time.slice(11, 13)) * 60 + Number(time.slice(14, 16));
  const spans: Record<string, readonly (readonly [number, number] | null)[]> = {
    "24/7": Array.from({ length: 7 }, () => [0, 1_440] as const),
    "Mo-Su 06:00-22:00": Array.from({ length: 7 }, () => [360, 1_320] as const),
    "Mo-Fr 08:00-20:00; Sa 09:00-18:00": [
      ...Array.from({ length: 5 }, () => [480, 1_200] as const),
      ...[[540, 1_080] as const, null],
    ],
  };
  const span = spans[hours]?.[day] ?? null;
  return span && minute >= span[0] && minute < span[1] ? "open" : "closed";
}
