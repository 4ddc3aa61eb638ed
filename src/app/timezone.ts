/**
 * The time zone of a coordinate, offline (decisions, Legacy routes). The map of zones is loaded with
 * the first question that needs it.
 */
export type FindTimezone = (lat: number, lon: number) => string;

/** Names of IANA; at sea `Etc/GMT+…`. */
export async function loadTimezones(): Promise<FindTimezone> {
  const { default: lookUp } = await import("@photostructure/tz-lookup");
  return lookUp;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Seconds east of Greenwich that clocks of the zone are at this moment, summer time included. */
export function offsetOf_s(zone: string, at_ms: number): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formats.set(zone, format);
  }
  const name = format.formatToParts(at_ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
  // "GMT", "GMT+05:30", and for times long past "GMT-00:44:30".
  const [, sign, hours, minutes, seconds] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  const offset_s = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
  return sign === "-" ? -offset_s : offset_s;
}
