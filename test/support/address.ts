import { parseIp } from "#core/ip.ts";
import { type AddressKeys, toAddressKeys } from "#core/limits/address-block.ts";

/** Keys of an address as text; null: not an IP address. */
export function readAddressKeys(text: string): AddressKeys | null {
  const ip = parseIp(text);
  return ip && toAddressKeys(ip);
}
