/** Writes a paged base: page by page, then the head, and at last the prefix that makes it one. */
import { type Columns, statedChecksum, writePack } from "#kit/pack.ts";
import { toEnd } from "#kit/steps.ts";
import type { BaseMeta } from "../base/base-layout.ts";
import type { PageCell, PageLevel } from "./page-cell.ts";
import { HEAD_FORMAT, type PagedMeta, type PageRow, PREFIX_BYTES } from "./paged-layout.ts";
import { writePrefix } from "./paged-prefix.ts";

/** Where the bytes of a new base go (src/ports/bases.ts). */
export type PageSink = {
  write(at: number, bytes: Uint8Array): Promise<void>;
};

/** A page that was made; `pack`: a packed base. */
export type MadePage = { level: PageLevel; cell: PageCell; pack: Uint8Array };

export class PagedWriter {
  readonly #sink: PageSink;
  readonly #rows: PageRow[] = [];
  /** Where the next bytes go. */
  #end = PREFIX_BYTES;

  constructor(sink: PageSink) {
    this.#sink = sink;
  }

  /** Several may be written at once, in any order; the page's number is its place in the head. */
  async add(number: number, { level, cell, pack }: MadePage): Promise<void> {
    const checksum = statedChecksum(pack) ?? 0;
    const at = this.#take(pack.length);
    this.#rows[number] = { level, cell, at, bytes: pack.length, checksum };
    await this.#sink.write(at, pack);
  }

  /** Ends the file, once all pages are written; returns its size. */
  async finish(meta: BaseMeta, columns: Columns): Promise<number> {
    const head = packHead({ ...meta, pages: this.#rows }, columns);
    const at = this.#take(head.length);
    await this.#sink.write(at, head);
    const checksum = statedChecksum(head) ?? 0;
    await this.#sink.write(0, writePrefix({ at, bytes: head.length, checksum }));
    return this.#end;
  }

  #take(bytes: number): number {
    const at = this.#end;
    // No bit operation: sizes have more than 32 bits.
    this.#end = Math.ceil((at + bytes) / 8) * 8;
    return at;
  }
}

function packHead(meta: PagedMeta, columns: Columns): Uint8Array<ArrayBuffer> {
  return toEnd(writePack(HEAD_FORMAT, meta, columns));
}
