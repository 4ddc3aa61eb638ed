/** The n-th body of a seed: valid as the grammar has it, or broken in one place that is known. */
import type { Dice } from "../../trials/dice.ts";
import {
  type Code,
  MEMBER_FAULTS,
  NO_JSON,
  NO_UTF8,
  OBJECTS,
  REQUIRED,
  STRANGERS,
  WRONG_CODINGS,
  WRONG_TYPES,
} from "./faults.ts";
import { generateValid, type Valid } from "./grammar.ts";
import { edit, get, Members, type Path, put, type Tree, write } from "./tree.ts";

export type Case = {
  /** What is special about it: `radius`, `missing`, `content type`, … */
  label: string;
  bytes: Buffer;
  type: string | null;
  coding: string | null;
  chunked: boolean;
  /** null: it must be accepted. `names`: texts one of which the message must tell. */
  refused: { code: Code; names: readonly string[] } | null;
  valid: Valid;
  /** Whether a schema of JSON values can say so: not of bytes, headers and members given twice. */
  schema: "agrees" | "cannot say";
};

const LIMIT_BYTES = 65_536;
const GOOD_TYPES = [
  ...["application/json", "Application/JSON", "application/json; charset=utf-8"],
  ...['application/json;charset="UTF-8"', "application/json ; charset=UTF-8"],
];

export function generateCase(dice: Dice): Case {
  const valid = generateValid(dice);
  const good: Case = {
    ...{ label: "valid", bytes: Buffer.from(pad(dice, write(valid.body))), valid },
    ...{ type: dice.pick(GOOD_TYPES), coding: dice.chance(0.05) ? "identity" : null },
    ...{ chunked: dice.chance(0.1), refused: null, schema: "agrees" },
  };
  return dice.chance(0.45) ? enlarge(dice, good) : dice.pick(BREAKERS)(dice, good);
}

/** Blanks between tokens mean nothing. */
function pad(dice: Dice, text: string): string {
  const blank = (): string => dice.pick(["", "", " ", "\n", "\r\n\t"]);
  return blank() + text + blank();
}

/** Exactly as large as may be, now and then. */
function enlarge(dice: Dice, good: Case): Case {
  if (!dice.chance(0.01)) return good;
  return { ...good, label: "largest", bytes: toSize(good.bytes, LIMIT_BYTES) };
}

const toSize = (bytes: Buffer, size: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length), " ")]);

type Breaker = (dice: Dice, good: Case) => Case;

const say = (path: Path): string => path.join(".");

function broken(good: Case, label: string, tree: Tree, refused: Case["refused"]): Case {
  return { ...good, label, bytes: Buffer.from(write(tree)), refused };
}

const wrongValue: Breaker = (dice, good) => {
  const faults = MEMBER_FAULTS.filter(({ form = good.valid.form }) => form === good.valid.form);
  const { path, code, values } = dice.pick(faults);
  const at = dice.integer(0, values.length - 1);
  const label = `${say(path)} ${code} ${at}`;
  const made = broken(good, label, put(good.valid.body, path, values[at]!), {
    ...{ code, names: [say(path)] },
  });
  // Half of a pair is a string to a schema.
  return made.bytes.includes("\\ud83d") ? { ...made, schema: "cannot say" } : made;
};

const missing: Breaker = (dice, good) => {
  const here = REQUIRED.filter(({ form = good.valid.form }) => form === good.valid.form);
  const { path } = dice.pick(here);
  const tree = edit(good.valid.body, path.slice(0, -1), (pairs) =>
    pairs.filter(([name]) => name !== path.at(-1)),
  );
  const refused = { code: "invalid_request", names: [say(path)] } as const;
  return broken(good, `missing ${say(path)}`, tree, refused);
};

const stranger: Breaker = (dice, good) => {
  const path = dice.pick(OBJECTS);
  const name = dice.pick(STRANGERS);
  const value = dice.pick<Tree>([null, 1, "x", [], new Members([])]);
  const tree = edit(good.valid.body, path, (pairs) => dice.shuffle([...pairs, [name, value]]));
  return broken(good, `extra ${say(path)} ${name}`, tree, unexpected(path, [name]));
};

const renamed: Breaker = (dice, good) => {
  const path = dice.pick(OBJECTS);
  const object = get(good.valid.body, path) as Members;
  const [name] = dice.pick(object.pairs);
  const other = dice.pick([name.toUpperCase(), `${name} `, `_${name}`, name.slice(0, -1)]);
  const tree = edit(good.valid.body, path, (pairs) =>
    pairs.map(([each, value]) => [each === name ? other : each, value]),
  );
  return broken(good, `renamed ${say(path)}`, tree, unexpected(path, [other]));
};

