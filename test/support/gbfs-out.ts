/** Published GBFS in a test: the real use case over a deployment, its files validated against MobilityData's schemas. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { PublishedGbfs } from "#app/gbfs/gbfs-files.ts";
import type { FindTerms } from "#app/gbfs/out-systems.ts";
import type { FindTimezone } from "#app/timezone.ts";
import type { NoFile } from "#app/gbfs/out-types.ts";
import type { Deployment } from "./answers.ts";
import { capturedFolder } from "./captured.ts";

export const ORIGIN = "https://vicinity.example";

/** Open for all, under a licence. */
export const OPEN_TERMS: FindTerms = (source_id) => ({
  ...{ source_id, name: source_id, store: "all", licence: "CC0-1.0", licence_url: null },
  ...{ attribution: null, attribution_url: null },
});

export type GbfsDocument = {
  last_updated: string | number;
  ttl: number;
  version: string;
  data: Record<string, unknown>;
  _vicinity?: Record<string, unknown>;
};

export type Published = {
  files: PublishedGbfs;
  /** Reads a file; `v3/manifest` is the manifest. */
  read(path: string): Promise<{ document: GbfsDocument; bytes: Uint8Array; version: string }>;
  /** Why there is no such file. */
  refuse(path: string): Promise<NoFile["kind"] | "file">;
};

export function publish(
  { world, feeds, clock }: Pick<Deployment, "world" | "feeds" | "clock">,
  {
    terms = OPEN_TERMS,
    findTimezone = () => "Europe/Paris",
  }: { terms?: FindTerms; findTimezone?: FindTimezone } = {},
): Published {
  const files = new PublishedGbfs({
    ...{ world, feeds, clock, terms },
    turns: { take: async (work) => await work() },
    hash: () => createHash("sha256"),
    timezones: () => Promise.resolve(findTimezone),
    contact: "data@vicinity.example",
  });
  const ask = (path: string) => {
    const [segment, id = "", file = ""] = path.split("/");
    const isManifest = id === "manifest";
    return files.read({
      version: segment === "v2" ? "2.3" : "3.0",
      ...{
        system_id: isManifest ? null : decodeURIComponent(id),
        file,
        origin: ORIGIN,
        block: null,
      },
      deadline_ms: clock.now() + 1_000,
    });
  };
  return {
    files,
    async read(path) {
      const answer = await ask(path);
      if (answer.kind !== "file") throw new Error(`${path}: ${answer.kind}`);
      const { bytes, version } = answer;
      return {
        document: JSON.parse(Buffer.from(bytes).toString()) as GbfsDocument,
        bytes,
        version,
      };
    },
    refuse: async (path) => (await ask(path)).kind,
  };
}

/** Names of the files that a system lists in its gbfs.json, and that file. */
export function listedIn({ data }: GbfsDocument): string[] {
  const { feeds } = ("feeds" in data ? data : Object.values(data)[0]) as {
    feeds: { name: string }[];
  };
  return ["gbfs", ...feeds.map(({ name }) => name)];
}

const SCHEMAS = capturedFolder("gbfs-schemas", "PUBLISHED GBFS NOT VALIDATED");
export const NO_SCHEMAS = SCHEMAS.skip;

export type Validate = (version: "3.0" | "2.3", name: string, document: unknown) => string[];

/** MobilityData's schemas, with formats; a validator answers what is wrong. */
export function openSchemas(): Validate {
  const ajv = new Ajv({ strict: false, allErrors: true });
  (addFormats as unknown as (target: Ajv) => void)(ajv);
  const validators = new Map<string, ValidateFunction>();
  for (const version of ["3.0", "2.3"])
    for (const name of readdirSync(join(SCHEMAS.path, `v${version}`))) {
      const schema = JSON.parse(
        readFileSync(join(SCHEMAS.path, `v${version}`, name), "utf8"),
      ) as object;
      validators.set(`${version} ${name.replace(".json", "")}`, ajv.compile(schema));
    }
  return (version, name, document) => {
    const validate = validators.get(`${version} ${name}`)!;
    if (validate(document)) return [];
    return validate.errors!.map(
      ({ instancePath, message }) => `${version} ${name}${instancePath}: ${message}`,
    );
  };
}
