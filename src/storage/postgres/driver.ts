/**
 * The driver of PostgreSQL, loaded only where a store URL is given, and how its connections are set
 * up. Each mode has its own schema, as it has its own data folder: the sandbox's invented accounts
 * are never stored next to real ones.
 */
import type { Client, ClientConfig, DatabaseError, Pool, types } from "pg";
import { toLine } from "#storage/error-line.ts";

export type Driver = {
  Client: typeof Client;
  Pool: typeof Pool;
  DatabaseError: typeof DatabaseError;
  types: typeof types;
};

type GetTypeParser = Driver["types"]["getTypeParser"];

export type StoreMode = "sandbox" | "live";

/** Place of the tables; the URL is a secret, since it may hold a password. */
export type StoreAddress = { url: string; mode: StoreMode };

/** Timeout of connecting, and of one statement, its wait for a connection included. */
export const QUERY_TIMEOUT_MS = 2_000;

/** Locks of a replica that was frozen in a transaction are let go after this time. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * Loads the driver; `problem`: the package is missing, in one line that names it and the setting.
 */
export async function loadDriver(
  load: () => Promise<Driver> = () => import("pg"),
): Promise<Driver | { problem: string }> {
  try {
    return await load();
  } catch (error) {
    const line = "VICINITY_STORE_URL needs the npm package pg, which cannot be loaded";
    return { problem: `${line}: ${toLine(error)}` };
  }
}

export function schemaOf(mode: StoreMode): string {
  return `vicinity_${mode}`;
}

/**
 * Settings go with the start of a connection, so that none is used without them. They belong to the
 * session: a proxy that hands sessions round (PgBouncer by transaction) does not fit.
 */
export function toClientConfig(driver: Driver, { url, mode }: StoreAddress): ClientConfig {
  const address = new URL(url);
  const settings = [
    address.searchParams.get("options") ?? "",
    `-c search_path=${schemaOf(mode)}`,
    `-c statement_timeout=${QUERY_TIMEOUT_MS}`,
    `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
  ];
  address.searchParams.set("options", settings.join(" ").trim());
  return {
    connectionString: address.href,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    fallback_application_name: "vicinity",
    keepAlive: true,
    types: { getTypeParser: toTypeParser(driver) },
  };
}

/** Times in ms and sums are integers below 2^53; bytes are bytes, as the embedded store has them. */
function toTypeParser({ types }: Driver): GetTypeParser {
  const { INT8, BYTEA } = types.builtins;
  const toBytes = types.getTypeParser(BYTEA) as (text: string) => Buffer;
  return (id, format): unknown => {
    if (format === "binary" || (id !== INT8 && id !== BYTEA))
      return types.getTypeParser(id, format);
    if (id === INT8) return Number;
    return (text: string) => {
      const bytes = toBytes(text);
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    };
  };
}
