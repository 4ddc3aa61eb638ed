/** Work that a feed costs the thread that serves requests, by piece: each is one turn of the loop. */
export type WorkPiece = "parse" | "publish";
export type NoteWork = (piece: WorkPiece, seconds: number) => void;

/** Does it at once, and reports how long it took; no request was served meanwhile. */
export function measured<T>(note: NoteWork | undefined, piece: WorkPiece, work: () => T): T {
  const begun_ms = performance.now();
  const made = work();
  note?.(piece, (performance.now() - begun_ms) / 1000);
  return made;
}
