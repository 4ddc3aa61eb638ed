/** Golden pairs of a provider: what came over the wire, and what was meant by it. */
import { readdirSync, readFileSync } from "node:fs";
import { createTrail } from "#kit/trail.ts";
import type { Registry } from "#providers/lookup.ts";

const FIXTURES = new URL("../../../fixtures/providers/", import.meta.url);

export type Pair = { name: string; body: Uint8Array; expected: unknown };

export function pairsOf(provider: string): Pair[] {
  const folder = new URL(`${provider}/`, FIXTURES);
  const names = readdirSync(folder).flatMap((file) => /^(.+)\.wire\.json$/.exec(file)?.[1] ?? []);
  return names.sort().map((name) => ({
    name,
    body: readFileSync(new URL(`${name}.wire.json`, folder)),
    expected: JSON.parse(readFileSync(new URL(`${name}.expected.json`, folder), "utf8")),
  }));
}

/** Members that are undefined are gone, as in a file. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** All of a registry's document: its places, and why the others are none. */
export function readRegistry<S>(
  registry: Pick<Registry<S>, "open">,
  body: Uint8Array,
  settings: S,
) {
  const trail = createTrail();
  const opened = registry.open(body, { settings, trail });
  const places = opened && [...opened].filter((place) => place !== null);
  return { places, dropped: trail.toTrail().dropped };
}
