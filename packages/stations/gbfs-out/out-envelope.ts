/** What all files have in common that this service publishes in GBFS: versions, names of files, envelope, texts. */
import { toRfc3339 } from "#kit/time.ts";

/** Versions that are published, by the segment of the path. */
export const OUT_VERSIONS = { v3: "3.0", v2: "2.3" } as const;
export type OutVersion = (typeof OUT_VERSIONS)[keyof typeof OUT_VERSIONS];

/** Files of a system, by their names of GBFS 3.0. */
export const OUT_FILES = [
  "gbfs",
  "gbfs_versions",
  "system_information",
  "vehicle_types",
  "station_information",
  "station_status",
  "vehicle_status",
  "system_alerts",
  "geofencing_zones",
  "system_pricing_plans",
] as const;
export type OutFile = (typeof OUT_FILES)[number];

/** Members of an object of a file; the schemas of GBFS say which. */
export type OutRow = Readonly<Record<string, unknown>>;

/** Name of the file of vehicles before 3.0. */
const VEHICLES_OF_2 = "free_bike_status";

export function fileName(file: OutFile, version: OutVersion): string {
  return file === "vehicle_status" && version === "2.3" ? VEHICLES_OF_2 : file;
}

/** undefined: the version has no such file. */
export function findFile(name: string, version: OutVersion): OutFile | undefined {
  return OUT_FILES.find((file) => fileName(file, version) === name);
}

export type OutTimes = {
  /** Epoch seconds. */
  last_updated_s: number;
  ttl_s: number;
};

/** The start of a file, up to the value of its data. */
export function envelopeStart(version: OutVersion, { last_updated_s, ttl_s }: OutTimes): string {
  const time = timeValue(last_updated_s, version);
  return `{"last_updated":${JSON.stringify(time)},"ttl":${ttl_s},"version":"${version}","data":`;
}

/** The end of a file. `extra`: members that only this service has; null: none, as the schema of the file demands. */
export function envelopeEnd(extra: OutRow | null): string {
  return extra === null ? "}" : `,"_vicinity":${JSON.stringify(extra)}}`;
}

/** RFC 3339 from 3.0 on, epoch seconds before. */
export function timeValue(epoch_s: number, version: OutVersion): string | number {
  return version === "3.0" ? toRfc3339(epoch_s) : Math.floor(epoch_s);
}

/** Before it, no time of GBFS is valid. */
export const FIRST_TIME_S = 1_450_155_600;

const LANGUAGE = /^[a-z]{2,3}(?:-[A-Z]{2})?$/;
/** ISO 639-2: the publisher does not say which. */
const UNDETERMINED = "und";

/** The language in which the texts of a system are held. */
export function languageOf(languages: readonly string[]): string {
  return languages.find((each) => LANGUAGE.test(each)) ?? UNDETERMINED;
}

/** A text as the version has it. */
export type ToText = (text: string) => string | { text: string; language: string }[];

export function textIn(version: OutVersion, language: string): ToText {
  return (text) => (version === "3.0" ? [{ text, language }] : text);
}
