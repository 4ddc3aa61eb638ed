/** How much of a charger or a car park is free, as its attributes state it. */

/** Members that are read here; each may be absent. */
type Stated = {
  charging?: {
    available_count?: number;
    connector_count?: number;
    availability_updated_at?: string;
    source?: string;
  };
  availability?: { free?: number; capacity?: number; observed_at: string; source: string };
};

/** `total`: null where it is not known; `at`: when it was so, RFC 3339; `source`: who states it. */
export type FreeCounts = {
  free: number;
  total: number | null;
  at: string | null;
  source: string | null;
};

/** null: nothing is stated. */
export function findFreeCounts({ charging, availability }: Stated): FreeCounts | null {
  const stated = charging
    ? {
        free: charging.available_count,
        total: charging.connector_count,
        at: charging.availability_updated_at,
        source: charging.source,
      }
    : {
        free: availability?.free,
        total: availability?.capacity,
        at: availability?.observed_at,
        source: availability?.source,
      };
  const { free, total = null, at = null, source = null } = stated;
  return free === undefined ? null : { free, total, at, source };
}
