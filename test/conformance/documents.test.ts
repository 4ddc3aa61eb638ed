/** The documents kept of sources that are read whole: everything or nothing, over restarts. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { KeptDocuments } from "#core/kept-documents.ts";
import { createDocumentStore } from "#storage/embedded/documents.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const DOCUMENTS: KeptDocuments = {
  origin: "o",
  read_at_ms: 1_790_000_000_000,
  etag: '"1"',
  last_modified: null,
  bodies: [bytes("one"), bytes(""), bytes("drei")],
};

function openFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-documents-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "documents");
}

function plain(documents: KeptDocuments | null): object | null {
  const textsOf = (bodies: readonly Uint8Array[]) =>
    bodies.map((body) => Buffer.from(body).toString());
  return (
    documents && {
      ...documents,
      bodies: textsOf(documents.bodies),
      ...(documents.companions && {
        companions: { ...documents.companions, bodies: textsOf(documents.companions.bodies) },
      }),
    }
  );
}

test("documents are returned as put, also after a restart, and readable by the owner alone", async (t) => {
  const folder = openFolder(t);
  const store = createDocumentStore(folder);
  assert.equal(await store.read("a"), null);
  assert.equal(await store.write("a", DOCUMENTS), true);
  assert.deepEqual(plain(await createDocumentStore(folder).read("a")), plain(DOCUMENTS));
  for (const name of readdirSync(folder))
    assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
});

test("a later write replaces the earlier documents and leaves no file behind", async (t) => {
  const folder = openFolder(t);
  const store = createDocumentStore(folder);
  await store.write("a", DOCUMENTS);
  await store.write("ab", DOCUMENTS);
  const later = { ...DOCUMENTS, read_at_ms: 2, bodies: [bytes("later")] };
  await store.write("a", later);
  assert.deepEqual(plain(await store.read("a")), plain(later));
  assert.deepEqual(plain(await store.read("ab")), plain(DOCUMENTS));
  assert.equal(readdirSync(folder).length, 4);
});

test("what they are read with is kept with them", async (t) => {
  const store = createDocumentStore(openFolder(t));
  const companions = { etag: null, last_modified: "x", bodies: [bytes("vier"), bytes("")] };
  const whole = { ...DOCUMENTS, companions };
  await store.write("a", whole);
  assert.equal(await store.confirm("a", 5), true);
  assert.deepEqual(plain(await store.read("a")), plain({ ...whole, read_at_ms: 5 }));
});

test("a confirmation changes the date alone", async (t) => {
  const store = createDocumentStore(openFolder(t));
  assert.equal(await store.confirm("a", 5), false);
  await store.write("a", DOCUMENTS);
  assert.equal(await store.confirm("a", 5), true);
  assert.deepEqual(plain(await store.read("a")), { ...plain(DOCUMENTS), read_at_ms: 5 });
});

test("a damaged file is no document; a folder that cannot be written to is reported", async (t) => {
  const folder = openFolder(t);
  const store = createDocumentStore(folder);
  await store.write("a", DOCUMENTS);
  const content = readdirSync(folder).find((name) => name.endsWith(".gz"))!;
  writeFileSync(join(folder, content), "damaged");
  assert.equal(await store.read("a"), null);
  writeFileSync(join(folder, "file"), "");
  assert.equal(await createDocumentStore(join(folder, "file")).write("a", DOCUMENTS), false);
});