/** Members of the other form, beside one's own or in their place. */
const mixed: Breaker = (dice, good) => {
  const path = ["request", "args"];
  const others =
    good.valid.form === "read_dataset"
      ? ["lat", "lon", "radius", "modes", "include", "limit", "intent", "language"]
      : ["id", "version"];
  if (dice.chance(0.5)) {
    const name = dice.pick(others);
    const tree = edit(good.valid.body, path, (pairs) => [...pairs, [name, "x"]]);
    return broken(good, "mixed forms", tree, unexpected(path, [name]));
  }
  const form = good.valid.form === "read_dataset" ? "search_mobility" : "read_dataset";
  const own = (get(good.valid.body, path) as Members).pairs.map(([name]) => name);
  const tree = put(good.valid.body, ["request", "capability"], form);
  return broken(good, "args of the other form", tree, unexpected(path, own));
};

function unexpected(path: Path, names: readonly string[]): Case["refused"] {
  // A name that is no word is quoted, and cut when it is long.
  const shown = names.map((name) =>
    /^\w{1,64}$/.test(name) ? say([...path, name]) : name.slice(0, 64),
  );
  return { code: "unexpected_member", names: shown };
}

const twice: Breaker = (dice, good) => {
  const path = dice.pick(OBJECTS);
  const [name, value] = dice.pick((get(good.valid.body, path) as Members).pairs);
  const tree = edit(good.valid.body, path, (pairs) => [
    ...pairs,
    [name, dice.chance(0.5) ? value : null],
  ]);
  const text = write(tree);
  // The second one written with an escape is the same name.
  const escaped = `"\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}"`;
  const at = text.lastIndexOf(`"${name}":`);
  const bytes = dice.chance(0.3)
    ? `${text.slice(0, at)}${escaped}${text.slice(at + name.length + 2)}`
    : text;
  return {
    ...{ ...good, label: `twice ${say(path)}`, bytes: Buffer.from(bytes), schema: "cannot say" },
    refused: { code: "invalid_json", names: [`"${say([...path, name])}"`] },
  };
};

const noJson: Breaker = (dice, good) => {
  const label = dice.pick(Object.keys(NO_JSON));
  const bytes = Buffer.from(NO_JSON[label]!(write(good.valid.body)));
  return { ...good, label, bytes, refused: NOT_JSON, schema: "cannot say" };
};

const NOT_JSON = { code: "invalid_json", names: ["body"] } as const;

const noUtf8: Breaker = (dice, good) => {
  const text = write(good.valid.body);
  const at = text.indexOf("1.0.0");
  const hex = dice.pick(NO_UTF8);
  const bytes = Buffer.concat([
    Buffer.from(text.slice(0, at)),
    Buffer.from(hex, "hex"),
    Buffer.from(text.slice(at)),
  ]);
  return { ...good, label: `bytes ${hex}`, bytes, refused: NOT_JSON, schema: "cannot say" };
};

/** JSON, and no object. */
const noBody: Breaker = (dice, good) => {
  const tree = dice.pick<Tree>([null, true, 5, "x", [], [good.valid.body]]);
  const refused = { code: "invalid_request", names: ["body"] } as const;
  return broken(good, "no object", tree, refused);
};

const tooLarge: Breaker = (dice, good) => ({
  ...{ ...good, label: "too large", schema: "cannot say" },
  bytes: toSize(good.bytes, LIMIT_BYTES + dice.pick([1, 1, 2, 60_000])),
  refused: { code: "body_too_large", names: ["65536"] },
});

const wrongType: Breaker = (dice, good) => {
  const type = dice.pick(WRONG_TYPES);
  const refused = { code: "unsupported_media_type", names: ["Content-Type"] } as const;
  return { ...good, label: `type ${type}`, type, refused, schema: "cannot say" };
};

const wrongCoding: Breaker = (dice, good) => {
  const coding = dice.pick(WRONG_CODINGS);
  const refused = { code: "unsupported_media_type", names: ["Content-Encoding"] } as const;
  return { ...good, label: `coding ${coding}`, coding, refused, schema: "cannot say" };
};

/** As often as they have something to say. */
const BREAKERS: readonly Breaker[] = [
  ...Array.from({ length: 16 }, () => wrongValue),
  ...[missing, missing, stranger, stranger, stranger, renamed, mixed, twice, twice, noJson],
  ...[noUtf8, noBody, wrongType, wrongCoding],
  // Large ones are dear: one in a hundred.
  (dice, good) => (dice.chance(0.15) ? tooLarge : noJson)(dice, good),
];
