/** The dearest legal questions (docs/lab/robustness.md, The serving thread), each at a point of its own. */
import { SERVICE_TYPES, TRANSPORT_PROVIDERS } from "#api/tokens.ts";

export type Question = { path: string; body?: string; headers?: Record<string, string> };

/** Numbers in [0, 1). */
type Random = () => number;

const PARIS = { lat: 48.8566, lon: 2.3522 };

/** Within a kilometre, so that hardly any answer is known already. */
function pointOf(random: Random): { lat: number; lon: number } {
  const shift = (): number => (random() - 0.5) / 60;
  return {
    lat: Number((PARIS.lat + shift()).toFixed(5)),
    lon: Number((PARIS.lon + shift()).toFixed(5)),
  };
}

function at(random: Random): string {
  const { lat, lon } = pointOf(random);
  return `lat=${lat}&lon=${lon}`;
}

const LETTERS = "abcdefghijklmnoprstuvw";

/** Sixteen words that are almost names of streets. */
function wordsOf(random: Random): string {
  const letter = (): string => LETTERS[Math.floor(random() * LETTERS.length)]!;
  const word = (): string => Array.from({ length: 5 }, letter).join("");
  return Array.from({ length: 16 }, word).join("+");
}

function toolCall(name: string, args: object): Question {
  const params = { name, arguments: args };
  return {
    path: "/mcp",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
  };
}

const BR = { "accept-encoding": "br" };

export const QUESTIONS: Readonly<Record<string, (random: Random) => Question>> = {
  services: (random) => ({
    path: `/v1/services/nearby?${at(random)}&types=${SERVICE_TYPES.join(",")}&radius=10000&limit=200`,
    headers: BR,
  }),
  transport: (random) => ({
    path: `/v1/transport/nearby?${at(random)}&providers=${TRANSPORT_PROVIDERS.join(",")}&radius=5000&limit=200&debug=true`,
    headers: BR,
  }),
  tool: (random) =>
    toolCall("find_urban_services", {
      ...pointOf(random),
      types: SERVICE_TYPES.slice(0, 7),
      radius: 10_000,
    }),
  mobility: (random) => toolCall("search_mobility_nearby", pointOf(random)),
  comparison: (random) =>
    toolCall("compare_places", {
      places: Array.from({ length: 5 }, () => {
        const { lat, lon } = pointOf(random);
        return `${lat},${lon}`;
      }),
    }),
  photon: (random) => ({ path: `/photon/api?q=${wordsOf(random)}&limit=50` }),
  "place-search": (random) => ({ path: `/v1/place-search?q=${wordsOf(random)}&prefix=true` }),
  nearby: (random) => ({
    path: `/v1/nearby?${at(random)}&include=stations,vehicles,zones,alerts,lines,places&format=geojson&debug=true`,
    headers: BR,
  }),
  departures: (random) => ({
    path: `/v1/departures/nearby?${at(random)}&radius=2000&limit=100&within=360`,
    headers: BR,
  }),
  tiles: (random) => {
    const [z, x, y] = [14, 8_298, 5_635];
    const step = (): number => Math.floor(random() * 24) - 12;
    return { path: `/tiles/${z}/${x + step()}/${y + step()}.mvt`, headers: BR };
  },
};
