/** An answer of GET /v1/sources/{id}/quality for the description. */
import { SOURCES_EXAMPLE } from "./examples.ts";
import type { SourceQualityReply } from "./quality.ts";

export const QUALITY_EXAMPLE: SourceQualityReply = {
  source: SOURCES_EXAMPLE.sources[0]!,
  generated_at: "2026-11-14T09:30:00Z",
  requested: true,
  last_24_hours: {
    from: "2026-11-13T09:45:00Z",
    until: "2026-11-14T09:30:00Z",
    step_s: 900,
    attempts: 4,
    failures: 1,
    availability: 0.75,
    age: { p50_s: 40, p99_s: 900, max_s: 900 },
    slots: [
      null,
      { attempts: 3, failures: 1, state: "timeout", age_s: 900 },
      { attempts: 1, failures: 0, state: "ok", age_s: 40 },
    ],
  },
  last_30_days: {
    from: "2026-10-16T00:00:00Z",
    until: "2026-11-14T09:30:00Z",
    step_s: 86_400,
    attempts: 4,
    failures: 1,
    availability: 0.75,
    age: { p50_s: 60, p99_s: 900, max_s: 900 },
    slots: [null, { attempts: 4, failures: 1, state: "timeout", age_s: 900 }],
  },
  last_reading_at: "2026-11-14T09:29:40Z",
  dropped: [
    {
      reason: "coordinates_zero",
      part: "station_information",
      count: 1,
      readings: 12,
      current: true,
      examples: ["213688169"],
      meaning: "The coordinates are 0,0 or within 0.001 degrees of it.",
      advice: "Publish the real position, or leave the entry out until it has one.",
      first_at: "2026-11-10T08:00:00Z",
      last_at: "2026-11-14T09:29:40Z",
    },
  ],
  repaired: [],
  contradictions: [],
};
