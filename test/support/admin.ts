/** An admin listener with an API over stores that last as long as the test, on a socket of its own. */
import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import type { TestContext } from "node:test";
import { pino } from "pino";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { KEY_PREFIXES } from "#core/keys/key.ts";
import { createAdminApi } from "#http/admin/api.ts";
import { buildAdmin } from "#http/admin.ts";
import { createDrainState } from "#http/drain.ts";
import { createMetrics } from "#http/metrics.ts";
import type { AccountsAtHand } from "#ports.ts";
import { createMemoryAccounts } from "./memory.ts";
import { createMemoryUsage } from "./memory-usage.ts";

export const TOKEN = "an-admin-token-of-this-test";
export const NOW_MS = Date.UTC(2026, 10, 21, 12);

export type Reply = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Status line and all headers but the date, as they came. */
  head: string;
};
export type Call = {
  method?: string;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string | undefined>;
};
type AuditLine = {
  action: string;
  account_id: string | null;
  key_id: string | null;
  outcome: string;
};

export type Options = { token?: string | null; host?: string; accounts?: AccountsAtHand };

export async function startAdmin(t: TestContext, options: Options = {}) {
  const { token = TOKEN, host = "127.0.0.1", accounts = createMemoryAccounts() } = options;
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, remember(lines));
  const usage = createMemoryUsage();
  const time = { now_ms: NOW_MS };
  let drawn = 0;
  const api =
    token === null
      ? null
      : createAdminApi({
          accounts,
          usage,
          log,
          token,
          host,
          key_prefix: KEY_PREFIXES.live,
          plans: Object.fromEntries(SHIPPED_PLANS.map((plan) => [plan.name, plan])),
          draw: (size) => new Uint8Array(size).fill(++drawn),
          clock: { now: () => time.now_ms },
        });
  const metrics = createMetrics();
  const app = buildAdmin({ metrics, drain: createDrainState(), ready: () => true, api, host });
  await app.listen({ host: "127.0.0.1", port: 0 });
  t.after(async () => {
    await app.close();
    metrics.close();
  });
  const { port } = app.server.address() as AddressInfo;
  return {
    accounts,
    usage,
    lines,
    time,
    port,
    audits: () =>
      lines
        .filter(({ msg }) => msg === "audit")
        .map(({ level: _level, time: _time, msg: _msg, ...line }) => line as AuditLine),
    ask: (path: string, call: Call = {}) => ask(port, path, call),
  };
}

/** Sends the token, and declares JSON where there is a body, unless the call says otherwise (undefined: not sent). */
export function ask(port: number, path: string, call: Call = {}): Promise<Reply> {
  const { body, method = body === undefined ? "GET" : "POST" } = call;
  const type = body === undefined ? undefined : "application/json";
  const stated = {
    connection: "close",
    authorization: `Bearer ${TOKEN}`,
    "content-type": type,
    ...call.headers,
  };
  const headers = Object.fromEntries(
    Object.entries(stated).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
          head: `${response.statusCode} ${response.statusMessage}\n${headLines(response.rawHeaders)}`,
        }),
      );
    });
    request.once("error", reject);
    request.end(text);
  });
}

/** The header lines without those that differ in every reply. */
function headLines(raw: readonly string[]): string {
  const lines: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!;
    if (!/^(date|x-request-id)$/i.test(name)) lines.push(`${name}: ${raw[at + 1]}`);
  }
  return lines.join("\n");
}

function remember(lines: Record<string, unknown>[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
}
