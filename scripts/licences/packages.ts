/**
 * Packages that an installation without development packages has, as package-lock.json names them, with
 * the licence and the copyright that each states in its own folder.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

type Entry = { version: string; dev?: boolean; optional?: boolean; integrity?: string };

export type Package = {
  name: string;
  version: string;
  /** SPDX expression. */
  licence: string;
  /** Lines that begin with "Copyright", as they are; none: it states none. */
  copyright: readonly string[];
  /** SHA-512 of the archive, hexadecimal. */
  sha512: string;
};

/**
 * Licences of packages whose package.json states none, read from the text in its folder. A new
 * one stops the generation until a person has read it.
 */
const STATED_ELSEWHERE: Readonly<Record<string, { licence: string; begins: string }>> = {
  suncalc: { licence: "BSD-2-Clause", begins: "Copyright (c)" },
};

export function listPackages(): Package[] {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, Entry>;
  };
  const matches = Object.entries(lock.packages)
    .filter(([path, entry]) => path !== "" && !entry.dev)
    .map(([path, entry]) => toPackage(path, entry));
  const unique = new Map(matches.map((each) => [`${each.name}@${each.version}`, each]));
  return [...unique.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

function toPackage(path: string, { version, integrity = "" }: Entry): Package {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const folder = join(ROOT, path);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
    license?: unknown;
  };
  if (manifest.version !== version)
    throw new Error(`${path} is ${manifest.version}, and the lockfile has ${version}: npm ci`);
  const texts = readLicences(folder);
  return {
    name,
    version,
    licence: findLicence(name, manifest.license, texts),
    copyright: texts.flatMap(listCopyright),
    sha512: Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex"),
  };
}

function findLicence(name: string, stated: unknown, texts: readonly string[]): string {
  if (typeof stated === "string" && stated !== "") return stated;
  const entry = STATED_ELSEWHERE[name];
  if (entry && texts.some((text) => text.includes(entry.begins))) return entry.licence;
  throw new Error(`${name} states no licence: read its text, and add it to STATED_ELSEWHERE`);
}

function readLicences(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8"));
}

const LINE = /^\W*(copyright\s+(?:\(c\)|©|\d).*|©.*|\(c\)\s.*)$/i;

/** The first ones: some files have the licences of all that was ever copied. */
const LINES_MAX = 4;

function listCopyright(text: string): string[] {
  const lines = text.split("\n").flatMap((line) => {
    const match = LINE.exec(line.trim())?.[1];
    return match && !/\[yyyy\]|<year>/i.test(match) ? [match.replaceAll(/\s+/g, " ").trim()] : [];
  });
  return [...new Set(lines)].slice(0, LINES_MAX);
}
