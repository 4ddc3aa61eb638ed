/** Conditional requests (RFC 9110 13) of the documents that are served as they are, over real sockets. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Changelog, type ChangelogDocument } from "#api/changelog.ts";
import { call } from "../support/call.ts";
import { stubServer } from "../support/server.ts";

const ENTRY = {
  id: "lines",
  published_at: "2026-11-20T08:00:00Z",
  api_version: "1.1.0",
  type: "feature",
  title: "Lines",
  description: "Lines around a point. ".repeat(60),
  breaking: false,
  links: [{ label: "Page", url: "https://www.example.org/lines" }],
} as const;
const CHANGELOG: ChangelogDocument = {
  version: "1.0.0",
  updated_at: "2026-11-20T09:10:11.5Z",
  entries: [{ ...ENTRY, links: [...ENTRY.links] }],
};
const MODIFIED = "Fri, 20 Nov 2026 09:10:11 GMT";

type Headers = Record<string, string>;

function createAsk(changelog: ChangelogDocument | null = CHANGELOG) {
  const { app } = stubServer({ changelog });
  return (url: string, headers: Headers = {}, method = "GET") =>
    call(app, { url, headers, method });
}
const ask = createAsk();

async function tagOf(url: string, headers: Headers = {}): Promise<string> {
  return (await ask(url, headers)).headers.etag ?? "";
}

describe("the changelog", () => {
  // Proves §4.13 not published; §7 changelog 404
  test("answers 404 until it is published, whatever the condition, and is not kept", async () => {
    const hidden = createAsk(null);
    for (const headers of [{}, { "if-none-match": "*" }, { authorization: "Bearer x" }]) {
      const reply = await hidden("/changelog.json", headers);
      assert.equal(reply.statusCode, 404);
      const { error } = reply.json() as { error: object };
      assert.deepEqual(error, { code: "not_found", message: "the changelog is not published" });
      assert.equal(reply.headers["cache-control"], "no-store");
      assert.equal(reply.headers.etag, undefined);
    }
    const head = await hidden("/changelog.json", {}, "HEAD");
    assert.deepEqual([head.statusCode, head.payload], [404, ""]);
  });

  // Proves §4.13 published; §4.13 no authentication; §5 no authentication; §2.12 document
  test("is the document once published, whatever the caller and the accepted types", async () => {
    const validate = addFormats.default(new Ajv2020({ strict: false })).compile(Changelog);
    const accepts = ["application/json", "*/*", "application/*;q=0.5", "text/html", "", "bad;;"];
    for (const headers of [
      ...accepts.map((accept): Headers => ({ accept })),
      { authorization: "Bearer nonsense" },
    ]) {
      const reply = await ask("/changelog.json?token=x", headers);
      assert.equal(reply.statusCode, 200, JSON.stringify(headers));
      assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
      assert.equal(reply.headers["cache-control"], "public, max-age=300");
      assert.equal(reply.headers["last-modified"], MODIFIED);
      assert.equal(reply.headers.vary, "Accept-Encoding");
      assert.deepEqual(reply.json(), CHANGELOG);
      assert.ok(validate(reply.json()));
    }
  });

  test("If-Modified-Since decides where no tag is sent, in every form of a date", async () => {
    const since = (date: string, more: Headers = {}) =>
      ask("/changelog.json", { "if-modified-since": date, ...more }).then(
        ({ statusCode }) => statusCode,
      );
    const same = [MODIFIED, "Friday, 20-Nov-26 09:10:11 GMT", "Fri Nov 20 09:10:11 2026"];
    for (const date of same) assert.equal(await since(date), 304, date);
    assert.equal(await since("Sat Dec  5 00:00:00 2026"), 304);
    for (const date of [
      ...["Fri, 20 Nov 2026 09:10:10 GMT", "Friday, 20-Nov-26 09:10:10 GMT"],
      ...["2026-11-20T09:10:11Z", "Fri, 20 Nov 2026 09:10:11 CET", "tomorrow", "", "1e12", "0"],
      ...["fri, 20 nov 2026 09:10:11 gmt", "Fri, 20 Abc 2027 09:10:11 GMT"],
    ])
      assert.equal(await since(date), 200, date);
    const other = { "if-none-match": '"other"' };
    assert.equal(await since("Sat, 05 Dec 2026 00:00:00 GMT", other), 200, "the tag decides");
    const etag = await tagOf("/changelog.json");
    assert.equal(await since("Sat, 01 Jan 2000 00:00:00 GMT", { "if-none-match": etag }), 304);
  });

  test("its tag changes with its content, and only with it", async () => {
    const again = await createAsk(structuredClone(CHANGELOG))("/changelog.json");
    assert.equal(again.headers.etag, await tagOf("/changelog.json"));
    const reworded = { ...CHANGELOG, entries: [{ ...ENTRY, links: [], title: "Lines." }] };
    const other = await createAsk(reworded)("/changelog.json");
    assert.notEqual(other.headers.etag, again.headers.etag);
    // Only a short one is not worth a coding.
    const short = await createAsk({ ...CHANGELOG, entries: [] })("/changelog.json", {
      "accept-encoding": "br",
    });
    assert.equal(short.headers["content-encoding"], undefined);
  });
});

// Proves §4.2 description; §4.13 ETag
for (const url of ["/openapi.json", "/changelog.json"]) {
  describe(`conditional requests of ${url}`, () => {
    test("a strong tag, another one for each coding, and the same for HEAD", async () => {
      const plain = await ask(url);
      assert.match(plain.headers.etag ?? "", /^"[\w-]+"$/);
      assert.equal(plain.headers["cache-control"], "public, max-age=300");
      const tags = new Set([plain.headers.etag]);
      for (const [coding, open] of [
        ["br", brotliDecompressSync],
        ["gzip", gunzipSync],
      ] as const) {
        const packed = await ask(url, { "accept-encoding": coding });
        assert.equal(packed.headers["content-encoding"], coding);
        assert.equal(open(packed.rawPayload).toString(), plain.payload);
        assert.ok(!tags.has(packed.headers.etag));
        tags.add(packed.headers.etag);
        const head = await ask(url, { "accept-encoding": coding }, "HEAD");
        const { date: _, "x-request-id": __, ...sent } = packed.headers;
        const { date: ___, "x-request-id": ____, ...repeated } = head.headers;
        assert.deepEqual(repeated, sent);
        assert.deepEqual([head.statusCode, head.payload], [200, ""]);
      }
      for (const refused of ["identity", "br;q=0, gzip;q=0", "deflate", ""]) {
        const same = await ask(url, { "accept-encoding": refused });
        assert.equal(same.headers.etag, plain.headers.etag, refused);
      }
    });

    test("304 where the condition names the tag: lists, blanks, weakly, or any", async () => {
      const etag = await tagOf(url);
      for (const condition of [
        ...[etag, `W/${etag}`, "*", " * ", `"x", ${etag}`, `${etag},"x"`, `, ,"x" ,\t${etag} ,`],
        ...[`"a,b",W/${etag}`, `W/"x", W/"", ${etag}`],
      ]) {
        for (const method of ["GET", "HEAD"]) {
          const reply = await ask(url, { "if-none-match": condition }, method);
          assert.equal(reply.statusCode, 304, condition);
          assert.equal(reply.payload, "");
          const { date, "x-request-id": id, connection: _, ...headers } = reply.headers;
          assert.ok(date && id);
          assert.deepEqual(headers, {
            etag,
            "cache-control": "public, max-age=300",
            vary: "Accept-Encoding",
            "x-content-type-options": "nosniff",
            "access-control-allow-origin": "*",
            "access-control-expose-headers": headers["access-control-expose-headers"],
          });
        }
      }
    });

    test("200 where it does not, or is not a condition at all", async () => {
      const etag = await tagOf(url);
      for (const condition of [
        ...['"other"', "", etag.slice(1, -1), etag.slice(0, -1), `w/${etag}`, `"x" ${etag}`],
        ...[`x, ${etag}`, `*, ${etag}`, `${etag}, *`, `W/ ${etag}`, `"${etag}"`, "W/*"],
        `"${"x".repeat(5000)}`,
      ]) {
        const reply = await ask(url, { "if-none-match": condition });
        assert.equal(reply.statusCode, 200, condition.slice(0, 60));
        assert.equal(reply.headers.etag, etag);
      }
    });

    test("the tag is that of the coding that is asked for", async () => {
      const [plain, br] = [await tagOf(url), await tagOf(url, { "accept-encoding": "br" })];
      const asks = (etag: string, coding: string) =>
        ask(url, { "if-none-match": etag, "accept-encoding": coding });
      assert.equal((await asks(br, "br")).statusCode, 304);
      assert.equal((await asks(br, "br")).headers.etag, br);
      assert.equal((await asks(plain, "br")).statusCode, 200);
      assert.equal((await asks(br, "identity")).statusCode, 200);
      assert.equal((await asks(`${plain}, ${br}`, "gzip")).statusCode, 200);
    });
  });
}

test("a document without a date of its own takes no If-Modified-Since", async () => {
  const reply = await ask("/openapi.json", {
    "if-modified-since": "Sat, 05 Dec 2099 00:00:00 GMT",
  });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers["last-modified"], undefined);
});
