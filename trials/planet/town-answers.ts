/** Every operation at the middle of a town, whose page may be damaged. */
import { type Answer, ask, findUnlike } from "./compare-answers.ts";
import { type Point, tileAt } from "./question-places.ts";
import { serveBases, type Served } from "./service.ts";

/** A question of every kind at a point, and how an answer must say that what it needs cannot be read. */
export const targetsAt = ({ lat, lon }: Point): string[] => {
  const at = `lat=${lat}&lon=${lon}`;
  return [
    `/v1/services/nearby?${at}&radius=300&types=toilets,drinking_water,parking,charging`,
    `/v1/services/nearby?${at}&radius=300&types=parking&walk=true&within_minutes=9`,
    `/v1/parking/nearby?${at}&radius=200`,
    `/v1/nearby?${at}&include=places`,
    `/v1/reverse-geocode?${at}`,
    `/photon/reverse?${at}`,
    `/v1/walk?from=${lat},${lon}&to=${lat + 0.001},${lon}`,
    `/v1/reach?${at}&minutes=5&families=toilets`,
    tileAt({ lat, lon }, 14),
  ];
};

/** Where a failure would look like nothing being there. */
export function isSilent({ status, body }: Answer): boolean {
  if (status >= 500) return false;
  return !/"status":"(partial|unavailable)"/.test(body.toString());
}

export async function answersOf(data_dir: string, towns: readonly Point[]) {
  const service = await serveBases(data_dir);
  const answers: Answer[][] = [];
  for (const town of towns) answers.push(await askAll(service, town));
  await service.close();
  return answers;
}

export function askAll({ ready }: Served, town: Point): Promise<Answer[]> {
  return Promise.all(targetsAt(town).map((target) => ask(ready.url, target)));
}

/** How the answers about a town differ from those that they should be. */
export async function listUnlike(
  service: Served,
  town: Point,
  good: readonly Answer[],
): Promise<string[]> {
  const answers = await askAll(service, town);
  return targetsAt(town).flatMap((target, i) => {
    const unlike = findUnlike(good[i]!, answers[i]!);
    return unlike === null
      ? []
      : [`${target}: ${unlike.path} is ${unlike.paged}, and was ${unlike.whole}`];
  });
}

export type Answers = Awaited<ReturnType<typeof answersOf>>;
