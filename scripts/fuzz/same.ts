/** Two questions that mean the same: the dedicated operation and its type; a type and its alias. */
import { readJson, readText } from "./checks/body.ts";
import type { Reply } from "./client.ts";
import type { Question } from "./oracle/judge.ts";
import type { ServicesQuestion } from "./oracle/search.ts";
import type { FuzzRequest } from "./request.ts";

/** Contract 4.6: the same adapter. Decisions: either token finds drinking points and fountains. */
const SAME: Readonly<Record<string, (around: string) => [string, string]>> = {
  parking: (around) => [`/v1/parking/nearby?${around}`, services("parking", around)],
  charging: (around) => [`/v1/charging/nearby?${around}`, services("charging", around)],
  fountain: (around) => [services("fountain", around), services("drinking_water", around)],
  drinking_water: (around) => [services("drinking_water", around), services("fountain", around)],
};

const services = (type: string, around: string): string =>
  `/v1/services/nearby?types=${type}&${around}`;

/** The type that has a second way of being asked for. */
function sameType({ types }: ServicesQuestion): string | undefined {
  return types.find((type) => SAME[type] !== undefined);
}

export function hasSame(question: Question | null): boolean {
  const asked = question !== null && "types" in question;
  return asked && sameType(question) !== undefined;
}

export function samePair(
  request: FuzzRequest,
  question: Question | null,
): [FuzzRequest, FuzzRequest] {
  const { lat, lon, applied, ...rest } = question as ServicesQuestion;
  const around = `lat=${lat}&lon=${lon}&radius=${applied.radius}&limit=20`;
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== "accept-encoding");
  const pair = SAME[sameType({ lat, lon, applied, ...rest })!]!(around);
  const [one, other] = pair.map((target): FuzzRequest => {
    const [path = "", query = ""] = target.split("?");
    return { ...request, path, query: query.split("&"), headers };
  });
  return [one!, other!];
}

type Answer = { status: string; total: number; results: Record<string, unknown>[] };

export function sameProblem(one: Reply, other: Reply): string | null {
  if (one.status !== 200 || other.status !== 200)
    return `${one.status} one way, ${other.status} the other`;
  const [a, b] = [one, other].map((reply) => essence(readJson(readText(reply) ?? "") as Answer));
  return a === b ? null : `asked one way\n${a}\nasked the other\n${b}`;
}

/** The type is the one that was asked for. */
function essence({ status, total, results }: Answer): string {
  const places = results.map((place) => ({ ...place, service_type: null }));
  return JSON.stringify({ status, total, places });
}
