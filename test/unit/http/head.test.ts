/** The head in two parts is, byte for byte, what Node's writeHead would have sent. */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { after, test } from "node:test";
import { joinHead, toLines, writeStored } from "#http/head.ts";

const LINES = ["content-type", "application/json", "link", '</a>; rel="license"'];
const ROOM = 512;
const BODY = '{"name":"Gare de l’Est"}';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** One answer three ways; `date` is left out, since it moves. */
const plain: Answer = (_request, response) => {
  response.sendDate = false;
  response.writeHead(200, [...LINES, ...varying(BODY)]);
  response.end(BODY);
};
const inParts: Answer = (_request, response) => {
  response.sendDate = false;
  writeStored(response, { status: 200, lines: toLines(LINES) }, varying(BODY));
  response.end(BODY);
};
const joined: Answer = (request, response) => {
  response.sendDate = false;
  writeStored(response, { status: 200, lines: toLines(LINES) }, varying(BODY));
  const pool = Buffer.alloc(ROOM + Buffer.byteLength(BODY));
  pool.write(BODY, ROOM);
  const body = pool.subarray(ROOM);
  response.end(joinHead(response, body, { room: ROOM, method: request.method! }) ?? body);
};

function varying(body: string): string[] {
  return ["content-length", String(Buffer.byteLength(body)), "x-request-id", "a-1"];
}

const REQUESTS: Record<string, string> = {
  "HTTP/1.1, closed by the caller": "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
  "HTTP/1.0": "GET / HTTP/1.0\r\n\r\n",
  "HTTP/1.0, kept alive once":
    "GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n",
  HEAD: "HEAD / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
  "three in a pipeline":
    "GET /1 HTTP/1.1\r\nhost: a\r\n\r\n".repeat(2) +
    "GET /3 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
};

for (const [name, request] of Object.entries(REQUESTS)) {
  test(`same bytes: ${name}`, async () => {
    const expected = await talk(plain, request);
    assert.match(expected, /^HTTP\/1\.1 200 OK\r\n/);
    assert.equal(await talk(inParts, request), expected);
    assert.equal(await talk(joined, request), expected);
  });
}

test("same bytes where the server closes after a number of requests", async () => {
  const request = "GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(2);
  const expected = await talk(plain, request, 2);
  assert.match(expected, /Connection: close/);
  assert.equal(await talk(joined, request, 2), expected);
});

test("a head that does not fit before the body leaves on its own", async () => {
  const cramped: Answer = (_request, response) => {
    response.sendDate = false;
    writeStored(response, { status: 200, lines: toLines(LINES) }, varying(BODY));
    const body = Buffer.from(BODY);
    assert.equal(joinHead(response, body, { room: 8, method: "GET" }), null);
    response.end(body);
  };
  const request = REQUESTS["HTTP/1.1, closed by the caller"]!;
  assert.equal(await talk(cramped, request), await talk(plain, request));
});

test("no line may frame the message or break out of its line", () => {
  for (const name of ["Connection", "content-length", "Transfer-Encoding", "date"])
    assert.throws(() => toLines([name, "1"]), TypeError);
  assert.throws(() => toLines(["a", "b\r\nc: d"]));
  assert.throws(() => toLines(["a b", "c"]));
  assert.equal(toLines(["a", "b", "c", "d"]), "a: b\r\nc: d\r\n");
});

/** Everything the server says on one connection until it closes it. */
async function talk(answer: Answer, request: string, maxRequestsPerSocket = 0): Promise<string> {
  const server = createServer({ keepAliveTimeout: 5000 }, answer);
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  socket.end(request);
  await once(socket, "close");
  return text;
}
