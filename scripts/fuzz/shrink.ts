/** Makes a failing request small: whatever can go without the failure going with it, goes. */
import type { FuzzRequest } from "./request.ts";

/** Tells whether the request still fails, in the same way or another. */
export type Fails = (request: FuzzRequest) => Promise<boolean>;

const MAX_TRIES = 300;

export async function shrink(request: FuzzRequest, fails: Fails): Promise<FuzzRequest> {
  let best = request;
  let tries = 0;
  for (let improved = true; improved && tries < MAX_TRIES;) {
    improved = false;
    for (const smaller of simpler(best)) {
      if (++tries > MAX_TRIES) break;
      if (!(await fails(smaller))) continue;
      best = smaller;
      improved = true;
      break;
    }
  }
  return best;
}

/** One step simpler each, the biggest steps first. */
function* simpler(request: FuzzRequest): Generator<FuzzRequest> {
  const { headers, query } = request;
  if (headers.length > 1) yield { ...request, headers: headers.filter(isHost) };
  for (let at = 0; at < headers.length; at++)
    if (!isHost(headers[at]!)) yield { ...request, headers: headers.toSpliced(at, 1) };
  for (let at = 0; at < (query?.length ?? 0); at++)
    yield { ...request, query: query!.toSpliced(at, 1) };
  if (request.version === "1.0") yield { ...request, version: "1.1" };
  if (request.method === "HEAD") yield { ...request, method: "GET" };
  for (let at = 0; at < (query?.length ?? 0); at++)
    for (const text of shorter(query![at]!)) yield { ...request, query: query!.with(at, text) };
}

const isHost = ([name]: readonly [string, string]): boolean => name.toLowerCase() === "host";

/** The same value plainly written, then with less of it. */
function* shorter(part: string): Generator<string> {
  const plain = part.replaceAll(/%([2-7][0-9a-f])/gi, (escape, hex: string) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._,-]/.test(char) ? char : escape;
  });
  if (plain !== part) yield plain;
  const equals = part.indexOf("=") + 1;
  if (part.length - equals < 2) return;
  yield part.slice(0, equals + Math.ceil((part.length - equals) / 2));
  yield part.slice(0, -1);
}
