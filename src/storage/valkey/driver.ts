/**
 * The driver of Valkey and Redis, loaded only where a shared URL is given, and how its connections
 * are set up: it queues nothing and repeats nothing, so that a store that is away is known at once.
 */
import type { Cluster, ClusterOptions, Command, Redis, RedisOptions, ReplyError } from "iovalkey";
import type { SharedAddress } from "./valkey-address.ts";
import { toLine } from "#storage/error-line.ts";

export type Driver = {
  Redis: typeof Redis;
  Cluster: typeof Cluster;
  Command: typeof Command;
  ReplyError: typeof ReplyError;
};

export type Connection = Redis | Cluster;

const CONNECT_MS = 1_000;
/** A connection over which nothing comes although something is due is given up after this time. */
const SILENT_MS = 1_000;
const RECONNECT_STEP_MS = 50;
const RECONNECT_MAX_MS = 500;
/** Keep-alive of subscriptions, which send nothing: the kernel detects a lost connection. */
const KEEP_ALIVE_MS = 5_000;

/**
 * Loads the driver; `problem`: the package is missing, in one line that names it and the setting.
 */
export async function loadDriver(
  load: () => Promise<Driver> = () => import("iovalkey"),
): Promise<Driver | { problem: string }> {
  try {
    return await load();
  } catch (error) {
    const line = "VICINITY_SHARED_URL needs the npm package iovalkey, which cannot be loaded";
    return { problem: `${line}: ${toLine(error)}` };
  }
}

/** Connects at once, and again whenever the connection is cut. `queues`: for subscriptions only. */
export function connect(
  driver: Driver,
  address: SharedAddress,
  { queues = false }: { queues?: boolean } = {},
): Connection {
  const { nodes, cluster, database } = address;
  const backOff = (times: number): number => Math.min(times * RECONNECT_STEP_MS, RECONNECT_MAX_MS);
  const common = toCommon(address);
  const connection = cluster
    ? new driver.Cluster([...nodes], toClusterOptions(common, { queues, backOff }))
    : new driver.Redis({
        ...common,
        ...nodes[0]!,
        db: database,
        enableOfflineQueue: queues,
        retryStrategy: backOff,
      });
  // The caller receives a failure as an answer; an event without a listener would end the process.
  connection.on("error", () => undefined);
  return connection;
}

function toCommon({ tls, username, password }: SharedAddress): RedisOptions {
  return {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    keepAlive: KEEP_ALIVE_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Its failure has no listener and ends the process; the subscriber asks again (subscriber.ts).
    autoResubscribe: false,
    connectionName: "vicinity",
    reconnectOnError: createReconnection(),
  };
}

/** How often a connection that leads to a copy is made again, ms. */
const RECONNECT_EVERY_MS = 5_000;

/** After a failover the connection may lead to what is a copy now; or there is nothing but copies. */
function createReconnection(): (error: Error) => boolean {
  let last_ms = -Infinity;
  return (error) => {
    if (!error.message.startsWith("READONLY")) return false;
    if (performance.now() - last_ms < RECONNECT_EVERY_MS) return false;
    last_ms = performance.now();
    return true;
  };
}

function toClusterOptions(
  redisOptions: RedisOptions,
  { queues, backOff }: { queues: boolean; backOff: (times: number) => number },
): ClusterOptions {
  return {
    redisOptions,
    enableOfflineQueue: queues,
    clusterRetryStrategy: backOff,
    slotsRefreshTimeout: CONNECT_MS,
    maxRedirections: 4,
    // A caller waits for 50 ms: a slot that is moving has a few tries in that time.
    retryDelayOnFailover: 10,
    retryDelayOnTryAgain: 10,
    retryDelayOnClusterDown: 10,
  };
}
