import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameSite } from "#upstream/request-site.ts";
import { checkUrl, type UrlPolicy } from "#upstream/url-rules.ts";

const STRICT: UrlPolicy = { allow_private: false, allow_hosts: [], http_hosts: [] };

function judge(url: string, policy: Partial<UrlPolicy> = {}): string {
  const verdict = checkUrl(url, { ...STRICT, ...policy });
  return verdict.ok ? "ok" : verdict.code;
}

test("https on its own port passes, everything else must be allowed", () => {
  const rows: [string, string][] = [
    ["https://example.org/gbfs.json", "ok"],
    ["https://example.org:443/gbfs.json", "ok"],
    ["https://example.org:80/", "ok"],
    ["https://example.org:8443/", "URL_DENIED"],
    ["http://example.org/", "URL_DENIED"],
    ["https://user@example.org/", "URL_DENIED"],
    ["https://user:pw@example.org/", "URL_DENIED"],
    ["https://:pw@example.org/", "URL_DENIED"],
    ["ftp://example.org/", "URL_DENIED"],
    ["file:///etc/passwd", "URL_DENIED"],
    ["data:application/json,{}", "URL_DENIED"],
    ["javascript:alert(1)", "URL_DENIED"],
    ["//example.org/x", "URL_DENIED"],
    ["station_information.json", "URL_DENIED"],
    ["", "URL_DENIED"],
    [`https://${"a.".repeat(127)}org/`, "URL_DENIED"],
    [`https://example.org/${"a".repeat(4076)}`, "ok"],
    [`https://example.org/${"a".repeat(4077)}`, "URL_DENIED"],
    // Short as written, too long once escaped.
    [`https://example.org/${"é".repeat(1400)}`, "URL_DENIED"],
  ];
  for (const [url, expected] of rows) assert.equal(judge(url), expected, url.slice(0, 60));
});

test("an address that the operator names opens that place and not its neighbours", () => {
  const allow_hosts = ["10.0.0.5:2322", "photon.internal", "[::1]:8080"];
  const rows: [string, string][] = [
    ["http://10.0.0.5:2322/api", "ok"],
    ["http://10.0.0.5:2323/api", "URL_DENIED"],
    ["http://10.0.0.5/api", "URL_DENIED"],
    ["http://photon.internal:9/", "ok"],
    ["http://a.photon.internal/", "URL_DENIED"],
    ["http://photon.internal.evil.org/", "URL_DENIED"],
    ["http://[::1]:8080/", "ok"],
    ["http://[::1]:8081/", "URL_DENIED"],
    ["ftp://photon.internal/", "URL_DENIED"],
    ["http://u:p@photon.internal/", "URL_DENIED"],
  ];
  for (const [url, expected] of rows) assert.equal(judge(url, { allow_hosts }), expected, url);
  const http_hosts = ["old.example.org"];
  assert.equal(judge("http://old.example.org/", { http_hosts }), "ok");
  assert.equal(judge("http://old.example.org:8080/", { http_hosts }), "URL_DENIED");
  const ports = { http_hosts: ["geo.example.org:2322"] };
  assert.equal(judge("http://geo.example.org:2322/api", ports), "ok");
  assert.equal(judge("https://geo.example.org:2322/api", ports), "ok");
  assert.equal(judge("http://geo.example.org:25/", ports), "URL_DENIED");
  assert.equal(judge("http://geo.example.org/", ports), "URL_DENIED");
  assert.equal(judge("http://127.0.0.1:8080/", { allow_private: true }), "ok");
});

test("a discovered URL must be on the site of its catalogue entry", () => {
  const same_site_as = ["gbfs.example.org", "feeds.example.com:443"];
  const rows: [string, string][] = [
    ["https://gbfs.example.org/a", "ok"],
    ["https://EXAMPLE.org/a", "ok"],
    ["https://cdn.example.com/a", "ok"],
    ["https://example.org.evil.net/a", "HOST_DENIED"],
    ["https://badexample.org/a", "HOST_DENIED"],
    ["https://example.net/a", "HOST_DENIED"],
    ["https://8.8.8.8/a", "HOST_DENIED"],
  ];
  for (const [url, expected] of rows) assert.equal(judge(url, { same_site_as }), expected, url);
  assert.equal(judge("https://example.org/", { same_site_as: [] }), "HOST_DENIED");
});

test("sites: suffixes of countries and of shared hosting are no domain of one owner", () => {
  const same: [string, string][] = [
    ["a.example.co.uk", "b.example.co.uk"],
    ["proxy.transport.data.gouv.fr", "transport.data.gouv.fr"],
    ["a.example.com.br", "example.com.br"],
    ["127.0.0.1:8080", "127.0.0.1:9090"],
    ["localhost", "localhost:3000"],
    ["example.org.", "www.example.org"],
    ["me.github.io", "me.github.io"],
    ["[::1]:80", "[::1]:81"],
    // A domain that is no suffix, whatever its second label is in other countries.
    ["web.de", "mail.web.de"],
    ["x.me.github.io", "me.github.io"],
    ["a.example.xn--55qx5d.cn", "example.xn--55qx5d.cn"],
    ["photon.internal", "a.photon.internal"],
  ];
  const apart: [string, string][] = [
    ["evil.co.uk", "example.co.uk"],
    ["evil.com.au", "example.com.au"],
    ["evil.co.jp", "example.co.jp"],
    ["evil.org.uk", "example.org.uk"],
    ["evil.gouv.fr", "data.gouv.fr"],
    ["evil.github.io", "me.github.io"],
    ["evil.s3.amazonaws.com", "me.s3.amazonaws.com"],
    ["evil.sharepoint.com", "me.sharepoint.com"],
    ["x.evil.ovh.net", "evil.ovh.net"],
    ["evil.uk.com", "example.uk.com"],
    ["evil.msk.ru", "example.msk.ru"],
    ["evil.waw.pl", "veturilo.waw.pl"],
    ["evil.blogspot.com", "me.blogspot.com"],
    ["a.x.kawasaki.jp", "b.x.kawasaki.jp"],
    ["evil.xn--55qx5d.cn", "example.xn--55qx5d.cn"],
    ["github.io", "me.github.io"],
    ["1.2.3.4", "9.9.3.4"],
    ["", ""],
  ];
  for (const [a, b] of same) assert.equal(isSameSite(a, b), true, `${a} ${b}`);
  for (const [a, b] of apart) assert.equal(isSameSite(a, b), false, `${a} ${b}`);
});
