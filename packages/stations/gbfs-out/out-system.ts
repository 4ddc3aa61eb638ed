/** system_information, gbfs, gbfs_versions and the manifest, in GBFS 3.0 and 2.3. */
import type { StaticsMeta } from "../shard/shard-statics.ts";
import {
  fileName,
  languageOf,
  OUT_VERSIONS,
  type OutFile,
  type OutRow,
  type OutVersion,
  textIn,
} from "./out-envelope.ts";

/** Terms under which a source may be handed on. */
export type OutTerms = {
  source_id: string;
  licence: string | null;
  licence_url: string | null;
  attribution: string | null;
  attribution_url: string | null;
};

export type SystemSubject = {
  id: string;
  meta: StaticsMeta;
  terms: OutTerms;
  timezone: string;
  /** E-mail address of who runs this service. */
  contact: string;
  /** Of the manifest. */
  manifest_url: string;
};

/** An identifier of SPDX by its form. */
const SPDX_ID = /^[A-Za-z0-9][A-Za-z0-9.+-]{1,63}$/;
/** A rule of opening_hours that says that they are not known. */
const HOURS_UNKNOWN = "unknown";

/** Data of system_information. */
export function systemData(subject: SystemSubject, version: OutVersion): OutRow {
  const { id, meta, timezone, terms, contact } = subject;
  const { system, network } = meta;
  const language = languageOf(system?.languages ?? []);
  const toText = textIn(version, language);
  const is_3 = version === "3.0";
  const optional = (name: string, text: string | null | undefined) =>
    text == null ? {} : { [name]: toText(text) };
  return {
    system_id: id,
    ...(is_3 ? { languages: [language] } : { language }),
    name: toText(system?.name ?? network.name),
    ...(is_3 ? { opening_hours: system?.opening_hours ?? HOURS_UNKNOWN } : {}),
    ...optional("short_name", system?.short_name),
    ...optional("operator", system?.operator),
    ...(system?.url == null ? {} : { url: system.url }),
    feed_contact_email: contact,
    ...(is_3 ? { manifest_url: subject.manifest_url } : {}),
    timezone,
    ...licenceOf(terms, version),
    ...(is_3 ? optional("attribution_organization_name", terms.attribution) : {}),
    ...(is_3 && terms.attribution_url !== null ? { attribution_url: terms.attribution_url } : {}),
  };
}

/** An identifier or an address, never both; before 3.0 an address alone. */
function licenceOf({ licence, licence_url }: OutTerms, version: OutVersion): OutRow {
  const id = licence !== null && SPDX_ID.test(licence) ? licence : null;
  if (version === "3.0" && id !== null) return { license_id: id };
  const url = licence_url ?? (id === null ? null : `https://spdx.org/licenses/${id}.html`);
  return url === null ? {} : { license_url: url };
}

/** Addresses of a deployment: `origin` as the caller wrote it. */
function fileUrl(origin: string, id: string, file: OutFile, version: OutVersion): string {
  const [segment] = Object.entries(OUT_VERSIONS).find(([, each]) => each === version)!;
  return `${origin}/gbfs/${segment}/${encodeURIComponent(id)}/${fileName(file, version)}.json`;
}

export function manifestUrl(origin: string): string {
  return `${origin}/gbfs/v3/manifest.json`;
}

/** Data of gbfs: the files that a system has. */
export function discoveryData(
  origin: string,
  system: { id: string; languages: readonly string[]; files: readonly OutFile[] },
  version: OutVersion,
): OutRow {
  const feeds = system.files.map((file) => ({
    name: fileName(file, version),
    url: fileUrl(origin, system.id, file, version),
  }));
  return version === "3.0" ? { feeds } : { [languageOf(system.languages)]: { feeds } };
}

/** Data of gbfs_versions. */
export function versionsOf(origin: string, id: string): { version: string; url: string }[] {
  return (["2.3", "3.0"] as const).map((version) => ({
    version,
    url: fileUrl(origin, id, "gbfs", version),
  }));
}
