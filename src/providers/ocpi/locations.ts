/** The locations of an OCPI endpoint, page by page (places.md 7.2, transport_and_format). */
import { parseJsonBytes } from "#core/json.ts";
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#core/trail.ts";
import { toId, toNumber, toRow } from "#providers/coerce.ts";
import type { Registry } from "#providers/lookup.ts";
import descriptor, { type OcpiSettings } from "#providers/ocpi/index.ts";
import { toStation } from "#providers/ocpi/station.ts";
import type { Auth } from "#providers/provider.ts";

/** Charging stations of one OCPI endpoint. */
export const ocpi: Registry<OcpiSettings> = {
  id: descriptor.id,
  provider: descriptor,
  kind: "charging",
  requests: (settings) => [
    {
      url: settings.url,
      headers: { accept: "application/json" },
      auth: toAuth(settings),
      max_bytes: descriptor.limits.max_bytes,
      timeout_ms: settings.timeout_ms,
    },
  ],
  open: (body, { settings, trail }) => {
    const rows = listLocations(parseJsonBytes(body), trail);
    return rows && readAll(rows, settings, trail);
  },
};

/** From 2.2 on the token is sent as Base64 of its UTF-8 bytes. */
function toAuth({ token, token_raw }: OcpiSettings): Auth {
  if (token === "") return { kind: "none" };
  const bytes = Array.from(new TextEncoder().encode(token), (byte) => String.fromCharCode(byte));
  const sent = token_raw ? token : btoa(bytes.join(""));
  return { kind: "headers", headers: { Authorization: `Token ${sent}` } };
}

/**
 * Of the envelope, or of the bare array that some send. A status beyond 1xxx is a failure, whatever
 * HTTP says; a list of which nothing has coordinates is one of another module.
 */
function listLocations(json: unknown, trail: TrailRecorder): readonly unknown[] | null {
  const envelope = toRow(json);
  if (envelope && !isSuccess(envelope["status_code"])) return null;
  const rows = envelope ? envelope["data"] : json;
  if (!Array.isArray(rows)) return null;
  const isOther = rows.length > 0 && !rows.some((row) => toRow(row)?.["coordinates"] != null);
  if (isOther) return null;
  if (!envelope) trail.repair("envelope_missing", descriptor.id);
  return rows;
}

function isSuccess(wire: unknown): boolean {
  if (wire == null) return true;
  const code = toNumber(wire);
  return code !== null && code >= 1_000 && code < 2_000;
}

function* readAll(
  rows: readonly unknown[],
  settings: OcpiSettings,
  trail: TrailRecorder,
): Generator<Place | null> {
  const seen = new Set<string>();
  for (const [index, wire] of rows.entries()) {
    const row = toRow(wire);
    const id = toId(row?.["id"]);
    const found = !row ? "row_malformed" : toStation(row, { settings, trail });
    if (typeof found === "string") trail.drop(found, id ?? `#${index}`);
    else if (seen.has(found.external_id)) trail.drop("id_duplicate", found.external_id);
    else {
      seen.add(found.external_id);
      yield found;
      continue;
    }
    yield null;
  }
}
