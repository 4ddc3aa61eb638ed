// A simulated register, read by the reader of the service.
import type { LiveState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { createTrail } from "#kit/trail.ts";
import { findShape } from "#providers/register-shapes.ts";
import type { Sandbox } from "../../../sandbox/main.ts";
import { SETTINGS } from "../providers/registers/fault-table.ts";
import { upstreamOf } from "./services-reader.ts";

export type Register<S extends LiveState> = {
  places: Map<string, Place>;
  states: Map<string, S>;
  /** Why rows of the static half were dropped, each reason once. */
  dropped: string[];
};

/** `S` is what the live half of this register has. */
export async function readRegister<S extends LiveState>(
  sandbox: Sandbox,
  id: string,
): Promise<Register<S>> {
  const shape = findShape(id)!;
  const { url, live_url = url } = upstreamOf(sandbox, id);
  const bodyOf = async (address: string) =>
    new Uint8Array(await (await fetch(address)).arrayBuffer());
  const trail = createTrail();
  const options = { settings: { ...SETTINGS, id }, trail };
  const places = [...shape.readPlaces(await bodyOf(url!), options)!];
  const { dropped } = trail.toTrail();
  const states = shape.readStates!(await bodyOf(live_url!), { ...options, trail: createTrail() })!;
  return {
    places: new Map(places.flatMap((place) => (place ? [[place.external_id, place]] : []))),
    states: new Map([...states].flatMap((state) => (state ? [[state.id, state as S]] : []))),
    dropped: dropped.map(({ reason }) => reason),
  };
}
