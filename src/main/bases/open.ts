/** The parts of an imported base, opened where they lie. */
import { openBasePack, type BasePack } from "#core/base/open.ts";
import { type BaseServices, openServices } from "#providers/openstreetmap/base-services.ts";

export type OpenBase = Pick<BasePack, "meta" | "covers"> & BaseServices;

/** null: the bytes are not a whole base of this version. */
export function openBase(bytes: Uint8Array): OpenBase | null {
  const pack = openBasePack(bytes);
  if (pack === null) return null;
  const { meta, columns, covers } = pack;
  return { meta, covers, ...openServices(columns, meta.sections["services"]) };
}
