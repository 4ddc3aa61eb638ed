/**
 * Reads elements of an XML document one at a time, so that a document of hundreds of megabytes costs the
 * memory of one of them. Names are local names: prefixes differ by publisher and say nothing. There is
 * no DTD and no entity but the five of XML: a document with a DOCTYPE is refused.
 */
import sax from "sax";
import { attempt } from "#kit/guard.ts";
import type { TrailRecorder } from "#kit/trail.ts";

export type XmlElement = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly XmlElement[];
  /** Of its own, without that of its children; trimmed. */
  text: string;
};

type Draft = { name: string; attributes: Map<string, string>; children: Draft[]; text: string };

const CHUNK_BYTES = 65_536;
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;
const MAX_NAME_LENGTH = 256;
/** Of one wanted element with all that is in it: descendants, and characters of text and attributes. */
const MAX_DESCENDANTS = 100_000;
const MAX_CHARACTERS = 4_194_304;
const HEAD_ELEMENTS = 100;
const DECLARATION_BYTES = 200;

const DECLARED = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/;
const BYTE_ENCODINGS = new Map([
  ...["utf-8", "utf8", "us-ascii", "ascii", "utf-16"].map((label) => [label, "utf-8"] as const),
  ...["iso-8859-1", "iso-8859-15", "windows-1252"].map((label) => [label, label] as const),
]);

/**
 * Gives each element whose local name is in `wanted`, with all that is in it (a wanted element inside
 * another is part of that one). Null instead of an element above the bounds, and at the place where the
 * document breaks off; the trail has the reason.
 */
export function* readElements(
  body: Uint8Array,
  wanted: ReadonlySet<string>,
  trail: TrailRecorder,
): Generator<XmlElement | null, void> {
  const reader = new ElementReader(wanted);
  for (const chunk of decoded(body)) {
    const failure = chunk === null ? "encoding" : reader.write(chunk);
    for (const element of reader.take()) {
      if (element === null) trail.drop("xml_element_too_large", "");
      yield element;
    }
    if (failure === null) continue;
    trail.drop("xml_broken", failure);
    yield null;
    return;
  }
}

/** Gives the first elements of a document, each alone: what kind of document it is. Empty: it is no XML. */
export function readHead(body: Uint8Array): readonly XmlElement[] {
  const reader = new ElementReader(null);
  for (const chunk of decoded(body.subarray(0, CHUNK_BYTES))) {
    const failure = chunk === null ? "encoding" : reader.write(chunk);
    if (failure !== null) break;
  }
  return reader.take().filter((element) => element !== null);
}

/** The first child of that name, or the first found along a path of names. */
export function childOf(element: XmlElement | null, ...path: readonly string[]): XmlElement | null {
  let found = element;
  for (const name of path) found = found?.children.find((child) => child.name === name) ?? null;
  return found;
}

export function childrenOf(element: XmlElement | null, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The text at a path of names; null: there is none. */
export function textOf(element: XmlElement | null, ...path: readonly string[]): string | null {
  return childOf(element, ...path)?.text || null;
}

/** All elements of that name in `element`, at any depth, in the order of the document. */
export function* descendantsOf(element: XmlElement, name: string): Generator<XmlElement, void> {
  for (const child of element.children) {
    if (child.name === name) yield child;
    yield* descendantsOf(child, name);
  }
}

/** Text of a document in chunks; the last is empty; null: its encoding is not read. */
function* decoded(body: Uint8Array): Generator<string | null, void> {
  const encoding = encodingOf(body);
  if (encoding === null) return yield null;
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    const text = decoder.decode(body.subarray(at, at + CHUNK_BYTES), { stream: true });
    if (text) yield text;
  }
  yield "";
}

function encodingOf(body: Uint8Array): string | null {
  const [first, second] = body;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  const start = new TextDecoder("iso-8859-1").decode(body.subarray(0, DECLARATION_BYTES));
  const declared = DECLARED.exec(start)?.[1];
  return declared === undefined ? "utf-8" : (BYTE_ENCODINGS.get(declared.toLowerCase()) ?? null);
}

