/** A page of a base, in memory or not, and what is known of reading it. */

/** Why a page is not to be had: its bytes are others, or cannot be read. */
export type PageFault = "damaged" | "unreadable";
/** What came of reading a page. */
export type LoadedPage<P> = { page: P } | { reason: PageFault };

/** One read of a page. */
export type PageRead = {
  ended: Promise<void>;
  /** null: it is under way. */
  outcome: PageFault | "ok" | null;
};

type State<P> =
  | { name: "absent" }
  | { name: "reading"; read: PageRead }
  /** `weight`: as large as the page (packages/kit/weigh.ts). */
  | { name: "held"; page: P; weight: ArrayBuffer }
  | { name: "failed"; reason: PageFault; until_ms: number };

/** Belongs to the cache, which alone changes it. */
export type PageSlot<P> = {
  readonly bytes: number;
  readonly load: (signal: AbortSignal) => Promise<LoadedPage<P>>;
  state: State<P>;
  /** Questions that have it, and the read that is under way. */
  pins: number;
  /** Its base was replaced or removed: it goes as soon as no question has it. */
  isRetired: boolean;
};

export function createSlot<P>(bytes: number, load: PageSlot<P>["load"]): PageSlot<P> {
  return { bytes, load, state: { name: "absent" }, pins: 0, isRetired: false };
}

/** The page of a slot that is pinned. */
export function pageOf<P>({ state }: PageSlot<P>): P {
  if (state.name === "held") return state.page;
  throw new TypeError(`A page that is ${state.name} was used`);
}
