/** The ways out to sources: one for feeds, one for lookups, under the same rules. */
import type { Config } from "#config/load.ts";
import { createEgress } from "#upstream/egress.ts";
import { createHttpClient } from "#upstream/http.ts";
import { createRun, type RunRequest } from "#upstream/run.ts";
import type { NoteFault } from "#kit/guard.ts";
import type { Clock } from "#ports.ts";
import type { HttpLimits } from "#upstream/http.ts";

/** Per origin; the limits of a source are those of its bulkhead. */
const LOOKUP_CONNECTIONS = 256;

export type Outbound = {
  /** Connections that one kind of call takes are not missing to the other. */
  runFeeds: RunRequest;
  runLookups: RunRequest;
  /**
   * Plain http and other ports are spoken only where the operator's own entry says so; what a
   * catalogue names may be http, but on its own port (reliability 4.5 rules 1 and 2).
   */
  allow(entries: readonly { url: string }[], options: { own: boolean }): void;
  close(): Promise<void>;
};

type NetworkDeps = {
  config: Pick<Config, "contact" | "egress">;
  /** Of the program, which it names to sources. */
  version: string;
  http_limits?: Partial<HttpLimits> | undefined;
  clock: Clock;
  onFault: NoteFault;
};

export function openNetwork({
  config,
  version,
  http_limits = {},
  clock,
  onFault,
}: NetworkDeps): Outbound {
  const contact = config.contact === null ? "" : ` (+${config.contact})`;
  const user_agent = `vicinity/${version}${contact}`;
  const http_hosts: string[] = [];
  const feeds = createEgress({ ...config.egress, http_hosts });
  const lookups = createEgress({
    ...config.egress,
    http_hosts,
    max_connections: LOOKUP_CONNECTIONS,
  });
  const [runFeeds, runLookups] = [feeds, lookups].map((egress) =>
    createRun({
      client: createHttpClient({ egress, user_agent, limits: http_limits, now: clock.now }),
      clock,
      onFault,
    }),
  ) as [RunRequest, RunRequest];
  return {
    runFeeds,
    runLookups,
    allow(entries, { own }) {
      for (const { url } of entries) {
        const { protocol, host, port } = new URL(url);
        if ((own || port === "") && (protocol === "http:" || port !== "")) http_hosts.push(host);
      }
    },
    close: async () => void (await Promise.all([feeds.close(), lookups.close()])),
  };
}
