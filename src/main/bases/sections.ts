/** The parts of a base: what each takes from an extract is in its own file. */
import type { BaseSection } from "#core/base/features.ts";
import { createServicesSection } from "#providers/openstreetmap/base-services.ts";

export function createSections(): BaseSection[] {
  return [createServicesSection()];
}
