/**
 * The one door to the network: an undici Agent whose connector refuses what rule 2 of
 * reliability 4.5 denies.
 *
 * The check sits in the connector because a lookup hook never sees IP literals,
 * and in the lookup because the very answer that was checked must be the one connected to: a
 * second resolution would open the window for DNS rebinding.
 */
import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { isPublicAddress } from "#upstream/egress-address.ts";
import { fault } from "#upstream/fault.ts";
import { checkUrl, isListed, type UrlPolicy, type UrlVerdict } from "#upstream/url-rules.ts";

export type EgressOptions = Pick<UrlPolicy, "allow_private"> & {
  allow_hosts?: readonly string[];
  http_hosts?: readonly string[];
  /** Connections per origin; lookups have bulkheads of their own in front of it. */
  max_connections?: number;
  /** Seams for tests: the resolver, and which addresses count as public. */
  lookup?: LookupFunction;
  is_public?: (ip: string) => boolean;
};

export type Egress = {
  /** `strict`: of one that opens no connection to a private address, listed by the operator or not. */
  agentFor(strict: boolean): Agent;
  /** The URL rules under this policy; `base` resolves a Location header. */
  check(
    url: string,
    context: { same_site_as?: readonly string[] | undefined; base?: URL; strict?: boolean },
  ): UrlVerdict;
  /** Ends every connection at once. */
  close(): Promise<void>;
};

const CONNECT_TIMEOUT_MS = 5_000;
const MAX_HEADER_BYTES = 32 * 1024;
/** Per origin. More than a polled system ever needs, and few enough to be a good guest. */
const MAX_CONNECTIONS = 16;
/** Backstops only: the deadlines that count are in http.ts, with millisecond timers. */
const IDLE_TIMEOUT_MS = 60_000;

export function createEgress(options: EgressOptions): Egress {
  const policy: UrlPolicy = {
    allow_private: options.allow_private,
    allow_hosts: (options.allow_hosts ?? []).map((host) => host.toLowerCase()),
    // The list itself, not a copy: configured addresses become known one after another.
    http_hosts: options.http_hosts ?? [],
  };
  const strict: UrlPolicy = { ...policy, allow_hosts: [] };
  // Connections are kept by origin: one that was opened for the operator's own source must not carry
  // what a third party's feed asks for.
  const agent = createAgent(policy, options);
  const guarded = policy.allow_hosts.length > 0 ? createAgent(strict, options) : agent;
  return {
    agentFor: (isStrict) => (isStrict ? guarded : agent),
    check: (url, { same_site_as, base, strict: isStrict = false }) =>
      checkUrl(url, { ...(isStrict ? strict : policy), same_site_as }, base),
    close: async () => void (await Promise.all([agent.destroy(), guarded.destroy()])),
  };
}

function createAgent(policy: UrlPolicy, options: EgressOptions): Agent {
  return new Agent({
    connect: createConnector(policy, options),
    connections: options.max_connections ?? MAX_CONNECTIONS,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
  });
}

function createConnector(policy: UrlPolicy, options: EgressOptions): buildConnector.connector {
  const isPublic = options.is_public ?? isPublicAddress;
  const lookup = options.lookup ?? systemLookup;
  const open = buildConnector({ ...CONNECT_OPTIONS, lookup });
  const guarded = buildConnector({ ...CONNECT_OPTIONS, lookup: guardLookup(lookup, isPublic) });
  return (target, callback) => {
    const literal = target.hostname.replace(/^\[|\]$/g, "");
    const hostname = isIP(literal) === 6 ? `[${literal}]` : literal;
    if (policy.allow_private || isListed({ ...target, hostname }, policy.allow_hosts))
      return open(target, callback);
    if (isIP(literal) === 0 || isPublic(literal)) return guarded(target, callback);
    // Not within the dispatch that asked: undici expects an answer on a later turn.
    return process.nextTick(callback, fault("EGRESS_DENIED"), null);
  };
}

// HTTP/1.1 only: one request per socket, so that destroying an answer ends exactly its connection.
const CONNECT_OPTIONS = {
  timeout: CONNECT_TIMEOUT_MS,
  allowH2: false,
  autoSelectFamily: true,
} as const;

/** Every resolved address must pass: one public decoy must not carry a private one along. */
function guardLookup(lookup: LookupFunction, isPublic: (ip: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, match, family) => {
      if (error) return callback(error, []);
      const all = typeof match === "string" ? [{ address: match, family: family ?? 4 }] : match;
      const [first] = all;
      if (!first || !all.every(({ address }) => isPublic(address)))
        return callback(fault("EGRESS_DENIED"), []);
      return options.all ? callback(null, all) : callback(null, first.address, first.family);
    });
  };
}
