/** Distances and orders, computed by other means than the service uses. */
export type Point = { lat: number; lon: number };

const EARTH_M = 6_371_008.8;

/** By chord length: unlike the haversine of the service, and exact at short range. */
export function greatCircle(a: Point, b: Point): number {
  const [x, y] = [unit(a), unit(b)];
  const chord = Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
  return 2 * EARTH_M * Math.asin(Math.min(1, chord / 2));
}

function unit({ lat, lon }: Point): [number, number, number] {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

type Ranked = {
  distance: number;
  id: string;
  /** What has a lower one goes before all others; absent: 0. */
  rank?: number | undefined;
  /** On foot, where the order is that of time; Infinity: no way is known. */
  seconds?: number | undefined;
};

/** By rank, by time on foot where that is the order, by distance, then by the bytes of the id. */
export function orderProblem(items: readonly Ranked[]): string | null {
  const wrong = items.findIndex((item, at) => at > 0 && !isBefore(items[at - 1]!, item));
  return wrong === -1 ? null : `${items[wrong]!.id} comes after ${items[wrong - 1]!.id}`;
}

function isBefore(a: Ranked, b: Ranked): boolean {
  const [rank, other] = [a.rank ?? 0, b.rank ?? 0];
  if (rank !== other) return rank < other;
  const [time, later] = [a.seconds ?? 0, b.seconds ?? 0];
  if (time !== later) return time < later;
  if (a.distance !== b.distance) return a.distance < b.distance;
  return Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)) < 0;
}
