/** The real face of the tools over use cases that answer at once; `ran` is what was executed. */
import assert from "node:assert/strict";
import { UNMAPPED } from "./walks.ts";
import { createMcp, type McpDeps } from "#mcp/face.ts";
import { DEFAULT_DEADLINES_MS } from "./deadlines.ts";
import { everySearch } from "./searches.ts";
import { NOW_MS } from "./server.ts";

/** Absent: no station is known. */
export type StubStations = Partial<Pick<McpDeps, "watch" | "readStation" | "live">>;

export function createStubTools(stations: StubStations = {}) {
  const ran: string[] = [];
  const faults: unknown[] = [];
  const located = (name: string) => () => {
    ran.push(name);
    const meta = { source: "sandbox_maps", cache: "miss" as const, total: 0 };
    return Promise.resolve({ kind: "ok" as const, body: { results: [], meta }, max_age_s: 1 });
  };
  const never = () => Promise.reject(new Error("secret words of a defect"));
  const answer = createMcp({
    version: "1.1.0",
    readMap: () => "<!doctype html>",
    clock: { now: () => NOW_MS },
    timezones: () => Promise.resolve(() => "Europe/Paris"),
    statedZone: () => null,
    onFault: (error) => void faults.push(error),
    deadlines_ms: DEFAULT_DEADLINES_MS,
    termsOf: (provider) => ({ provider, licence: null, attribution: null, store: "all" }),
    searches: {
      ...everySearch(never),
      geocoding: {
        geocode: located("geocode"),
        reverse: located("reverse"),
        search: located("search"),
      },
    },
    search: () => {
      ran.push("search_mobility");
      return Promise.resolve({
        kind: "refused",
        code: "quota_exhausted",
        message: "full",
        retry_after_s: 60,
      });
    },
    read: () => Promise.resolve({ kind: "refused", code: "dataset_gone" }),
    findOne: never,
    weather: never,
    lookAround: never,
    findIntended: () => undefined,
    readStation: () => Promise.resolve(null),
    lookAtThing: () => assert.fail("nothing is watched"),
    random: (size) => new Uint8Array(size),
    walks: UNMAPPED,
    watch: { open: () => null },
    ...stations,
  });
  return { answer, ran, faults };
}
