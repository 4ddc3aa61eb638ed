/**
 * Bodies of POST /v1/capabilities that must be accepted, from the grammar of the decisions
 * (Capabilities), with what must have been understood of them. It shares no code with the service.
 */
import type { Dice } from "../../trials/dice.ts";
import { Members, Raw, type Tree } from "./tree.ts";

export type Form = "search_mobility" | "read_dataset";
export type Valid = {
  form: Form;
  body: Members;
  /** `args` with defaults in place, lists without repeats. */
  understood: Record<string, unknown>;
};

export const MODES = ["bicycle", "scooter", "moped", "car"];
export const FAMILIES = ["places", "lines", "stations", "vehicles", "alerts"];
export const INTENTS = "explore pickup return depart arrive park charge reserve".split(" ");
export const POLICIES = ["accept_valid_cache", "revalidate", null];

export function generateValid(dice: Dice): Valid {
  const form: Form = dice.chance(0.75) ? "search_mobility" : "read_dataset";
  const { args, understood } = form === "search_mobility" ? searchArgs(dice) : readArgs(dice);
  const correlation = shuffled(dice, [
    ["conversation_id", id(dice)],
    ["interaction_id", id(dice)],
    ["request_id", id(dice)],
    ["parent_request_id", dice.chance(0.5) ? null : id(dice)],
    ["turn_id", turn(dice)],
  ]);
  const request = shuffled(dice, [
    ["capability", form],
    ["args", args],
  ]);
  const body = shuffled(dice, [
    ["contract_version", "1.0.0"],
    ["correlation", correlation],
    ["request", request],
    ["freshness_policy", dice.pick(POLICIES)],
  ]);
  return { form, body, understood };
}

function shuffled(dice: Dice, pairs: readonly (readonly [string, Tree])[]): Members {
  return new Members(dice.shuffle(pairs));
}

/** 1 to 128 code points, whatever they take in UTF-16 or UTF-8, without control characters. */
function id(dice: Dice): string {
  const one = (): string =>
    dice.pick(["a", "Z", "9", "-", " ", '"', "\\", "/", "é", "中", "😀", "\u200d", "\u00a0", "~"]);
  const length = dice.pick([1, 2, 8, 20, 127, 128]);
  return Array.from({ length }, one).join("");
}

function turn(dice: Dice): Tree {
  const most = String(Number.MAX_SAFE_INTEGER);
  return dice.pick([
    ...[null, 0, 1, -7, 4, id(dice), "0"],
    ...[most, `-${most}`, "-0", "1e2", "2.0"].map((text) => new Raw(text)),
  ]);
}

type Option = readonly [written: Tree, meant: unknown];

function searchArgs(dice: Dice): { args: Members; understood: Record<string, unknown> } {
  const options: Record<string, () => Option> = {
    lat: () => degrees(dice, 90),
    lon: () => degrees(dice, 180),
    radius: () =>
      dice.pick<Option>([
        [1, 1],
        [400, 400],
        [250.5, 250.5],
        [null, 400],
        [new Raw("1e9"), 1e9],
      ]),
    limit: () =>
      dice.pick<Option>([
        [1, 1],
        [100, 100],
        [7, 7],
        [null, 100],
        [new Raw("2.0e1"), 20],
      ]),
    modes: () => list(dice, MODES, MODES),
    include: () => list(dice, FAMILIES, ["stations", "vehicles"]),
    intent: () => same(dice.pick([null, ...INTENTS])),
    language: () => same(dice.pick([null, "fr", "EN", "pt-BR", "zh-Hant-TW", "yue", "de-1996"])),
  };
  const absent: Record<string, unknown> = {
    ...{ radius: 400, limit: 100, modes: MODES, include: ["stations", "vehicles"] },
    ...{ intent: null, language: null },
  };
  const understood: Record<string, unknown> = {};
  const pairs: [string, Tree][] = [];
  for (const [name, option] of Object.entries(options)) {
    if (name in absent && dice.chance(0.4)) {
      understood[name] = absent[name];
      continue;
    }
    const [written, meant] = option();
    pairs.push([name, written]);
    understood[name] = meant;
  }
  return { args: shuffled(dice, pairs), understood };
}

const same = (value: string | number | null): Option => [value, value];

function degrees(dice: Dice, bound: number): Option {
  const exact = dice.between(-bound, bound);
  return dice.pick<Option>([
    [exact, exact],
    [bound, bound],
    [-bound, -bound],
    [0, 0],
    [new Raw("-0"), 0],
    [new Raw("1e-7"), 1e-7],
    [new Raw("1E+1"), 10],
    [new Raw("48.850000000000000000001"), 48.85],
  ]);
}

/** An array, or text with commas and blanks; repeats count once, in the order they came. */
function list(dice: Dice, choices: readonly string[], none: readonly string[]): Option {
  if (dice.chance(0.2)) return [null, none];
  const items = Array.from({ length: dice.integer(1, 6) }, () => dice.pick(choices));
  const meant = [...new Set(items)];
  if (dice.chance(0.5)) return [items, meant];
  const blank = (): string => dice.pick(["", "", " ", "  "]);
  return [items.map((item) => blank() + item + blank()).join(","), meant];
}

/** Any text is read: what it names is another matter. */
function readArgs(dice: Dice): { args: Members; understood: Record<string, unknown> } {
  const text = (): string =>
    dice.pick(["", "nearby_x", "1-abc", "a".repeat(300), "../etc", "é\u0000", "😀"]);
  const [given, version] = [text(), text()];
  const args = shuffled(dice, [
    ["id", given],
    ["version", version],
  ]);
  return { args, understood: { id: given, version } };
}
