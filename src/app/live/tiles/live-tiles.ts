/**
 * Tiles of the live layer (docs/live-map.md): drawn from memory when they are requested, one at a time, and
 * kept while what they were drawn from is the same. All callers of a tile share one drawing; what throws in
 * it ends that tile for them, and no other.
 */
import { LayerWriter, writeTile } from "#osm/tiles/mvt.ts";
import { createTurn, runSteps, type Turn } from "#kit/run/turn.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";
import { BoundedCache } from "#app/kept.ts";
import type { LiveTile, LiveTiles, TileRequest } from "#app/live/live-types.ts";
import { createDeadline } from "#upstream/deadline.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { CountLayers } from "./count-layers.ts";
import { drawLookedUp, type LookUp, type LookedUpLayer } from "./looked-up.ts";
import { drawSources } from "./source-layer.ts";
import { CountsOfSystems, isSame } from "./system-counts.ts";
import { ThingLayers } from "./thing-layers.ts";
import { EXTENT } from "./tile-place.ts";
import { scopeOf, type TileScope } from "./tile-scope.ts";
import { Generations, TileSystems, type TileSystemsDeps } from "./tile-systems.ts";
import { ZoneLayer } from "./zone-layer.ts";

/** Runs work when it is its turn. `full`: too many wait. */
export type TileTurns = {
  take<T>(work: () => Promise<T>, block: string | null): Promise<T | "full">;
};

export type LiveTilesDeps = TileSystemsDeps & {
  turns: TileTurns;
  /** Of bytes: another text where they are others. */
  hash: (bytes: Uint8Array) => string;
  /** null: this deployment has none. */
  stops: LookUp | null;
  places: LookUp | null;
};

/** Of drawn tiles, and of layers that change with an import only. */
const TILE_BYTES = 32 * 1024 * 1024;
const LOOKED_UP_BYTES = 8 * 1024 * 1024;
/** What a kept tile costs besides its bytes, and for each system that it was drawn from. */
const ENTRY_BYTES = 512;
const SYSTEM_BYTES = 128;
/** States of things change with the time alone: a tile is drawn again after this, whatever is published. */
const TILE_MS = 5_000;
const LOOKED_UP_MS = 60_000;

type Drawn = {
  tile: Omit<LiveTile, "max_age_s">;
  generation: readonly unknown[];
  /** Epoch ms. */
  until_ms: number;
  /** It is not to be kept by anyone. */
  lacks: boolean;
};

type LookedUpName = "stops" | "places";

export class TileStore implements LiveTiles {
  readonly #deps: LiveTilesDeps;
  readonly #systems: TileSystems;
  readonly #generations = new Generations();
  readonly #things = new ThingLayers();
  readonly #counts = new CountLayers(new CountsOfSystems());
  readonly #zones = new ZoneLayer();
  readonly #drawn = new BoundedCache<Drawn>(TILE_BYTES);
  readonly #lookedUp = new BoundedCache<LookedUpLayer>(LOOKED_UP_BYTES);
  readonly #drawing = new Map<string, Promise<Drawn | "full">>();

  constructor(deps: LiveTilesDeps) {
    this.#deps = deps;
    this.#systems = new TileSystems(deps);
  }

  async draw(request: TileRequest): Promise<LiveTile | "full"> {
    const scope = scopeOf(request, request.layers);
    const systems = this.#systems.find(scope);
    const drawn = this.#find(scope, systems, request.now_ms) ?? (await this.#share(scope, request));
    if (drawn === "full") return "full";
    const { clock } = this.#deps;
    const max_age_s = drawn.lacks ? null : this.#systems.maxAge_s(systems, scope, clock.now());
    return { ...drawn.tile, max_age_s };
  }

  #find(scope: TileScope, systems: readonly SystemEntry[], now_ms: number): Drawn | undefined {
    const drawn = this.#drawn.find(scope.key);
    if (!drawn || now_ms >= drawn.until_ms) return undefined;
    return isSame(drawn.generation, this.#generations.of(systems, now_ms)) ? drawn : undefined;
  }

  async #share(scope: TileScope, request: TileRequest): Promise<Drawn | "full"> {
    const running = this.#drawing.get(scope.key);
    if (running) {
      const shared = await running;
      // Its block may have had no turn left: this caller's may.
      if (shared !== "full") return shared;
    }
    return await (this.#drawing.get(scope.key) ?? this.#begin(scope, request));
  }

