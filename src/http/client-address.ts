/**
 * The address whose limits a request counts against: the peer of the socket, or, where the peer
 * is a trusted proxy (decisions, Authentication), the address that the proxies saw. Nothing written by
 * an untrusted party can choose a key: `X-Forwarded-For` is read from its end, where the
 * proxies append, and only as far as trusted ones vouch for it.
 */
import type { IncomingMessage } from "node:http";
import { type Ip, isInBlock, parseBlock, parseIp } from "#core/ip.ts";
import { type AddressKeys, toAddressKeys } from "#core/limits/address-block.ts";

export type ClientAddress = (request: IncomingMessage) => AddressKeys;

/** Shared by all local sockets, and by peers that have left already. */
const UNKNOWN: AddressKeys = { narrow: "unknown", wide: "unknown/any" };
/** No chain of proxies is that long; a trusted hop that is reported beyond it counts as the client. */
const HOPS_MAX = 32;
const V4_PORT = /^([0-9.]+):[0-9]{1,5}$/;
const BRACKETED = /^\[([^\]]*)\](?::[0-9]{1,5})?$/;

/** `trusted_proxies`: address blocks, as the configuration has checked them. */
export function createClientAddress(trusted_proxies: readonly string[]): ClientAddress {
  const ofPeer = createPeerCache();
  if (trusted_proxies.length === 0) return (request) => ofPeer(request.socket).keys;
  const isTrusted = createTrust(trusted_proxies);
  return ({ socket, headers }) => {
    const peer = ofPeer(socket);
    peer.is_trusted ??= peer.ip !== null && isTrusted(peer.ip);
    // Node joins the lines of this header with commas, in their order.
    const forwarded = headers["x-forwarded-for"] as string | undefined;
    if (!peer.is_trusted || forwarded === undefined) return peer.keys;
    return walk(forwarded, peer.keys, isTrusted);
  };
}

/** `ip`: null of a local socket. */
type Peer = { ip: Ip | null; keys: AddressKeys; is_trusted: boolean | null };

/** A socket's peer never changes, and asking for it costs more than all the rest. */
function createPeerCache(): (socket: IncomingMessage["socket"]) => Peer {
  const cache = new WeakMap<object, Peer>();
  return (socket) => {
    const stored = cache.get(socket);
    if (stored !== undefined) return stored;
    const ip = parseIp(socket.remoteAddress ?? "");
    const peer = { ip, keys: ip === null ? UNKNOWN : toAddressKeys(ip), is_trusted: null };
    cache.set(socket, peer);
    return peer;
  };
}

/** From the last entry to the first: the first that is not trusted, or the last one that was. */
function walk(forwarded: string, peer: AddressKeys, isTrusted: (ip: Ip) => boolean): AddressKeys {
  let keys = peer;
  let end = forwarded.length;
  for (let hops = 0; hops < HOPS_MAX && end >= 0; hops++) {
    const start = forwarded.lastIndexOf(",", end - 1) + 1;
    const reported = parseIp(withoutPort(forwarded.slice(start, end).trim()));
    // The proxy that passed on text that is no address is as near as we get.
    if (reported === null) return keys;
    keys = toAddressKeys(reported);
    if (!isTrusted(reported)) return keys;
    end = start - 1;
  }
  return keys;
}

/** Some proxies append the client's port. */
function withoutPort(entry: string): string {
  const match = V4_PORT.exec(entry) ?? BRACKETED.exec(entry);
  return match?.[1] ?? entry;
}

/** Whether an address is within one of the blocks; IPv4 and its mapping into IPv6 are one. */
export function createTrust(blocks: readonly string[]): (ip: Ip) => boolean {
  const trusted = blocks.map(parseBlock);
  return (ip) => trusted.some((block) => isInBlock(ip, block));
}
