/** Outcomes of storing a dataset. */

/** Outcome of storing a dataset: only `stored` has changed anything. */
export type DatasetFate =
  | "stored"
  /** There is one of this id. */
  | "taken"
  /** The key, or the block around an address, has as many living ones as it may. */
  | "quota"
  | "block_quota"
  /** The owner's datasets take all the bytes they may. */
  | "owner_full"
  | "disk_full"
  /** The store cannot take it now; after a fault it may be stored, but no caller received its id. */
  | "unavailable";
