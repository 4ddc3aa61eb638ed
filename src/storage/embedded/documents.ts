/**
 * Kept documents in a folder: one compressed file per source and a small label file that describes
 * it. The label is replaced last and names the other file by its content, so that after a crash
 * either the old pair or the new one is there.
 */
import { hash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { parseJson } from "#kit/json.ts";
import {
  type DocumentStore,
  type KeptDocuments,
  MAX_KEPT_BYTES,
  type Validators,
} from "#core/kept-documents.ts";

const compress = promisify(gzip);
const decompress = promisify(gunzip);

type Label = Omit<KeptDocuments, "bodies" | "companions"> & {
  /** SHA-256 of all bodies, and the length of each. */
  digest: string;
  lengths: number[];
  /** Of those that the others are read with, whose bodies are the last; absent: there are none. */
  companions?: Validators & { lengths: number[] };
};

/** Permissions for the owner alone: some documents came with credentials. */
const MODE = 0o600;

/** Creates the store of this folder; failures are values: null, or false. */
export function createDocumentStore(folder: string): DocumentStore {
  const pathOf = (name: string): string => join(folder, encodeURIComponent(name));
  const succeeds = (task: Promise<unknown>): Promise<boolean> =>
    task.then(
      () => true,
      () => false,
    );
  return {
    read: (name) => readStored(pathOf(name)).then(toValue, () => null),
    write: (name, documents) => succeeds(writeStored(folder, pathOf(name), documents)),
    confirm: (name, read_at_ms) =>
      succeeds(
        readLabel(pathOf(name)).then((label) =>
          replace(labelOf(pathOf(name)), JSON.stringify({ ...label, read_at_ms })),
        ),
      ),
  };
}

function toValue<T>(value: T): T {
  return value;
}

async function readStored(path: string): Promise<KeptDocuments | null> {
  const { digest, lengths, companions, ...label } = await readLabel(path);
  const packed = await readFile(contentOf(path, digest));
  const content = await decompress(packed, { maxOutputLength: MAX_KEPT_BYTES });
  if (hash("sha256", content) !== digest) return null;
  let at = 0;
  const cut = (length: number): Uint8Array => content.subarray(at, (at += length));
  const bodies = lengths.map(cut);
  if (!companions) return { ...label, bodies };
  const { lengths: others, ...validators } = companions;
  return { ...label, bodies, companions: { ...validators, bodies: others.map(cut) } };
}

/** Returns the name of the content that the text of a label names; null: it is no label. */
export function contentNameOf(label_name: string, text: string): string | null {
  const { digest } = Object(parseJson(text)) as Partial<Label>;
  if (typeof digest !== "string" || !label_name.endsWith(LABEL_END)) return null;
  return contentOf(label_name.slice(0, -LABEL_END.length), digest);
}

async function readLabel(path: string): Promise<Label> {
  return JSON.parse(await readFile(labelOf(path), "utf8")) as Label;
}

async function writeStored(
  folder: string,
  path: string,
  { bodies, companions, ...label }: KeptDocuments,
): Promise<void> {
  const content = Buffer.concat([...bodies, ...(companions?.bodies ?? [])]);
  const digest = hash("sha256", content);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replace(contentOf(path, digest), await compress(content));
  const text = { ...label, digest, lengths: lengthsOf(bodies), ...labelCompanions(companions) };
  await replace(labelOf(path), JSON.stringify(text));
  const current = contentOf(path, digest);
  const old = (await readdir(folder))
    .map((name) => join(folder, name))
    .filter(
      (other) => other.startsWith(`${path}.`) && other.endsWith(CONTENT_END) && other !== current,
    );
  await Promise.all(old.map((other) => rm(other, { force: true })));
}

function lengthsOf(bodies: readonly Uint8Array[]): number[] {
  return bodies.map(({ length }) => length);
}

function labelCompanions(companions: KeptDocuments["companions"]): Pick<Label, "companions"> {
  if (!companions) return {};
  const { bodies, ...validators } = companions;
  return { companions: { ...validators, lengths: lengthsOf(bodies) } };
}

async function replace(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.draft`;
  await writeFile(draft, content, { mode: MODE });
  await rename(draft, path);
}

export const LABEL_END = ".json";
export const CONTENT_END = ".gz";

function labelOf(path: string): string {
  return path + LABEL_END;
}

function contentOf(path: string, digest: string): string {
  return `${path}.${digest.slice(0, 16)}${CONTENT_END}`;
}
