import assert from "node:assert/strict";
import { test } from "node:test";
import { fromError, fromStatus } from "#upstream/symptoms.ts";

const withCode = (code: unknown): Error =>
  Object.assign(new Error("secret upstream text"), { code });

test("each symptom has its status and its token", () => {
  const rows: [string, string][] = [
    ["DEADLINE", "timeout deadline"],
    ["HEADERS_TIMEOUT", "timeout deadline"],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout deadline"],
    ["ETIMEDOUT", "timeout deadline"],
    ["ABORTED", "timeout aborted"],
    ["UND_ERR_ABORTED", "timeout aborted"],
    ["EGRESS_DENIED", "unavailable egress_denied"],
    ["HOST_DENIED", "unavailable host_denied"],
    ["URL_DENIED", "unavailable url_denied"],
    ["OAUTH_REFUSED", "unauthorized oauth_refused"],
    ["OAUTH_FAILED", "error oauth_failed"],
    ["REDIRECT_DENIED", "error redirect_denied"],
    ["TOO_MANY_REDIRECTS", "error too_many_redirects"],
    ["BODY_TOO_LARGE", "error body_too_large"],
    ["RATIO_TOO_HIGH", "error decompression_bomb"],
    ["UND_ERR_HEADERS_OVERFLOW", "error headers_too_large"],
    ["Z_DATA_ERROR", "error bad_encoding"],
    ["ERR__ERROR_FORMAT_PADDING_1", "error bad_encoding"],
    ["ECONNREFUSED", "error connection_refused"],
    ["ECONNRESET", "error connection_reset"],
    ["UND_ERR_SOCKET", "error connection_reset"],
    ["ENETUNREACH", "error unreachable"],
    ["ENOTFOUND", "error dns_failed"],
    ["EAI_AGAIN", "error dns_failed"],
    ["CERT_HAS_EXPIRED", "error tls_failed"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "error tls_failed"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "error tls_failed"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "error tls_failed"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "error tls_failed"],
    ["HPE_INVALID_CONSTANT", "error bad_http"],
    ["UND_ERR_DESTROYED", "unavailable shutting_down"],
    ["SOMETHING_NEW", "error unexpected"],
  ];
  for (const [code, expected] of rows) {
    const failure = fromError(withCode(code));
    assert.equal(`${failure.status} ${failure.reason}`, expected, code);
  }
});

test("errors without a usable code are recognised by name, or not at all", () => {
  assert.equal(fromError(new DOMException("x", "TimeoutError")).status, "timeout");
  assert.equal(fromError(new DOMException("x", "AbortError")).reason, "aborted");
  for (const thrown of [null, undefined, "text", 7, {}, new TypeError("x"), withCode(12)])
    assert.deepEqual(fromError(thrown), { status: "error", reason: "unexpected" });
});

test("a failure never carries the text of the upstream", () => {
  assert.ok(!JSON.stringify(fromError(withCode("ECONNRESET"))).includes("secret"));
});

test("statuses of HTTP", () => {
  const rows: [number, string][] = [
    [401, "unauthorized http_401"],
    [403, "unauthorized http_403"],
    [404, "error http_404"],
    [410, "error http_404"],
    [418, "error http_418"],
    [429, "error http_429"],
    [500, "error http_500"],
    [503, "error http_503"],
    [302, "error http_302"],
    [304, "error http_304"],
  ];
  for (const [status, expected] of rows) {
    const failure = fromStatus(status, null, 0);
    assert.equal(`${failure.status} ${failure.reason}`, expected);
    assert.ok(!("retry_at_ms" in failure));
  }
});

test("Retry-After: seconds or a date, never below a second, never beyond an hour", () => {
  const now = Date.parse("Wed, 21 Oct 2026 07:28:00 GMT");
  const rows: [string, number | undefined][] = [
    ["120", now + 120_000],
    [" 7 ", now + 7_000],
    ["0", now + 1_000],
    ["999999999999999999999", now + 3_600_000],
    ["Wed, 21 Oct 2026 07:29:00 GMT", now + 60_000],
    ["Wed, 21 Oct 2020 07:29:00 GMT", now + 1_000],
    ["Wed, 21 Oct 2099 07:29:00 GMT", now + 3_600_000],
    ["soon", undefined],
    ["", undefined],
  ];
  for (const [text, expected] of rows) {
    assert.equal(fromStatus(429, text, now).retry_at_ms, expected, text);
    assert.equal(fromStatus(503, text, now).retry_at_ms, expected, text);
  }
  assert.equal(fromStatus(404, "120", now).retry_at_ms, undefined);
});
