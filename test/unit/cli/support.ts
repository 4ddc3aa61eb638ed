/** A command line without a process: streams that remember, a network that is a function. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { TestContext } from "node:test";
import { runCli } from "#cli/main.ts";
import type { GivenIo, Output } from "#cli/io.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { SourcesBody } from "#api/sources.ts";
import { openAdminStorage } from "#storage/open-storage.ts";

export const NOW = Date.parse("2026-11-21T12:00:00Z");

export type Ran = { code: number; out: string; err: string };

export async function run(argv: readonly string[], io: Partial<GivenIo> = {}): Promise<Ran> {
  const out = remember(io.out);
  const err = remember(io.err);
  const code = await runCli(argv, {
    variables: {},
    fetch: () => Promise.reject(new Error("no network in this test")),
    now: () => NOW,
    sleep: () => Promise.resolve(),
    onInterrupt: () => () => undefined,
    serve: () => Promise.resolve(0),
    sandbox: () => Promise.resolve(0),
    openOwn: () => Promise.resolve({ problem: "no service in this test" }),
    openStore: () => ({ problem: "no store in this test" }),
    importGtfs: () => Promise.resolve({ ok: false, problem: "no import in this test" }),
    importBase: () => Promise.resolve({ ok: false, problem: "no import in this test" }),
    ...io,
    out: out.stream,
    err: err.stream,
  });
  return { code, out: out.text(), err: err.text() };
}

/** A terminal of this width. */
export function terminal(columns = 100): Output {
  return Object.assign(new Writable(), { isTTY: true, columns });
}

/** A network in which every address answers the same; `asked` collects what was asked. */
export function answering(
  bodies: readonly unknown[],
  options: { status?: number; type?: string; requested?: Request[] } = {},
): typeof fetch {
  let calls = 0;
  return (input, init) => {
    options.requested?.push(new Request(input, init));
    const body = bodies[Math.min(calls++, bodies.length - 1)];
    const headers = { "content-type": options.type ?? "application/json" };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return Promise.resolve(new Response(text, { status: options.status ?? 200, headers }));
  };
}

function remember(like: Partial<Output> | undefined): { stream: Output; text: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  const isTTY = like?.isTTY ?? false;
  Object.assign(stream, { isTTY, columns: like?.columns, cursorTo: () => true });
  return { stream, text: () => chunks.join("") };
}

type Station = NearbyBodyValue["results"]["stations"][number];
type Vehicle = NearbyBodyValue["results"]["vehicles"][number];

export function station(members: Partial<Station> & { distance_meters: number }): Station {
  return {
    id: `svc_station_${members.distance_meters}`,
    type: "station",
    name: "Hôtel de Ville",
    network: { id: "velib", name: "Vélib' Métropole" },
    location: { lat: 48.857, lon: 2.352 },
    availability: {
      vehicles: 5,
      docks: 12,
      disabled_vehicles: null,
      disabled_docks: null,
      by_mode: null,
      electric: null,
      is_installed: true,
      is_renting: true,
      is_returning: true,
      last_reported: "2026-11-21T11:59:18Z",
      observed_at: "2026-11-21T11:59:30Z",
    },
    mode: "bicycle",
    service_status: { state: "operational" },
    ...members,
  };
}

export function vehicle(members: Partial<Vehicle["source"]>, source_id: string): Vehicle {
  return {
    source_id,
    network_id: "lime_paris",
    source: {
      entity_type: "scooter_vehicle",
      mode: "scooter",
      data_class: "realtime",
      service_status: { state: "operational" },
      capabilities: {
        pickup: true,
        return: false,
        park: false,
        charge: false,
        reserve: false,
        navigate: true,
      },
      action_state: {},
      context_actions: [],
      ...members,
    },
  };
}

export function nearbyBody(members: Partial<NearbyBodyValue> = {}): NearbyBodyValue {
  return {
    status: "success",
    query_origin: { lat: 48.8566, lon: 2.3522 },
    radius: 400,
    total: 0,
    results: { places: [], lines: [], stations: [], vehicles: [], alerts: [] },
    available_actions: [],
    requested_radius: 400,
    requested_limit: 100,
    limit: 100,
    ...members,
  };
}

export function source(
  members: Partial<SourcesBody["sources"][number]> & { id: string },
): SourcesBody["sources"][number] {
  return {
    name: members.id,
    kind: "feed",
    operations: ["nearby"],
    state: "ok",
    licence: "CC-BY-4.0",
    licence_url: null,
    attribution: null,
    attribution_url: null,
    entity_count: 1_468,
    bbox: null,
    areas: null,
    problem: null,
    last_success_at: "2026-11-21T11:59:48Z",
    age_s: 12,
    terms: { map: "any" },
    error_rate_5m: 0,
    ...members,
  };
}

/** The store of a folder of its own, which commands open and close as alongside a service. */
export function storeIn(t: TestContext) {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-cli-"));
  t.after(() => rmSync(data_dir, { recursive: true, force: true }));
  const openStore = ({ sandbox }: { sandbox: boolean }) =>
    openAdminStorage({ data_dir, mode: sandbox ? "sandbox" : "live" });
  return { openStore };
}
