/** The register of lifts as its tests read it. */
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import { type FastaSettings, fastaLifts } from "#providers/fasta.ts";
import type { RegisteredLift } from "#providers/lift-register.ts";

export const SETTINGS: FastaSettings = {
  url: "https://lifts.example/v2",
  timeout_ms: 3_000,
  client_id: "client",
  api_key: "key",
};

export function read(
  wire: WireAnswer,
  trail: TrailRecorder = createTrail(),
): ReadAnswer<RegisteredLift[]> {
  return fastaLifts.read(wire, null, { settings: SETTINGS, trail });
}
