// A simulated source: a protocol under /upstreams/<id>/ and what it knows of the world's things.
// Another kind of upstream is another value of this type, added to the list in hosts.ts.
import type { FaultKind } from "./faults.ts";
import type { Reply, SandboxRequest } from "./http.ts";
import type { Point } from "./geo.ts";
import type { Operator, Place, Thing } from "./world/model.ts";
import type { ServiceThing } from "./world/service-model.ts";
import type { TransitStation } from "./world/transit-model.ts";

export type Observation = {
  readonly source: string;
  readonly network_id: string;
  readonly source_id: string;
  /** Other keys under which the same source has it. */
  readonly aliases?: readonly string[];
  /** It has an id of the source's own: nothing that is published says which vehicle it is. */
  readonly apart?: true;
};

/** A station listed by one source; `place`: the dock it once was the neighbour of. */
export type AloneStation = {
  readonly place: Place;
  readonly location: Point;
  readonly name: string;
  readonly sources: readonly Observation[];
};

/** Settings of the service: an address without a trailing slash, and secrets by name. */
export type Upstream = { readonly url: string; readonly [setting: string]: string };

/** An answer at the door, or what is to be done when the client is gone or has its answer. */
export type Admission = { readonly refused?: Reply; readonly leave?: () => void };

export type Source = {
  readonly id: string;
  readonly description: string;
  /** Narrower names for the part of the source a path belongs to, such as `gbfs:<system_id>`. */
  partsOf(pathname: string): readonly string[];
  readonly parts: readonly { readonly id: string; readonly url: string }[];
  /** How this source names a thing; none: it does not list it. */
  observe(thing: Thing | ServiceThing | TransitStation): readonly Observation[];
  /** Stations of an operator that only this source still lists: things of their own. */
  alone?(operator: Operator): readonly AloneStation[];
  /** Absent: it is asked only through the feeds. */
  readonly upstream?: Upstream;
  /** Before any fault, for sources that count who is being served. */
  admit?(request: SandboxRequest): Admission;
  /** Faults that it commits itself. */
  readonly own_faults?: readonly FaultKind[];
  handle(request: SandboxRequest, fault?: FaultKind): Reply;
};
