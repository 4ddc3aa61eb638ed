/**
 * Addresses by text: the geocoder of a base, PostgreSQL with `pg_trgm`, and the npm package `minisearch`,
 * over the addresses of one extract. A third of the questions have a typing error.
 */
import { join } from "node:path";
import { distance_m } from "#kit/geo.ts";
import { startPostgres } from "../../test/support/engines.ts";
import { compareContenders, type Contender } from "./contenders.ts";
import { listAddresses } from "./addresses.ts";
import { createRng } from "../world.ts";
import { print } from "../children.ts";
import { writeJson } from "./files.ts";
import { installPackage } from "./packages.ts";

const RIGHT_M = 60;
const TYPO_EVERY = 3;
const MINISEARCH = "7.2.0";

export type AddressQuestion = { text: string; lat: number; lon: number };

export type Settings = { folder: string; extract: string; questions: number; rounds: number };

export async function compareGeocoding(settings: Settings): Promise<void> {
  const { folder, extract, rounds } = settings;
  const documents = await listAddresses(extract);
  const questions = draw(documents, settings.questions);
  const [documents_file, questions_file] = [
    writeJson(join(folder, "documents.json"), documents),
    writeJson(join(folder, "questions.json"), questions),
  ];
  const postgres = await startPostgres({ memory: "512MB" });
  const script = join(import.meta.dirname, "geocoding-contender.ts");
  const own = (name: string, ...args: string[]): Contender => ({
    name,
    command: process.execPath,
    args: [script, name, questions_file, ...args],
  });
  const contenders = [own("vicinity", extract)];
  if (postgres === null) print("pg_trgm: LEFT OUT, postgresql is not installed");
  else {
    const url = await postgres.createDatabase();
    contenders.push(own("pg_trgm", documents_file, url, String(postgres.pid)));
  }
  const at = installPackage(folder, "minisearch", MINISEARCH);
  if (at === null) print("minisearch: LEFT OUT, it cannot be installed here");
  else contenders.push(own("minisearch", documents_file, at));
  const subject = {
    title: `geocoding: ${questions.length} addresses of ${documents.length}, every third with a typing error; right within ${RIGHT_M} m`,
    contenders,
    isRight: (answer: unknown, i: number) => isNear(answer, questions[i]!),
  };
  try {
    await compareContenders(subject, rounds);
  } finally {
    await postgres?.stop();
  }
}

function isNear(answer: unknown, { lat, lon }: AddressQuestion): boolean {
  if (!Array.isArray(answer)) return false;
  const [at_lat, at_lon] = answer as [number, number];
  return distance_m(at_lat, at_lon, lat, lon) <= RIGHT_M;
}

function draw(documents: readonly AddressQuestion[], count: number): AddressQuestion[] {
  const random = createRng(3);
  return Array.from({ length: count }, (_, i) => {
    const each = documents[Math.floor(random() * documents.length)]!;
    return i % TYPO_EVERY > 0 ? each : { ...each, text: misspell(each.text) };
  });
}

/** Without the letter in the middle of its longest word. */
function misspell(text: string): string {
  const [longest = ""] = text.split(/[ ,]+/).toSorted((a, b) => b.length - a.length);
  const at = text.indexOf(longest) + Math.floor(longest.length / 2);
  return text.slice(0, at) + text.slice(at + 1);
}
