/** How subscribers may hold what others need. Each is a number of connections and what they do. */

export type StreamAttack = {
  name: string;
  summary: string;
  connections: number;
  /** The addresses that they come from, each of a block of its own. */
  addresses: number;
  box: "dense" | "largest" | "small";
  /** `none`: nothing is read; `byte`: a byte every 100 ms; `all`: as it comes. */
  reads: "none" | "byte" | "all";
  /** The head of the request never ends. */
  half?: true;
  /** Resets each connection after up to so long, and opens the next. */
  reset_within_ms?: number;
  /** Comes again at once with the id of the last event that it has seen. */
  resumes?: true;
};

export const STREAM_ATTACKS: readonly StreamAttack[] = [
  {
    name: "silent",
    summary: "2,000 subscribers of 200 addresses read nothing",
    ...{ connections: 2_000, addresses: 200, box: "dense", reads: "none" },
  },
  {
    name: "slow",
    summary: "2,000 subscribers of 200 addresses read a byte every 100 ms",
    ...{ connections: 2_000, addresses: 200, box: "dense", reads: "byte" },
  },
  {
    name: "half-open",
    summary: "2,000 connections of 200 addresses never finish their head",
    ...{ connections: 2_000, addresses: 200, box: "small", reads: "all", half: true },
  },
  {
    name: "resets",
    summary: "50 subscribers at once, each reset within 100 ms, in the middle of its snapshot",
    ...{ connections: 50, addresses: 50, box: "dense", reads: "none", reset_within_ms: 100 },
  },
  {
    name: "storm",
    summary: "200 subscribers of 100 addresses come again every 200 ms with Last-Event-ID",
    ...{ connections: 200, addresses: 100, box: "dense", reads: "all" },
    ...{ reset_within_ms: 200, resumes: true },
  },
  {
    name: "one-address",
    summary: "3,000 subscribers of one address",
    ...{ connections: 3_000, addresses: 1, box: "small", reads: "all" },
  },
  {
    name: "largest",
    summary: "800 subscribers of 200 addresses to the largest box over the densest place",
    ...{ connections: 800, addresses: 200, box: "largest", reads: "all" },
  },
];

/** The middle of the densest simulated city. */
const AT = { lat: 48.8566, lon: 2.3522 };
/** Kilometres; the largest box that is taken has 25 km². */
const SIDES: Readonly<Record<StreamAttack["box"], number>> = {
  dense: 2.2,
  largest: 4.98,
  small: 0.5,
};
const KM_PER_DEGREE = 111.195;

export function pathOf(box: StreamAttack["box"], number = 0): string {
  const lat = AT.lat + (number % 50) * 1e-5;
  const north = SIDES[box] / 2 / KM_PER_DEGREE;
  const east = north / Math.cos((lat * Math.PI) / 180);
  const bbox = [AT.lon - east, lat - north, AT.lon + east, lat + north];
  return `/v1/nearby/stream?bbox=${bbox.map((value) => value.toFixed(6)).join(",")}`;
}

/** `stored`: open at the end; `lost`: closed by the other side, or never opened; `let_in`: answered 200. */
export type StreamAttacked = { opened: number; let_in: number; stored: number; lost: number };
