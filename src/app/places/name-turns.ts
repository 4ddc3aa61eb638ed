/** Ranks the answers of pages on the serving thread, in turns. */
import { createTurn, runSteps } from "#kit/run/turn.ts";
import { answersOf, rankGroups, type SearchedGroup } from "#osm/geocoder/page-search.ts";
import type { NameEngine, NameRequest } from "#ports/name-engine.ts";

export const IN_TURNS: NameEngine = {
  async rank(request, wanted) {
    const { words, query, interest, weighing, budget, signal } = request;
    const turn = createTurn(signal ? { signal } : {});
    await turn();
    const question = { ...query, statistics: weighing.statistics, interest, budget };
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
