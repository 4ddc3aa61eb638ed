/** Stations of an answer of /api/v1/rentals (mobility.md 4.3). */
import type { Mode } from "#stations/entities.ts";
import { type Row, toId, toList, toName, toRow, toText, toTexts } from "#kit/coerce.ts";
import { type Item, readLocation, toItems } from "#stations/gbfs/gbfs-rows.ts";
import type { FeedProtocol } from "#stations/feed.ts";
import {
  NEVER_STATED,
  type ReadStations,
  staticProtocol,
  type StaticStation,
} from "#providers/static-stations.ts";

/** R1, for its form factors. */
const MODES: ReadonlyMap<string, Mode> = new Map(
  Object.entries({
    BICYCLE: "bicycle",
    CARGO_BICYCLE: "bicycle",
    SCOOTER_STANDING: "scooter",
    SCOOTER_SEATED: "scooter",
    MOPED: "moped",
    CAR: "car",
  }),
);

/** Of one of its providers, where the address names it: `…#provider=<id>`. */
const PROVIDER = /#provider=(.+)$/;

/** null: not an answer about rentals. */
const read: ReadStations = (wire, trail, { url }) => {
  const answer = toRow(wire);
  const stations = answer?.["stations"];
  if (!answer || !Array.isArray(stations)) return null;
  const only = PROVIDER.exec(url)?.[1];
  const wanted = only === undefined ? null : decodeURIComponent(only);
  const providers = providersOf(answer);
  const rows = stations.filter(
    (value) => wanted === null || toId(toRow(value)?.["providerId"]) === wanted,
  );
  const items = [...toItems(rows, ["id"], trail).values()];
  return { stations: items.flatMap((item) => toStation(item, providers) ?? []), seen: rows.length };
};

export const motisProtocol: FeedProtocol = staticProtocol("motis", read);

function providersOf(answer: Row): Map<string, Row> {
  const rows = toList(answer["providers"]).map(toRow);
  return new Map(
    rows.flatMap((row) => {
      const id = toId(row?.["id"]);
      return row && id !== null ? [[id, row] as const] : [];
    }),
  );
}

function toStation(item: Item, providers: ReadonlyMap<string, Row>): StaticStation | null {
  const { row, id, trail } = item;
  const location = readLocation(row);
  if (typeof location === "string") {
    trail.drop(location, id);
    return null;
  }
  const modes = toTexts(row["formFactors"]).map((factor) => MODES.get(factor) ?? "other");
  const provider = providers.get(toId(row["providerId"]) ?? "");
  const names = [toName(provider?.["name"]), toName(provider?.["operator"])];
  return {
    modes: modes.length > 0 ? [...new Set(modes)] : ["bicycle"],
    names: names.filter((name) => name !== null),
    station: {
      ...NEVER_STATED,
      id,
      name: toName(row["name"]) ?? `Station ${id}`,
      ...location,
      // The publisher's own key, as MOTIS passes it on.
      station_id: id,
      address: toText(row["address"]),
    },
  };
}
