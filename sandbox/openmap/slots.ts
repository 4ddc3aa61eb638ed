// Who is being served: two slots for a client, and never the same query twice at once. All clients of
// the simulator are one, as all of a host are to the real one.
import { rfc3339 } from "../gbfs/context.ts";
import type { Reply, SandboxRequest } from "../http.ts";
import type { Admission } from "../source.ts";
import { answerPage, queryTextOf } from "./overpass.ts";

const SLOTS = 2;

export type Slots = { admit(request: SandboxRequest): Admission; status(now_ms: number): Reply };

export function createSlots(): Slots {
  const running: string[] = [];
  return {
    admit(request) {
      const query = queryTextOf(request);
      if (query === null) return {};
      if (running.includes(query)) return { refused: tooMany("duplicate_query") };
      if (running.length >= SLOTS) return { refused: tooMany("rate_limited") };
      running.push(query);
      return { leave: () => void running.splice(running.indexOf(query), 1) };
    },
    status: (now_ms) => answerStatus(running.length, now_ms),
  };
}

const tooMany = (reason: "duplicate_query" | "rate_limited"): Reply =>
  answerPage(
    429,
    "Error",
    reason === "duplicate_query"
      ? "runtime error: open64: 0 Success /osm3s_osm_base Dispatcher_Client::request_read_and_idx::duplicate_query"
      : "runtime error: open64: 0 Success /osm3s_osm_base Dispatcher_Client::request_read_and_idx::rate_limited. Please check /api/status for the quota of your IP address.",
  );

function answerStatus(used: number, now_ms: number): Reply {
  const free = SLOTS - used;
  const now_s = Math.floor(now_ms / 1000);
  const lines = [
    "Connected as: 2130706433",
    `Current time: ${rfc3339(now_s)}`,
    "Announced endpoint: none",
    `Rate limit: ${SLOTS}`,
    ...(free > 0 ? [`${free} slots available now.`] : []),
    ...Array.from(
      { length: used },
      () => `Slot available after: ${rfc3339(now_s + 5)}, in 5 seconds.`,
    ),
    "Currently running queries (pid, space limit, time limit, start time):",
    "",
  ];
  return {
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: Buffer.from(lines.join("\n")),
  };
}
