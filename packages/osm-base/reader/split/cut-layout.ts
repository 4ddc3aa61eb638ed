/** Pages of all levels, cut so that none has more bytes than it may, by what lies in them (page-weights.ts). */
import { PAGE_LEVELS, type PageLevel } from "../../pages/page-cell.ts";
import { cutCells, type Pyramid } from "./cut-cells.ts";
import { PageGrid } from "./page-grid.ts";
import type { Layout } from "./router.ts";

/** Of what is packed for the ground, what the map of a level takes. */
const LEVEL_SHARES: Readonly<Record<PageLevel, number>> = {
  globe: 0.001,
  world: 0.01,
  region: 0.05,
  ground: 1,
};

/** `pyramid`: bytes of what is packed for the ground. */
export function cutLayout(
  pyramid: Pyramid,
  { page_bytes, spend }: { page_bytes: number; spend: (work: number) => void },
): Layout {
  const most = (level: PageLevel): number => page_bytes / LEVEL_SHARES[level];
  const ground = new PageGrid("ground", cutCells(pyramid, "ground", most("ground")), {
    first: 0,
    spend,
  });
  let count = ground.cells.length;
  const far: PageGrid[] = [];
  // One page has all zooms.
  if (count > 1)
    for (const level of Object.keys(PAGE_LEVELS) as PageLevel[]) {
      if (level === "ground") continue;
      const grid = new PageGrid(level, cutCells(pyramid, level, most(level)), {
        first: count,
        spend,
      });
      count += grid.cells.length;
      far.push(grid);
    }
  return { ground, far, head: count };
}
