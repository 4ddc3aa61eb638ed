/** `identity`: whether sources are resolved into stations, and an operator's word on single pairs. */
import { Type } from "typebox";
import type { Static } from "typebox";
import type { KeyRef, Overrides } from "#stations/identity/observed-station.ts";
import { section } from "#config/schema-parts.ts";

function pairs(description: string) {
  const ref = Type.String({ format: "station-ref" });
  return Type.Array(Type.Array(ref, { minItems: 2, maxItems: 2 }), { default: [], description });
}

export const IdentitySchema = section(
  {
    enabled: Type.Boolean({
      default: true,
      description: "false: every observation is a station of its own.",
    }),
    always: pairs("Pairs of observations that are one station, whatever speaks against it."),
    never: pairs("Pairs of observations that are two stations, whatever speaks for one."),
  },
  "Which observations are one station. An observation is <feed>/<station key>, e.g. gbfs:velib/123.",
);

type Identity = Static<typeof IdentitySchema>;

/** The feed ends at the first slash: a station's key may hold more of them. */
export function toOverrides({ always, never }: Identity): Overrides {
  return { always: always.map(toRefs), never: never.map(toRefs) };
}

function toRefs([a, b]: readonly string[]): [KeyRef, KeyRef] {
  return [toRef(a!), toRef(b!)];
}

function toRef(text: string): KeyRef {
  const slash = text.indexOf("/");
  return { feed: text.slice(0, slash), id: text.slice(slash + 1) };
}
