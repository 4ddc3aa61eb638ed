// The public transport network of a city, fixed by the seed: operators, lines, stations, platforms.
import { around, type Point } from "../geo.ts";
import { between, hash, hashText, pick, unit } from "../rng.ts";
import type { City, Word } from "./model.ts";
import { ownBoarding, platformBoarding, schemeOf, toWheelchair } from "./transit-access.ts";
import { addForgotten, addTerminus, type Draft, layLine, type Visit } from "./transit-draft.ts";
import type { Line, Network, Platform, TransitMode } from "./transit-model.ts";
import type { TransitOperator, TransitStation } from "./transit-model.ts";
import {
  partOf,
  partsOf,
  planOf,
  type Role,
  roleOf,
  routeTypeOf,
  type TransitPlan,
} from "./transit-plan.ts";

export function createNetwork(city: City, seed: number): Network {
  const key = hash(seed, hashText(city.id), hashText("transit"));
  const plan = planOf(city);
  const roles = new Map<Role, TransitOperator>();
  const drafts: Draft[] = [];
  const courses = plan.modes.map((mode, index) => {
    const nth = plan.modes.slice(0, index).filter((other) => other === mode).length;
    const role = roleOf(mode, nth);
    if (!roles.has(role)) roles.set(role, toOperator(role, plan));
    return {
      mode,
      nth,
      role,
      line: index,
      key: hash(key, 1, index),
      part: partOf(role, plan),
      parts: partsOf(role, plan),
    };
  });
  addTerminus(city, drafts, key);
  const visits = courses.map((course) => layLine(city, drafts, course));
  addForgotten(city, drafts, key);
  const names = drafts.map((_, index) => nameAt(city, drafts, index, hash(key, 2)));
  const lines = courses.map((course, index): Line =>
    toLine({
      ...course,
      operator: roles.get(course.role) ?? toOperator(course.role, plan),
      route_type: routeTypeOf(course.mode, course.nth, plan),
      visits: visits[index] ?? [],
      names,
    }),
  );
  const stations = drafts.map((draft, index) =>
    toStation(draft, {
      city,
      index,
      key: hash(key, 3, index),
      lines,
      plan,
      name: names[index] ?? "",
    }),
  );
  return {
    city,
    lines,
    stations,
    operators: [...roles.values()],
    parts: plan.split || plan.echo ? [0, 1] : [0],
  };
}

function toOperator(role: Role, { operators }: TransitPlan): TransitOperator {
  return { id: `${role}-1`, name: operators[role], url: `https://${role}.transit.example/` };
}

type LineDraft = {
  readonly mode: TransitMode;
  readonly nth: number;
  readonly key: number;
  readonly line: number;
  readonly part: Line["part"];
  readonly parts: Line["parts"];
  readonly operator: TransitOperator;
  readonly route_type: number;
  readonly visits: readonly Visit[];
  readonly names: readonly string[];
};

const LETTERS: Readonly<Record<TransitMode, string>> = {
  metro: "M",
  tram: "T",
  bus: "",
  rail: "R",
  rapid_transit: "S",
  ferry: "F",
  coach: "X",
  cable_transport: "C",
};
const COLORS = ["E3051C", "0A5DAA", "009B3A", "F7A600", "7B4B9A", "00A0B0", "5C3A21"] as const;

function toLine({ visits, names, nth, line, ...rest }: LineDraft): Line {
  const { mode, key } = rest;
  const number = mode === "bus" ? between(10, 96, key, 21) : nth + 1;
  const ends = [visits[0], visits.at(-1)].map(
    (visit) => names[visit?.outbound.station ?? -1] ?? "",
  );
  // The feed needs one of the two names only.
  const reported = hash(key, 22) % 5;
  const color = reported === 3 ? "" : pick(COLORS, hash(key, 23));
  return {
    index: line,
    key,
    mode,
    operator: rest.operator,
    part: rest.part,
    parts: rest.parts,
    route_type: rest.route_type,
    short_name: reported === 1 ? "" : `${LETTERS[mode]}${number}`,
    long_name: reported === 2 ? "" : ends.join(" – "),
    color,
    text_color: color === "" ? "" : "FFFFFF",
    outbound: visits.map(({ outbound }) => outbound),
    back: visits.map(({ back }) => back).toReversed(),
  };
}

type Frame = Pick<TransitStation, "city" | "index" | "key" | "name"> & {
  readonly lines: readonly Line[];
  readonly plan: TransitPlan;
};

function toStation(draft: Draft, { lines, plan, ...frame }: Frame): TransitStation {
  const { lat, lon, form, across } = draft;
  const { key } = frame;
  const at: Point = { lat, lon };
  const parts = new Set(draft.platforms.flatMap((platform) => platform.parts));
  const scheme = plan.unsurveyed ? "silent" : schemeOf(key, form, parts.size > 1);
  const platforms = draft.platforms.map(({ mode, parts: feeds }, index): Platform => {
    const spot =
      form === "pole" ? at : around(at, unit(key, index, 31), between(6, 45, key, index, 32));
    const isLong = form === "station" && (mode === "rail" || mode === "rapid_transit");
    return {
      ...spot,
      index,
      mode,
      parts: feeds,
      code: form === "pole" ? "" : String(index + 1),
      boarding: platformBoarding(scheme, index),
      areas: isLong && unit(key, 33) < 0.4 ? 2 : 0,
    };
  });
  const served = new Set(draft.platforms.flatMap((platform) => platform.lines));
  const boarding = ownBoarding(scheme, key);
  const doors = form === "station" ? hash(key, 34) % 4 : 0;
  return {
    kind: "transit_station",
    ...frame,
    ...at,
    form,
    across,
    platforms,
    boarding,
    entrances: Array.from({ length: doors }, (_, n) => around(at, unit(key, n, 35), 30 + n * 9)),
    has_node: doors > 1,
    wheelchair: toWheelchair(form, boarding, platforms),
    lines: lines.filter(({ index }) => served.has(index)),
  };
}

/** Places, then streets, then both together; the two poles of a street share a name. */
function nameAt(city: City, drafts: readonly Draft[], index: number, salt: number): string {
  const across = drafts[index]?.across;
  const match = across && across.station < index ? across.station : index;
  const { places, streets, joiner } = city;
  const forms = (form: Draft["form"]): number =>
    drafts.slice(0, match).filter((draft) => draft.form === form).length;
  const nth = forms("station");
  if (drafts[match]?.form === "station" && nth < places.length)
    return wordOf(pick(places, nth + (salt % places.length)));
  const pairs = streets.length * places.length;
  const pair = (match * 31 + (salt % pairs)) % pairs;
  const place = wordOf(pick(places, Math.floor(pair / streets.length)));
  return `${wordOf(pick(streets, pair % streets.length))}${joiner}${place}`;
}

const wordOf = (word: Word): string => (typeof word === "string" ? word : word[0]);
