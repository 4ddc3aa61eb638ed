/** Words of the pages in other languages: failures, lists, speeds. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { withFetch } from "../../support/with-fetch.ts";

const page = (path: string): URL => new URL(`../../../explorer/${path}`, import.meta.url);
const load = async <T>(path: string): Promise<T> => (await import(page(path).href)) as T;
const { loadTexts } = await load<{
  loadTexts(assets: string, how: { tag: string }): Promise<void>;
}>("page/texts.js");
const { withCommas } = await load<{ withCommas(parts: string[]): string }>("page/format.js");
const { call } = await load<{ call(ask: object): Promise<{ problem: string | null }> }>(
  "data/api.js",
);

const speak = (tag: string): Promise<void> => {
  const texts = readFileSync(page(`texts/${tag}.json`), "utf8");
  return withFetch(
    () => new Response(texts),
    () => loadTexts("/", { tag }),
  );
};

before(() => {
  Object.assign(globalThis, { document: { documentElement: {} }, location: { search: "" } });
});

test("what failed is said in the language of the page, from the code of the error", async () => {
  const problemOf = async (code: string, status = 502): Promise<string | null> => {
    const body = { error: { code, message: "Sandbox Maps answers with errors; ask again" } };
    const { problem } = await withFetch(
      () => Response.json(body, { status }),
      () => call({ path: "/v1/x", query: {} }),
    );
    return problem;
  };
  await speak("en");
  assert.match((await problemOf("provider_bad_response"))!, /^Sandbox Maps answers with errors/);
  await speak("de");
  assert.equal(await problemOf("provider_bad_response"), "antwortet mit Fehlern");
  assert.equal(await problemOf("provider_timeout"), "zu langsam");
  assert.match((await problemOf("overloaded", 503))!, /^Der Dienst antwortete mit 503/);
});

test("a list has the commas of its language", async () => {
  for (const [tag, text] of Object.entries({ en: "a, b", de: "a, b", ja: "a、b", ar: "a، b" })) {
    await speak(tag);
    assert.equal(withCommas(["a", "b"]), text);
  }
});
