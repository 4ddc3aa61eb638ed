/** Texts of an address in one line. */
import type { Address } from "./candidate.ts";

/** Street and number as one line; null: no street is known. */
export function streetLine(street: string | null, number: string | null): string | null {
  return street === null || number === null ? street : `${street} ${number}`;
}

/** Composes `Name, Street 1, 75005 City, Region, Country`, nothing said twice. */
export function composeLabel(name: string, address: Omit<Address, "formatted">): string {
  const { street, street_number, city, postal_code, region, country } = address;
  const line = streetLine(street, street_number);
  const parts = [name];
  const add = (part: string | null): void => {
    if (part !== null && !parts.includes(part)) parts.push(part);
  };
  add(line);
  const town = [postal_code, city].filter((part) => part !== null && !parts.includes(part));
  add(town.join(" ") || null);
  add(region === city ? null : region);
  add(country);
  return parts.join(", ");
}