/** Builds the wanted elements from the events of the parser; what it must not go on with is thrown. */
class ElementReader {
  readonly #parser = new sax.SAXParser(true, { position: true, ...{ strictEntities: true } });
  /** Null: the first elements of the document are wanted, each alone. */
  readonly #wanted: ReadonlySet<string> | null;
  #finished: (XmlElement | null)[] = [];
  /** From the wanted element to the one that is open. */
  #open: Draft[] = [];
  /** Open elements in all. */
  #depth = 0;
  /** Depth of a wanted element above the bounds, whose rest is passed over; 0: there is none. */
  #passing = 0;
  #descendants = 0;
  #characters = 0;
  #is_empty = true;

  constructor(wanted: ReadonlySet<string> | null) {
    this.#wanted = wanted;
    const parser = this.#parser;
    const handlers: Partial<sax.SAXParser> = {
      onerror: (error) => stop(error.message.split("\n", 1)[0]!, parser.line),
      ondoctype: () => stop("DOCTYPE", parser.line),
      onattribute: ({ name }) => {
        const count = Object.keys(parser.tag.attributes).length;
        if (count > MAX_ATTRIBUTES || name.length > MAX_NAME_LENGTH)
          stop("attributes", parser.line);
      },
      onopentag: ({ name, attributes }) => this.#start(name, attributes),
      ontext: (text) => this.#addText(text),
      oncdata: (text) => this.#addText(text),
      onclosetag: () => this.#end(),
    };
    Object.assign(parser, handlers);
  }

  /** Reads on, with "" to the end; returns why the document cannot be read further, or null. */
  write(text: string): string | null {
    return attempt(
      () => {
        if (text) this.#parser.write(text);
        else this.#parser.close();
        return text || !this.#is_empty ? null : "no element";
      },
      (error) => (error instanceof BrokenXml ? error.message : "not readable"),
    );
  }

  /** Hands the finished elements over; null: one that is above the bounds. */
  take(): (XmlElement | null)[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  #start(wire_name: string, wire_attributes: object): void {
    this.#is_empty = false;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) stop("depth", this.#parser.line);
    if (wire_name.length > MAX_NAME_LENGTH) stop("name", this.#parser.line);
    if (this.#passing > 0) return;
    const name = localName(wire_name);
    const parent = this.#open.at(-1);
    if (!parent && this.#wanted?.has(name) === false) return;
    const attributes = new Map<string, string>();
    for (const [key, value] of Object.entries(wire_attributes))
      attributes.set(localName(key), String(value));
    const draft: Draft = { name, attributes, children: [], text: "" };
    if (this.#wanted === null) return this.#addHead(draft);
    parent?.children.push(draft);
    this.#open.push(draft);
    this.#descendants += 1;
    for (const value of attributes.values()) this.#characters += value.length;
    this.#bound();
  }

  #addHead(draft: Draft): void {
    this.#finished.push(draft);
    if (this.#finished.length >= HEAD_ELEMENTS) stop("head", this.#parser.line);
  }

  #addText(text: string): void {
    const draft = this.#open.at(-1);
    if (!draft) return;
    draft.text += text;
    this.#characters += text.length;
    this.#bound();
  }

  #bound(): void {
    if (this.#descendants <= MAX_DESCENDANTS && this.#characters <= MAX_CHARACTERS) return;
    this.#passing = this.#depth - this.#open.length + 1;
    this.#open = [];
    this.#descendants = this.#characters = 0;
  }

  #end(): void {
    this.#depth -= 1;
    if (this.#depth + 1 === this.#passing) {
      this.#passing = 0;
      this.#finished.push(null);
    }
    const draft = this.#open.pop();
    if (!draft) return;
    draft.text = draft.text.trim();
    if (this.#open.length > 0) return;
    this.#finished.push(draft);
    this.#descendants = this.#characters = 0;
  }
}

class BrokenXml extends Error {}

function stop(reason: string, line: number): never {
  throw new BrokenXml(`${reason}, line ${line + 1}`);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
