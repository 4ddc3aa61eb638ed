/**
 * Names for what is random by design, so that two runs of one program are equal: each is called by
 * the request whose answer it was first in. A request that uses an id of an earlier answer is kept
 * with its name, and sent with the id that the program of now has given.
 */
import type { Reply } from "./recording.ts";

/** Each is random in every run; nothing else is left out of the comparison. */
const RANDOM: Readonly<Record<string, RegExp>> = {
  dataset: /\b(?:nearby|mobility|search)_[a-z2-7]{30,}\b/,
  version: /\b1-[a-z2-7]{26}\b/,
  key: /\bsvc_(?:test|live)_[0-9A-Za-z]{49}\b/,
  hint: /\bsvc_(?:test|live)_[0-9A-Za-z]{4}\b/,
  account: /\bacc_[0-9A-Za-z]{15}\b/,
  key_id: /\bkey_[0-9A-Za-z]{15}\b/,
};
const ANY = new RegExp(
  Object.entries(RANDOM)
    .map(([kind, { source }]) => `(?<${kind}>${source})`)
    .join("|"),
  "g",
);
/** Forms of what is known before it is met: tags, and versions of tiles. */
const KNOWN_FORMS: readonly RegExp[] = [/"[^"]{8,}"/g, /\b[0-9a-f]{12}\b/g];
const ALIAS = /<<[^<>]*>>/g;

/** Six characters of the process and a count (src/http/reply-headers.ts). */
const REQUEST_ID = /^[\w-]{6}-[0-9a-z]+$/;
const ID_HEADERS: ReadonlySet<string> = new Set(["x-request-id", "x-vicinity-request-id"]);
const REQUEST_ID_ALIAS = "<<request>>";

export class Aliases {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, string>();

  /** The reply with names in place of what is random; `request`: what it answers, as it was sent. */
  toCanonical(label: string, request: string, { status, headers, body }: Reply): Reply {
    // What the caller called the request is no id of ours.
    const ids = headers
      .filter(([name, value]) => ID_HEADERS.has(name.toLowerCase()) && REQUEST_ID.test(value))
      .map(([, value]) => value)
      .filter((value) => !request.includes(value));
    const write = (text: string): string => {
      const names = this.toNames(this.#write(label, text));
      return ids.reduce((all, id) => all.replaceAll(id, REQUEST_ID_ALIAS), names);
    };
    const text = write(body);
    const tag = headers.find(([name]) => name.toLowerCase() === "etag")?.[1];
    // The tag of a body with a random id is random as well.
    if (tag !== undefined && text !== body) this.#name(label, "etag", tag.replace(/^W\//, ""));
    return {
      status,
      headers: headers.map(([name, value]) => [name, write(value)] as const),
      body: text,
    };
  }

  /** The text with the names of what has one. */
  toNames(text: string): string {
    if (this.#names.size === 0) return text;
    return [ANY, ...KNOWN_FORMS].reduce(
      (match, form) => match.replaceAll(form, (value) => this.#names.get(value) ?? value),
      text,
    );
  }

  /** The text with the values of this run; a name that it has not given stays. */
  toValues(text: string): string {
    return text.replaceAll(ALIAS, (name) => this.#values.get(name) ?? name);
  }

  /** Names something that no answer has shown. */
  give(kind: string, label: string, value: string): void {
    this.#name(label, kind, value);
  }

  #write(label: string, text: string): string {
    return text.replaceAll(ANY, (value, ...rest) => {
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
      const kind = Object.keys(groups).find((each) => groups[each] !== undefined)!;
      return this.#name(label, kind, value);
    });
  }

  #name(label: string, kind: string, value: string): string {
    const known_name = this.#names.get(value);
    if (known_name !== undefined) return known_name;
    let count = 1;
    while (this.#values.has(aliasOf(kind, label, count))) count++;
    const name = aliasOf(kind, label, count);
    this.#names.set(value, name);
    this.#values.set(name, value);
    return name;
  }
}

/** The name of the `count`th of that kind in the answer to the step of that label. */
export function aliasOf(kind: string, label: string, count = 1): string {
  return `<<${kind} ${count} of ${label}>>`;
}
