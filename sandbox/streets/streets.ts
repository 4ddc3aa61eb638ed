// The streets of a city, fixed by the seed.
import { hash } from "../rng.ts";
import type { City } from "../world/model.ts";
import { listStreets, type Street } from "../world/gazetteer.ts";
import { planKey } from "../world/lanes.ts";
import { toTown } from "../world/towns.ts";
import type { Network } from "../world/transit-model.ts";
import { fillBlocks } from "./blocks.ts";
import { layBridges } from "./bridges.ts";
import { Draft } from "./draft.ts";
import { layGrid } from "./grid.ts";
import type { Streets, Tags } from "./model.ts";
import { NamedLines } from "./named.ts";
import { joinParts } from "./parts.ts";
import { River } from "./river.ts";
import { layRoads } from "./roads.ts";
import { layStations } from "./station.ts";

export function layStreets(city: City, seed: number, network: Network): Streets {
  const key = planKey(city, seed);
  const draft = new Draft(city, new River(city, seed));
  const named = new NamedLines(draft, listStreets(toTown(city), seed), tagsOf);
  const blocks = layGrid(draft, key, named);
  named.joinStreets(hash(key, 0x6a6f));
  layRoads(draft);
  joinParts(draft);
  layBridges(draft);
  layStations(draft, network);
  fillBlocks(draft, blocks, named);
  return draft.streets;
}

function tagsOf({ name }: Street, index: number): Tags {
  return {
    highway: index % 3 === 0 ? "secondary" : "residential",
    name: name.local,
    ...(name.english === name.local ? {} : { "name:en": name.english }),
  };
}
