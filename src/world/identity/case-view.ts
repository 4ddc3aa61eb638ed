/**
 * The cases of a group in one state of its systems: which member's counts each shows, and its item,
 * rendered once and kept as flat bytes until a system of the group has another shard. Shards and texts
 * never change, and a place is written once, so what a question has found stays as it was, whatever is
 * asked or published meanwhile.
 */
import { findCaseHead, findCaseText } from "#stations/identity/case-texts.ts";
import { type CaseText, renderCase, sourceIdOf } from "#stations/identity/case-text.ts";
import { MODES_MASK } from "#stations/shard/bits.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { UNKNOWN_AVAILABILITY } from "#stations/shard/shard-status.ts";
import type { Closures } from "#world/closures.ts";
import type { StationHours } from "#world/station-hours.ts";
import type { CaseGroup, StationCase } from "./station-case.ts";
import { countConflict, isDocumentOld, isFresher, type Report, reportOf } from "./live-groups.ts";

/** Numbers of a case: 0 everywhere while nothing is known of it. */
const STRIDE = 9;
/** 2 + the member whose counts are shown; 1: none has any. */
const LIVE = 0;
/** Of the station, without the fields that depend on the time and the question (packages/stations/shard/bits). */
const STATE = 1;
/** Epoch seconds; 0: unknown. */
const REPORTED = 2;
/** The system whose counts are shown. */
const PART = 3;
/** The piece of memory that holds its item, and where in it: its start, its distance, its end (0: it is not rendered). */
const PIECE = 4;
const START = 5;
const MIDDLE = 6;
const END = 7;
/** Where the list of its conflicts ends. */
const CONFLICTS = 8;

/** About a dozen items. */
const PIECE_BYTES = 16 * 1024;

export class CaseView {
  /** By system of the group. */
  readonly shards: readonly Shard[];
  readonly closures: readonly (Closures | null)[];
  /** An alert closes something of the group, or vehicles are listed as parked at a station of it. */
  readonly has_closures: boolean;
  /** Published hours of its stations, by system of the group. */
  readonly hours: readonly (StationHours | null)[];
  readonly has_hours: boolean;
  readonly has_holds: boolean;
  readonly #cases: CaseGroup;
  readonly #made_s: number;
  /** Of the documents that are not old yet, the earliest; of those that are, the latest, epoch s. */
  readonly #young_s: number;
  readonly #old_s: number;
  readonly #known: Uint32Array;
  /** Written from its start to its end, and never again. */
  readonly #pieces: Buffer[] = [];
  #used = 0;

  constructor(cases: CaseGroup, now_s: number) {
    this.#cases = cases;
    this.shards = cases.parts.map(({ entry }) => entry.shard!);
    this.closures = cases.parts.map(({ entry }) => entry.closures);
    this.has_closures = this.closures.some((each) => each !== null);
    this.hours = cases.parts.map(({ entry }) => entry.hours);
    this.has_hours = this.hours.some((each) => each !== null);
    this.has_holds = this.shards.some(({ vehicles }) => (vehicles?.data?.holds.length ?? 0) > 0);
    this.#made_s = now_s;
    const documents = this.shards.flatMap(({ status }) => status?.live?.doc_s ?? []);
    this.#young_s = Math.min(...documents.filter((doc_s) => !isDocumentOld(doc_s, now_s)));
    this.#old_s = Math.max(...documents.filter((doc_s) => isDocumentOld(doc_s, now_s)));
    this.#known = new Uint32Array(cases.roles.count * STRIDE);
  }

