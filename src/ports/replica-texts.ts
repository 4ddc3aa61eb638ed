/** What the replicas of a fleet say of themselves to each other. */

/** Texts of the other living replicas, by their ids. */
export type OtherTexts = ReadonlyMap<string, string>;

export type ReplicaTexts = {
  /** Says what holds here, and returns what the others say; null: the store does not answer. */
  report(text: string): Promise<OtherTexts | null>;
};
