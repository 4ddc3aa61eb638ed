/** Two pages of one question: nothing twice but what is not paged (decisions, Global nearby). */
import { readJson, readText } from "./checks/body.ts";
import type { Reply } from "./client.ts";
import { PLAN } from "./oracle/judge.ts";
import type { NearbyQuestion } from "./oracle/query.ts";
import type { FuzzRequest } from "./request.ts";

type Answer = {
  total: number;
  status: string;
  results: Record<"places" | "lines" | "stations" | "vehicles" | "alerts", unknown[]>;
};

const PAGE = 3;

export function pagesPair(
  request: FuzzRequest,
  { lat, lon, radius: wanted, modes }: NearbyQuestion,
): [FuzzRequest, FuzzRequest] {
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== "accept-encoding");
  const radius = Math.min(wanted, PLAN.radius_max);
  const page = (offset: number, limit: number): FuzzRequest => ({
    ...{ ...request, headers },
    query: [
      ...[`lat=${lat}`, `lng=${lon}`, `radius=${radius}`, `modes=${modes.join(",")}`],
      ...["include=stations,lines,alerts", `offset=${offset}`, `limit=${limit}`],
    ],
  });
  return [page(0, PAGE), page(PAGE, PAGE + 1)];
}

export function pagesProblem(first: Reply, second: Reply): string | null {
  if (first.status !== 200 || second.status !== 200)
    return `${first.status} on a page, ${second.status} on the next`;
  const [a, b] = [first, second].map((reply) => readJson(readText(reply) ?? "") as Answer);
  const told = (body: Answer): string[] => [
    ...[`total ${body.total}`, `status ${body.status}`],
    ...(["lines", "alerts"] as const).map((name) => JSON.stringify(body.results[name])),
  ];
  const [one, other] = [told(a!), told(b!)];
  const at = one.findIndex((text, n) => text !== other[n]);
  if (at !== -1) return `a page says\n${one[at]}\nthe next one\n${other[at]}`;
  const ids = ({ results }: Answer): string[] =>
    (results.stations as { id: string }[]).map(({ id }) => id);
  const both = ids(a!).find((id) => ids(b!).includes(id));
  return both === undefined ? null : `${both} is on two pages`;
}
