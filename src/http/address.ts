/**
 * Whose request it is, as far as limits are concerned: the peer of the socket, or, where the peer
 * is a trusted proxy (decisions, Authentication), the address that the proxies saw. Nothing that
 * somebody untrusted wrote can choose a key: `X-Forwarded-For` is read from its end, where the
 * proxies append, and only as far as trusted ones vouch for it.
 */
import type { IncomingMessage } from "node:http";
import { BlockList, isIPv4 } from "node:net";
import { type AddressKeys, toAddressKeys } from "#core/limits/address.ts";

export type ClientAddress = (request: IncomingMessage) => AddressKeys;

/** Of a local socket, and of a peer that has left already: all of them together. */
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
    peer.is_trusted ??= isTrusted(socket.remoteAddress);
    // Node joins the lines of this header with commas, in their order.
    const forwarded = headers["x-forwarded-for"] as string | undefined;
    if (!peer.is_trusted || forwarded === undefined) return peer.keys;
    return walk(forwarded, peer.keys, isTrusted);
  };
}

type Peer = { keys: AddressKeys; is_trusted: boolean | null };

/** A socket's peer never changes, and asking for it costs more than all the rest. */
function createPeerCache(): (socket: IncomingMessage["socket"]) => Peer {
  const known = new WeakMap<object, Peer>();
  return (socket) => {
    const held = known.get(socket);
    if (held !== undefined) return held;
    const address = socket.remoteAddress;
    const keys = (address === undefined ? null : toAddressKeys(address)) ?? UNKNOWN;
    const peer = { keys, is_trusted: null };
    known.set(socket, peer);
    return peer;
  };
}

/** From the last entry to the first: the first that is not trusted, or the last one that was. */
function walk(
  forwarded: string,
  peer: AddressKeys,
  isTrusted: (address: string) => boolean,
): AddressKeys {
  let keys = peer;
  let end = forwarded.length;
  for (let hops = 0; hops < HOPS_MAX && end >= 0; hops++) {
    const start = forwarded.lastIndexOf(",", end - 1) + 1;
    const address = withoutPort(forwarded.slice(start, end).trim());
    const reported = toAddressKeys(address);
    // Whoever passed on what is no address is as near as we get.
    if (reported === null) return keys;
    keys = reported;
    if (!isTrusted(address)) return keys;
    end = start - 1;
  }
  return keys;
}

/** Some proxies tell the client's port too. */
function withoutPort(entry: string): string {
  const found = V4_PORT.exec(entry) ?? BRACKETED.exec(entry);
  return found?.[1] ?? entry;
}

/** Whether an address is within the blocks. */
export function createTrust(blocks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const block of blocks) addBlock(list, block);
  return (address) => {
    if (address === undefined) return false;
    // The list finds an IPv4 address that is mapped into IPv6 among the blocks of IPv4.
    return list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  };
}

/** Without bits it is one address. */
function addBlock(list: BlockList, block: string): void {
  const [address = "", bits] = block.split("/");
  const [family, all] = isIPv4(address) ? (["ipv4", 32] as const) : (["ipv6", 128] as const);
  list.addSubnet(address, bits === undefined ? all : Number(bits), family);
}
