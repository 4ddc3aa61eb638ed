/** feed_info.txt and attributions.txt (mobility.md 3.1): whom to name for the feed. */
import { toBool, toName } from "#kit/coerce.ts";
import { type CsvFile, readCell } from "#kit/csv.ts";

export type Credits = { names: Set<string> };

/** Reads the publisher, who is credited unless attributions.txt says whom to credit. */
export function readFeedInfo(): CsvFile & Credits {
  const names = new Set<string>();
  return {
    file: "feed_info.txt",
    columns: ["feed_publisher_name"],
    needed: [],
    names,
    onRow(row) {
      const name = toName(readCell(row, 0));
      if (name !== null) names.add(name);
    },
  };
}

const COLUMNS = ["organization_name", "agency_id", "route_id", "trip_id", "is_producer"] as const;

/** Lines about the whole feed; those of one agency, route or trip are not for every station. */
export function readAttributions(): CsvFile & Credits {
  const names = new Set<string>();
  return {
    file: "attributions.txt",
    columns: COLUMNS,
    needed: [],
    names,
    onRow(row) {
      const [name, agency, route, trip, producer] = COLUMNS.map((_, i) => readCell(row, i));
      const text = toName(name);
      if (text === null || agency !== "" || route !== "" || trip !== "") return;
      if (toBool(producer) !== false) names.add(text);
    },
  };
}
