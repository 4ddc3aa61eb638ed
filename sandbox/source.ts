// A simulated source: a protocol under /upstreams/<id>/ and what it knows of the world's things.
// Another kind of upstream is another value of this type, added to the list in main.ts.
import type { Reply, SandboxRequest } from "./http.ts";
import type { Point } from "./geo.ts";
import type { Operator, Place, Thing } from "./world/model.ts";

export type Observation = {
  readonly source: string;
  readonly network_id: string;
  readonly source_id: string;
};

/** `place`: the dock it once was the neighbour of. */
export type AloneStation = {
  readonly place: Place;
  readonly location: Point;
  readonly name: string;
  readonly sources: readonly Observation[];
};

export type Source = {
  readonly id: string;
  readonly description: string;
  /** Narrower names for the part of the source a path belongs to, such as `gbfs:<system_id>`. */
  partsOf(pathname: string): readonly string[];
  readonly parts: readonly { readonly id: string; readonly url: string }[];
  observe(thing: Thing): readonly Observation[];
  /** Stations of an operator that only this source still lists: things of their own. */
  alone?(operator: Operator): readonly AloneStation[];
  handle(request: SandboxRequest): Reply;
};