  /** Reports whether it shows the same members at another time: those of old documents come last. */
  holdsAt(now_s: number): boolean {
    return !isDocumentOld(this.#young_s, now_s) && isDocumentOld(this.#old_s, now_s);
  }

  caseAt(place: number): StationCase {
    return this.#cases.caseAt(place);
  }

  /** State of a case, without the fields that depend on the time and the question. */
  stateOf(place: number): number {
    return this.#known[this.#decide(place) + STATE]!;
  }

  /** The member whose counts are shown; -1: none has any. */
  liveOf(place: number): number {
    return this.#known[this.#decide(place) + LIVE]! - 2;
  }

  /** The shard whose counts are shown; null: no member has any. */
  liveShardOf(place: number): Shard | null {
    const at = this.#decide(place);
    return this.#known[at + LIVE] === 1 ? null : this.shards[this.#known[at + PART]!]!;
  }

  /** Whose counts are shown, and their row; null: no member has any. */
  liveRowOf(place: number): readonly [shard: Shard, row: number] | null {
    const live = this.liveOf(place);
    if (live === -1) return null;
    const { refs, refs_at } = this.#cases.roles;
    const at = 2 * (refs_at[place]! + live);
    return [this.shards[refs[at]!]!, refs[at + 1]!];
  }

  /** What comes before the distance of its item, as text. */
  headOf(place: number): string {
    const head = findCaseHead(this.#cases.roles.texts, place);
    if (head !== null) return head;
    const { bytes, head_bytes } = renderCase(this.#cases.caseAt(place));
    return Buffer.from(bytes.buffer, bytes.byteOffset, head_bytes).toString();
  }

  /** When the counts that are shown were reported, epoch s; 0: unknown. */
  reportedOf(place: number): number {
    return this.#known[this.#decide(place) + REPORTED]!;
  }

  /** Reports whether something holds of a member, by its system and row. */
  someMember(place: number, holds: (part: number, row: number) => boolean): boolean {
    const { refs, refs_at } = this.#cases.roles;
    for (let i = refs_at[place]!; i < refs_at[place + 1]!; i++)
      if (holds(refs[2 * i]!, refs[2 * i + 1]!)) return true;
    return false;
  }

  /** Bytes of its item without the distance, the state and what follows it. */
  sizeOf(place: number): number {
    const at = this.#rendered(place);
    return this.#known[at + END]! - this.#known[at + START]!;
  }

  /** Copies what comes before the distance; returns where it ends. */
  copyHead(place: number, to: Buffer, at: number): number {
    const item = this.#rendered(place);
    const start = this.#known[item + START]!;
    const end = this.#known[item + MIDDLE]!;
    this.#pieces[this.#known[item + PIECE]!]!.copy(to, at, start, end);
    return at + end - start;
  }

  /**
   * Copies what comes after the distance, up to the network; returns where it ends. `conflict`: JSON of
   * one more item of its conflicts; empty: there is none.
   */
  copyRest(place: number, to: Buffer, at: number, conflict: string): number {
    const item = this.#rendered(place);
    const piece = this.#pieces[this.#known[item + PIECE]!]!;
    const start = this.#known[item + MIDDLE]!;
    const joint = this.#known[item + CONFLICTS]!;
    const end = this.#known[item + END]!;
    piece.copy(to, at, start, joint);
    let next = at + joint - start;
    if (conflict !== "")
      next += to.write(piece[joint - 1] === BRACKET ? conflict : `,${conflict}`, next);
    piece.copy(to, next, joint, end);
    return next + end - joint;
  }

  /** R9: the report that is followed, and the sources whose hours say closed, as an item of conflicts. */
  hoursConflictOf(place: number, now_ms: number): string {
    const { members } = this.caseAt(place);
    const isClosed = ({ part, row }: (typeof members)[number]): boolean =>
      this.hours[part]?.isClosed(row, now_ms) === true;
    const others = members
      .filter(isClosed)
      .map((each) => ({ field: "opening_hours", source_id: sourceIdOf(each), value: "closed" }));
    const source_id = sourceIdOf(members[this.liveOf(place)]!);
    return JSON.stringify({ field: "is_renting", source_id, value: true, others });
  }

  /** Chooses what is shown, once; returns where its numbers are. */
  #decide(place: number): number {
    const at = place * STRIDE;
    if (this.#known[at + LIVE] !== 0) return at;
    const { roles, parts } = this.#cases;
    const { refs, refs_at } = roles;
    const first = refs_at[place]!;
    let live = -1;
    let best: Report | null = null;
    for (let i = first; i < refs_at[place + 1]!; i++) {
      const report = reportOf(this.shards[refs[2 * i]!]!, refs[2 * i + 1]!, this.#made_s);
      if (report === null || !isFresher(report, best)) continue;
      best = report;
      live = i - first;
    }
    const [lead, lead_row] = [refs[2 * first]!, refs[2 * first + 1]!];
    const part = live === -1 ? lead : refs[2 * (first + live)]!;
    const state = best?.state ?? this.shards[lead]!.statics.state[lead_row]!;
    this.#known[at + LIVE] = live + 2;
    this.#known[at + STATE] = state | (parts[lead]!.statics.state[lead_row]! & MODES_MASK);
    this.#known[at + REPORTED] = best?.reported_s ?? 0;
    this.#known[at + PART] = part;
    return at;
  }

  /** Renders an item, once; returns where its numbers are. */
  #rendered(place: number): number {
    const at = place * STRIDE;
    if (this.#known[at + END] !== 0) return at;
    this.#decide(place);
    const { roles } = this.#cases;
    const members = roles.refs_at[place + 1]! - roles.refs_at[place]!;
    const text = findCaseText(roles.texts, place, members) ?? renderCase(this.#cases.caseAt(place));
    const counts = this.#countsOf(place, text);
    const conflict = Buffer.from(this.#conflictOf(place, text));
    const joints = NEXT_FIELD.length + COMMA.length;
    this.#reserve(text.bytes.length + counts.length + conflict.length + joints);
    this.#known[at + PIECE] = this.#pieces.length - 1;
    this.#known[at + START] = this.#used;
    this.#append(text.bytes.subarray(0, text.head_bytes));
    this.#known[at + MIDDLE] = this.#used;
    this.#append(counts);
    this.#known[at + CONFLICTS] = this.#appendRest(text, this.liveOf(place), conflict);
    this.#known[at + END] = this.#used;
    return at;
  }

  /** What follows the counts, with them among the fields of their member, and their conflict; returns where the conflicts end. */
  #appendRest({ bytes, head_bytes, ...text }: CaseText, live: number, conflict: Buffer): number {
    let from = head_bytes;
    const listed = text.members[live];
    if (listed) {
      this.#append(bytes.subarray(from, listed.available_at));
      this.#append(bytes[listed.available_at - 1] === BRACKET ? FIELD : NEXT_FIELD);
      from = listed.available_at;
    }
    this.#append(bytes.subarray(from, text.conflict_at));
    if (conflict.length > 0 && text.follows) this.#append(COMMA);
    this.#append(conflict);
    const conflicts_end = this.#used;
    this.#append(bytes.subarray(text.conflict_at));
    return conflicts_end;
  }

  /** `,"availability":{…}`: the start of the rendered counts of the member that reports them. */
  #countsOf(place: number, { members }: CaseText): Uint8Array {
    const live = this.liveOf(place);
    const listed = members[live];
    if (!listed) return NOTHING;
    const { refs, refs_at } = this.#cases.roles;
    const at = 2 * (refs_at[place]! + live);
    const { bytes, offsets } = this.shards[refs[at]!]!.status!.data!.middle;
    // The rest is the provenance of one source.
    const provenance = PROVENANCE.length + listed.source_end - listed.item_at;
    return bytes.subarray(offsets[refs[at + 1]!], offsets[refs[at + 1]! + 1]! - provenance);
  }

  #conflictOf(place: number, { bytes, members }: CaseText): string {
    const { refs, refs_at } = this.#cases.roles;
    const first = refs_at[place]!;
    return countConflict(
      members.map(({ source_at, source_end }, i) => ({
        status: this.shards[refs[2 * (first + i)]!]!.status?.data ?? null,
        row: refs[2 * (first + i) + 1]!,
        source_id: () => Buffer.from(bytes.subarray(source_at, source_end)).toString(),
      })),
      this.liveOf(place),
    );
  }

  #append(bytes: Uint8Array): void {
    this.#pieces.at(-1)!.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** An item lies in one piece. */
  #reserve(bytes: number): void {
    const last = this.#pieces.at(-1);
    if (last && last.length - this.#used >= bytes) return;
    this.#pieces.push(Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes)));
    this.#used = 0;
  }
}

const PROVENANCE = `,"provenance":[`;
const NOTHING = Buffer.from(`,"availability":${JSON.stringify(UNKNOWN_AVAILABILITY)}`);
const FIELD = Buffer.from(`"availability"`);
const NEXT_FIELD = Buffer.from(`,"availability"`);
const COMMA = Buffer.from(",");
const BRACKET = 0x5b;
