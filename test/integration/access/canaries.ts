/** Secrets put wherever a caller may put one, and a search for them in whatever a service leaves. */
import { Buffer } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { listOperations } from "#api/operations.ts";
import { ADMIN_TOKEN, PARIS } from "./support.ts";
import { HANG_MS } from "../../support/size.ts";

export type Haystack = { name: string; bytes: Buffer };

/**
 * In which disguises a key is looked for: its middle, so that the hint of the first four characters
 * which is kept for people is none, and what base 64 makes of it.
 */
function needlesOf(key: string): string[] {
  const middle = key.slice(14, 50);
  const shifts = ["", "x", "xx"].map((before) => {
    const text = Buffer.from(before + middle).toString("base64");
    return text.slice(4, 40);
  });
  return [middle.slice(0, 18), middle.slice(18), ...shifts];
}

/** The place where one of them was found: `name: the start of the key`. */
export function search(haystacks: readonly Haystack[], keys: readonly string[]): string[] {
  const needles = keys.flatMap((key) =>
    needlesOf(key).map((text) => ({ text, shown: key.slice(0, 13) })),
  );
  return haystacks.flatMap(({ name, bytes }) =>
    needles
      .filter(({ text }) => bytes.includes(text, 0, "latin1"))
      .map(({ shown }) => `${name}: ${shown}`),
  );
}

export function readFolder(folder: string): Haystack[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .flatMap((path) => {
      const bytes = readIfThere(path);
      return bytes === null ? [] : [{ name: path.slice(folder.length), bytes }];
    });
}

/** null: it was taken away since the folder was listed, as what an import has written and read is. */
function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** How long a connection that the request does not close may be silent: the request may be incomplete. */
const SILENT_MS = 500;

/** One request as it is written, on a connection of its own; everything that came back. */
export async function sendRaw(url: string, text: string): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("data", (chunk) => chunks.push(chunk as Buffer));
  socket.on("error", () => undefined);
  const isWhole = text.includes("Connection: close");
  socket.setTimeout(isWhole ? HANG_MS : SILENT_MS, () => socket.destroy());
  socket.write(text, "latin1");
  await closed;
  return Buffer.concat(chunks);
}

type Text = { method?: string; target: string; lines?: readonly string[]; body?: string };

