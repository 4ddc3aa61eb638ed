/**
 * Entry of a child process: publishes many small healthy systems, and by order of the trial a hostile
 * case in place of one of them. It has a process of its own, so that making and sending tens of
 * megabytes takes no time of another process.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { makeArchive } from "./archives.ts";
import { type HostileCase, CASES } from "./cases.ts";
import { generateCase } from "./generated.ts";
import { type FileName, type Files, healthyFiles, type Place } from "./wire.ts";

export type HostOrder =
  | { order: "publish"; system: string; case_name: string }
  | { order: "heal"; system: string };
export type HostNews = { news: "listening"; url: string } | { news: "done"; bytes: number };

/** `healthy-3`, `hostile-7`: each in a place of its own, far from the others. */
export function placeOf(system: string): Place {
  const [kind, number] = system.split("-");
  const i = Number(number);
  // A neighbour is where the hostile system of its number is.
  if (kind === "healthy") return { lat: 44 + Math.floor(i / 10) * 0.5, lon: 1 + (i % 10) * 0.5 };
  return { lat: -20 - Math.floor(i / 40) * 0.5, lon: 10 + (i % 40) * 0.5 };
}

export function caseOf(name: string): HostileCase {
  const seed = /^generated (\d+)$/.exec(name)?.[1];
  return seed === undefined ? CASES[name]! : generateCase(Number(seed));
}

if (process.send) serve();

function serve(): void {
  let url = "";
  const hostile = new Map<string, Files>();
  // Made ahead: while an archive is made, no healthy file would be answered.
  const archives = new Map(
    process.argv.slice(2).map((stops) => [stops, makeArchive(Number(stops))]),
  );
  const server = createServer((request, response) => {
    const stops = /^\/archive-(\d+)\.zip$/.exec(request.url ?? "")?.[1];
    if (stops !== undefined) return void response.end(archives.get(stops));
    const [, system = "", file = ""] = /^\/([\w-]+)\/(\w+)\.json$/.exec(request.url ?? "") ?? [];
    const name = file as FileName;
    const base = `${url}/${system}`;
    const body =
      hostile.get(system)?.[name] ?? healthyFiles(base, placeOf(system), system)[name] ?? null;
    response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" });
    response.end(body);
  });
  server.listen(0, "127.0.0.1", () => {
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    send({ news: "listening", url });
  });
  process.on("message", (order: HostOrder) => {
    const { system } = order;
    hostile.delete(system);
    if (order.order === "publish") {
      const site = { base: `${url}/${system}`, place: placeOf(system), name: system };
      hostile.set(system, caseOf(order.case_name).make(site));
    }
    const files = Object.values(hostile.get(system) ?? {});
    send({ news: "done", bytes: files.reduce((sum, { length }) => sum + length, 0) });
  });
  process.on("disconnect", () => process.exit());
}

function send(news: HostNews): void {
  process.send!(news);
}
