/**
 * Where the shared store is (operation, VICINITY_SHARED_URL): `redis://[user:password@]host[:port]
 * [/database]`, with `rediss` for TLS and `valkey`, `valkeys` as other words for the same. Several
 * hosts divided by commas, or `?cluster=1`, are a cluster.
 */
import { unescape } from "node:querystring";

export type SharedAddress = {
  nodes: readonly { host: string; port: number }[];
  cluster: boolean;
  tls: boolean;
  username: string | null;
  password: string | null;
  /** Always 0 in a cluster, which has no other. */
  database: number;
};

const SHAPE =
  /^(redis|rediss|valkey|valkeys):\/\/(?:([^@/]*)@)?([^/?#@]+)(?:\/(\d{0,4}))?(\?cluster=[01])?$/;
const PORT = 6379;

/** Reads the address; null: it is none. Messages show no part of it: it may hold a password. */
export function readSharedAddress(text: string): SharedAddress | null {
  const parts = SHAPE.exec(text);
  if (!parts) return null;
  const [, scheme = "", login, hosts = "", database = "", query] = parts;
  const nodes = hosts.split(",").map(readNode);
  if (!nodes.every((node) => node !== null)) return null;
  const cluster = query === "?cluster=1" || nodes.length > 1;
  if (cluster && Number(database) !== 0) return null;
  const colon = login?.indexOf(":") ?? -1;
  return {
    nodes,
    cluster,
    tls: scheme.endsWith("ss") || scheme === "valkeys",
    username: toText(colon < 0 ? login : login?.slice(0, colon)),
    password: toText(colon < 0 ? undefined : login?.slice(colon + 1)),
    database: Number(database),
  };
}

function readNode(text: string): { host: string; port: number } | null {
  const url = URL.parse(`redis://${text}`);
  if (!url || url.hostname === "") return null;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? PORT : Number(url.port),
  };
}

function toText(part: string | undefined): string | null {
  return part === undefined || part === "" ? null : unescape(part);
}
