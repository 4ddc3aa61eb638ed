/**
 * The grammar of values, written from the decisions (Conventions) and by other means than the
 * service uses: a cursor over the characters here, expressions there.
 */
const isDigit = (char: string | undefined): boolean =>
  char !== undefined && char >= "0" && char <= "9" && char.length === 1;

/** -?\d+(\.\d+)?([eE][+-]?\d{1,3})? and finite; undefined: not a number. */
export function readNumber(text: string): number | undefined {
  let at = text[0] === "-" ? 1 : 0;
  const digits = (): number => {
    const from = at;
    while (isDigit(text[at])) at++;
    return at - from;
  };
  if (digits() === 0) return undefined;
  if (text[at] === ".") {
    at++;
    if (digits() === 0) return undefined;
  }
  if (text[at] === "e" || text[at] === "E") {
    at++;
    if (text[at] === "+" || text[at] === "-") at++;
    const exponent = digits();
    if (exponent === 0 || exponent > 3) return undefined;
  }
  if (at !== text.length) return undefined;
  const value = Number(text);
  return Math.abs(value) <= Number.MAX_VALUE ? value : undefined;
}

/** -?\d+; undefined: not an integer. */
export function readInteger(text: string): number | undefined {
  const digits = text.startsWith("-") ? text.slice(1) : text;
  if (digits === "" || Array.from(digits).some((char) => !isDigit(char))) return undefined;
  const value = Number(text);
  return Math.abs(value) <= Number.MAX_VALUE ? value : undefined;
}

export function readBoolean(text: string): boolean | undefined {
  return ({ true: true, false: false } as Record<string, boolean | undefined>)[
    text === "true" || text === "false" ? text : "neither"
  ];
}

/** Items without the blanks around them; undefined when one is empty or unknown. */
export function readList(text: string, known: readonly string[]): string[] | undefined {
  const items = new Set<string>();
  for (const part of text.split(",")) {
    const item = part.replace(/^[ \t]+/, "").replace(/[ \t]+$/, "");
    if (item === "" || known.every((one) => one !== item)) return undefined;
    items.add(item);
  }
  return [...items];
}

/**
 * Text of an application/x-www-form-urlencoded name or value; undefined: not valid percent-encoded
 * UTF-8.
 */
export function decodeForm(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
