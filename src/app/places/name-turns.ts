/** Ranks the answers of pages on the serving thread, in turns. */
import { createTurn, runSteps } from "#kit/run/turn.ts";
import { type RankedGroup, rankGroups, type SearchedGroup } from "#osm/geocoder/page-search.ts";
import type { NameAnswers, NameEngine, NameRequest } from "#ports/name-engine.ts";

export const IN_TURNS: NameEngine = {
  async rank(request, wanted) {
    const { words, query, interest, weighing, budget, signal } = request;
    const turn = createTurn(signal ? { signal } : {});
    await turn();
    const statistics = weighing.statistics ? { statistics: weighing.statistics } : {};
    const question = { ...query, ...statistics, interest, budget };
    const ranked = await runSteps(rankGroups(toSearched(request), words, question), turn);
    await turn();
    const lists = ranked.map((group) => answersOf(group, query.limit)[wanted]());
    return { ok: true, lists };
  },
};

function toSearched({ groups }: NameRequest): SearchedGroup[] {
  return groups.map(({ pages, reading }) => ({
    ...(reading ? { reading } : {}),
    pages: pages.flatMap(({ cell, page: { geocoder } }) =>
      geocoder?.page ? [{ page: geocoder.page, cell }] : [],
    ),
  }));
}

/** What is wanted of a group is made when it is called for. */
export function answersOf(
  group: RankedGroup,
  limit: number,
): { [Wanted in keyof NameAnswers]: () => NameAnswers[Wanted] } {
  return {
    items: () => group.items(limit),
    parts: () => group.parts(limit),
    place: () => group.place(),
  };
}
