/** Claims of work, so that of equal requests at several replicas one is executed. */

export type Claims = {
  /**
   * Claims a key for at most `life_ms`. `held`: another one has it. `unreachable`: the store does not
   * answer.
   */
  claim(key: Uint8Array, life_ms: number): Promise<Claim | "held" | "unreachable">;
};

export type Claim = {
  /** Gives the claim back, where it is still this one's. Never rejects. */
  end(): Promise<void>;
};
