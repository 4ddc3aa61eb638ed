/** Requested → applied (§7 rule 3, §8): what is above its maximum is reduced, and said. */

type CapWarning = {
  code: "radius_capped" | "limit_capped";
  message: string;
  requested: number;
  applied: number;
};

export type Clamped = { radius: number; limit: number; warnings: CapWarning[] };

export function clampNearby(
  requested: { radius: number; limit: number },
  max: { radius: number; limit: number },
): Clamped {
  const radius = Math.min(requested.radius, max.radius);
  const limit = Math.min(requested.limit, max.limit);
  const warnings: CapWarning[] = [];
  if (radius !== requested.radius) {
    const message = `radius was reduced to its maximum of ${radius} metres`;
    warnings.push({ code: "radius_capped", message, requested: requested.radius, applied: radius });
  }
  if (limit !== requested.limit) {
    const message = `limit was reduced to the ${limit} that the caller's plan allows`;
    warnings.push({ code: "limit_capped", message, requested: requested.limit, applied: limit });
  }
  return { radius, limit, warnings };
}