function toText({ method = "GET", target, lines = [], body = "" }: Text): string {
  const length = body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${method} ${target} HTTP/1.1`, "Host: localhost", "Connection: close"];
  return [...head, ...lines, ...length, "", body].join("\r\n");
}

const PLACE = `/v1/nearby?${PARIS}`;
/** §4.10 to §4.12b, as old callers write them. */
const LEGACY = [
  "/realtime/paris/48.85,2.35/water",
  "/api/realtime/48.85,2.35/lime",
  "/api/realtime/48.85,2.35/freefloat/scooter",
  "/realtime/48.85,2.35/weather/fr",
  "/realtime/48.85,2.35/forecast/fr",
];

/** To the public listener. */
export function publicRequests(key: string): string[] {
  const bearer = `Authorization: Bearer ${key}`;
  const basic = `Authorization: Basic ${Buffer.from(`user:${key}`).toString("base64")}`;
  const escaped = key.replace("s", "%73");
  const paths = [...listOperations().map(({ path }) => path), ...LEGACY];
  return [
    ...paths.flatMap((path) => [
      toText({ target: `${path}?${PARIS}&types=toilets`, lines: [bearer] }),
      toText({ target: `${path}?${PARIS}&types=toilets&token=${key}` }),
      toText({ target: `${path}?token=${escaped}&debug=true&${PARIS}`, lines: [bearer] }),
      toText({ target: `${path}?token=${key}x`, lines: [bearer] }),
      toText({ target: `${path}/${key}` }),
      toText({ method: "POST", target: `${path}?token=${key}`, body: `{"token":"${key}"}` }),
      toText({ method: "HEAD", target: `${path}?token=${key}` }),
    ]),
    ...["lat", "radius", "modes", "include", "format", "limit", "debug"].map((name) =>
      toText({ target: `${PLACE.replace("lat=48.8566", "lat=48")}&${name}=${key}` }),
    ),
    ...["types", "language", "country", "providers"].flatMap((name) => [
      toText({ target: `/v1/services/nearby?${PARIS}&${name}=${key}` }),
      toText({ target: `/v1/geocode?q=Paris&${name}=${key}` }),
    ]),
    ...[`Authorization: ${key}`, `Authorization: ${key} ${key}`, basic, `Cookie: token=${key}`].map(
      (line) => toText({ target: PLACE, lines: [line] }),
    ),
    ...[`X-Api-Key: ${key}`, `User-Agent: ${key}`, `Referer: http://x/?token=${key}`].map((line) =>
      toText({ target: PLACE, lines: [line] }),
    ),
    ...[`X-Forwarded-For: ${key}`, `Origin: http://${key}`, `traceparent: 00-${key}-${key}-01`].map(
      (line) => toText({ target: PLACE, lines: [line] }),
    ),
    ...[`/${key}`, `/${key}/v1/nearby`, `/v1/nearby;token=${key}`, `${PLACE}#${key}`].map(
      (target) => toText({ target }),
    ),
    toText({ target: `http://${key}@localhost${PLACE}` }),
    toText({ target: `http://localhost${PLACE}&token=${key}` }),
    toText({ target: `${PLACE}&token=%zz${key}` }),
    toText({ target: `/%zz/${key}` }),
    toText({ target: `${PLACE}&token=${key}&token=${key}` }),
    toText({ target: `${PLACE}&token=${key}&x=${"x".repeat(9_000)}` }),
    toText({ target: PLACE, lines: [bearer, `X-Long: ${"x".repeat(20_000)}`] }),
    toText({ method: "OPTIONS", target: `${PLACE}&token=${key}` }),
    toText({ method: "TRACE", target: PLACE, lines: [bearer] }),
    // Requests that are not HTTP at all.
    `GET ${PLACE}&token=${key} HTTP/9.9\r\n\r\n`,
    `GET ${PLACE}&token=${key}\r\n\r\n`,
    `${key} / HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET / HTTP/1.1\r\nAuthorization Bearer ${key}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: ${key}\r\n${bearer}\r\n\0\r\n\r\n`,
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${key}\r\n\r\n${key}`,
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${key}\r\n`,
    `GET ${PLACE} HTTP/1.1\r\nConnection: close\r\n${bearer}\r\n\r\n`,
  ];
}

/** To the listener of operators: with its token, and with the key in its place. */
export function adminRequests(key: string): string[] {
  const json = "Content-Type: application/json";
  const requests: Text[] = [
    { target: `/admin/keys?account=${key}` },
    { target: `/admin/usage?key=${key}` },
    { target: `/admin/usage?month=${key}` },
    { target: `/admin/${key}` },
    { target: `/admin/keys/${key}` },
    { target: `/${key}` },
    { target: `/metrics?token=${key}` },
    { target: `/admin/keys?token=${key}` },
    { method: "POST", target: `/admin/keys/${key}/rotate`, body: "{}" },
    { method: "POST", target: `/admin/keys/${key}/revoke`, body: "{}" },
    { method: "POST", target: "/admin/keys", body: `{"account_id":"${key}"}` },
    { method: "POST", target: "/admin/keys", body: `{"plan":"${key}"}` },
    { method: "POST", target: "/admin/keys", body: `{"plan":"free","scopes":["${key}"]}` },
    { method: "POST", target: "/admin/keys", body: `{"plan":"free","expires_at":"${key}"}` },
    { method: "POST", target: "/admin/keys", body: `{"plan":"free","${key}":1}` },
    { method: "POST", target: "/admin/keys", body: `{"${key}` },
    { method: "POST", target: "/admin/accounts", body: `{"name":7,"plan":"${key}"}` },
    { method: "PATCH", target: `/admin/accounts/${key}`, body: `{"standing":"active"}` },
    { method: "PATCH", target: `/admin/accounts/acc_${key}`, body: `{"plan":"${key}"}` },
    { method: "DELETE", target: `/admin/keys/${key}` },
  ];
  return requests.flatMap((request) =>
    [ADMIN_TOKEN, key].map((token) =>
      toText({ ...request, lines: [json, `Authorization: Bearer ${token}`] }),
    ),
  );
}