  #begin(scope: TileScope, request: TileRequest): Promise<Drawn | "full"> {
    const { key } = scope;
    const own = this.#make(scope, request).finally(() => this.#drawing.delete(key));
    this.#drawing.set(key, own);
    return own;
  }

  /** Waits for what is missing, and draws when it is its turn. */
  async #make(scope: TileScope, { block, deadline_ms }: TileRequest): Promise<Drawn | "full"> {
    const { clock, turns } = this.#deps;
    const until_ms = deadline_ms - REPLY_MARGIN_MS;
    const unsurveyed = await this.#systems.wait(this.#systems.find(scope), scope, until_ms);
    using deadline = createDeadline(clock, until_ms);
    const { signal } = deadline;
    // Pages of bases are read meanwhile, which is in no other tile's way.
    const places = scope.places && (await this.#lookUp("places", scope, { until_ms, signal }));
    return await turns.take(async () => {
      const turn = createTurn({});
      const stops = scope.stops && (await this.#lookUp("stops", scope, { until_ms, signal, turn }));
      const lookedUp = [places, stops].filter((layer) => typeof layer === "object");
      return await this.#drawAll(scope, {
        unsurveyed,
        lookedUp: lookedUp.filter((each) => each !== null),
        turn,
      });
    }, block);
  }

  /** null: this deployment has no such things. */
  async #lookUp(
    name: LookedUpName,
    { place, key }: TileScope,
    time: { until_ms: number; signal: AbortSignal; turn?: Turn },
  ): Promise<LookedUpLayer | null> {
    const lookUp = this.#deps[name];
    if (lookUp === null) return null;
    const now_ms = this.#deps.clock.now();
    const { until_ms: deadline_ms, signal, turn = createTurn({}) } = time;
    const known_key = `${name} ${key.split(" ")[0]}`;
    const known_layer = this.#lookedUp.find(known_key);
    if (known_layer && now_ms < known_layer.until_ms) return known_layer;
    const writer = new LayerWriter(name, EXTENT);
    const layer = await drawLookedUp(lookUp, writer, place, { now_ms, deadline_ms, signal, turn });
    layer.until_ms = Math.min(layer.until_ms, now_ms + LOOKED_UP_MS);
    if (!layer.lacks) this.#lookedUp.keep(known_key, layer, ENTRY_BYTES + 2 * writer.size);
    return layer;
  }

  async #drawAll(scope: TileScope, { unsurveyed, lookedUp, turn }: Surroundings): Promise<Drawn> {
    const { clock } = this.#deps;
    const before = this.#systems.find(scope);
    const zones = scope.zones ? [await runSteps(this.#zones.draw(before, scope.place), turn)] : [];
    if (scope.counts) await runSteps(this.#counts.prepare(before, clock.now()), turn);
    // From here on all is of one moment.
    const now_ms = clock.now();
    const systems = this.#systems.find(scope);
    const query = { ...scope, now_ms };
    const has_things = scope.stations || scope.vehicles;
    const family = scope.counts ? this.#counts : this.#things;
    const things = has_things ? family.draw(systems, query) : [];
    const layers = [...zones, ...lookedUp, ...things].filter(({ objects }) => objects > 0);
    const objects = layers.reduce((sum, layer) => sum + layer.objects, 0);
    const all = this.#systems.listSources([...systems, ...unsurveyed], scope, now_ms);
    const sources = drawSources(objects > 0 ? all : all.filter(({ state }) => state !== "fresh"));
    const bytes = writeTile([...layers.map(({ writer }) => writer), ...(sources ? [sources] : [])]);
    const until_ms = Math.min(now_ms + TILE_MS, ...lookedUp.map((layer) => layer.until_ms));
    const drawn: Drawn = {
      tile: { version: this.#deps.hash(bytes), bytes, objects },
      generation: this.#generations.of(systems, now_ms),
      until_ms,
      lacks: unsurveyed.length > 0 || lookedUp.some(({ lacks }) => lacks),
    };
    const size = ENTRY_BYTES + SYSTEM_BYTES * systems.length + bytes.length;
    if (!drawn.lacks) this.#drawn.keep(scope.key, drawn, size);
    return drawn;
  }
}

type Surroundings = {
  unsurveyed: readonly SystemEntry[];
  lookedUp: readonly LookedUpLayer[];
  turn: Turn;
};
