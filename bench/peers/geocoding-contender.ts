/** Answers addresses: `NAME QUESTIONS …` (geocoding.ts). An answer is [lat, lon] of the first, or null. */
import { join } from "node:path";
import { Pool } from "pg";
import { createGeocoderSection, type GeocoderMeta, importBase, openGeocoder } from "#osm/index.ts";
import { openPack } from "#osm/imports.ts";
import { contend } from "./contender.ts";
import { readJson } from "./files.ts";
import type { AddressQuestion } from "./geocoding.ts";

type Answer = readonly [lat: number, lon: number] | null;

const [name = "", questions_file = "", ...args] = process.argv.slice(2);
const questions = readJson<AddressQuestion[]>(questions_file);
const CONTENDERS: Record<string, () => Promise<void>> = {
  vicinity: contendOurs,
  pg_trgm: contendTrigrams,
  minisearch: contendMinisearch,
};

async function contendOurs(): Promise<void> {
  const [extract = ""] = args;
  const sections = [createGeocoderSection()];
  const done = await importBase(extract, { id: "peers", region: null, now_ms: 0, sections });
  if (!done.ok) throw new Error(done.problem);
  const { columns, meta } = openPack(done.pack)!;
  const geocoder = openGeocoder(columns, meta.sections["geocoder"] as GeocoderMeta);
  const rest = { language: "en", country: null, near: null, limit: 5, prefix: false } as const;
  await contend(() =>
    Promise.resolve(
      questions.map(({ text }): Answer => {
        const [first] = geocoder.geocode({ q: text, ...rest });
        return first ? [first.location.lat, first.location.lon] : null;
      }),
    ),
  );
}

/** The way of its manual: an index of trigrams, what is similar, the most similar first. */
const SIMILAR = `SELECT lat, lon FROM documents WHERE text % $1 ORDER BY similarity(text, $1) DESC LIMIT 5`;

async function contendTrigrams(): Promise<void> {
  const [documents_file = "", url, pid] = args;
  const documents = readJson<AddressQuestion[]>(documents_file);
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  await pool.query("CREATE EXTENSION pg_trgm");
  await pool.query("CREATE TABLE documents (text text, lat float8, lon float8)");
  await pool.query(
    "INSERT INTO documents SELECT * FROM unnest($1::text[], $2::float8[], $3::float8[])",
    [
      documents.map(({ text }) => text),
      documents.map(({ lat }) => lat),
      documents.map(({ lon }) => lon),
    ],
  );
  await pool.query("CREATE INDEX ON documents USING gin (text gin_trgm_ops)");
  await pool.query("VACUUM ANALYZE documents");
  await contend(async () => {
    const answers: Answer[] = [];
    for (const { text } of questions) {
      const { rows } = await pool.query<{ lat: number; lon: number }>({
        ...{ name: "similar", text: SIMILAR, values: [text] },
      });
      const [first] = rows;
      answers.push(first ? [first.lat, first.lon] : null);
    }
    return answers;
  }, [Number(pid)]);
}

/** What its documentation shows for words with errors: every word counts, a fifth of it may differ. */
const SEARCH = { fuzzy: 0.2, combineWith: "AND" } as const;

type MiniSearch = {
  addAll(documents: readonly object[]): void;
  search(text: string, options: object): { lat: number; lon: number }[];
};

async function contendMinisearch(): Promise<void> {
  const [documents_file = "", at = ""] = args;
  const documents = readJson<AddressQuestion[]>(documents_file);
  const { default: MiniSearch } = (await import(join(at, "dist/es/index.js"))) as {
    default: new (options: object) => MiniSearch;
  };
  const index = new MiniSearch({ fields: ["text"], storeFields: ["lat", "lon"] });
  index.addAll(documents.map((document, id) => ({ id, ...document })));
  await contend(() =>
    Promise.resolve(
      questions.map(({ text }): Answer => {
        const [first] = index.search(text, SEARCH);
        return first ? [first.lat, first.lon] : null;
      }),
    ),
  );
}

await CONTENDERS[name]!();
