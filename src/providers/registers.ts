/** Every register that is read whole, by its id: what a thread is asked by. */
import { geodae } from "#providers/geodae/registry.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import { ocpi } from "#providers/ocpi/locations.ts";
import { openAedMap } from "#providers/openaedmap/registry.ts";
import { fountains, toilets } from "#providers/paris_opendata/registries.ts";

type AnyRegister = Pick<Registry<LookupSettings>, "id" | "open">;

/** Each is asked with the settings that are its own. */
const REGISTERS = [geodae, ocpi, openAedMap, fountains, toilets] as unknown as AnyRegister[];

export function findRegister(id: string): AnyRegister | undefined {
  return REGISTERS.find((register) => register.id === id);
}
