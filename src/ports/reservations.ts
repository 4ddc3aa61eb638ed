/** Units that requests under way have reserved, in the store that replicas share. */

export type Reservations = {
  /**
   * Reserves units of an account, if that many are left of `most` beyond what the ledger has counted in
   * this period and what others have reserved. The reservation ends with the event of its id in the
   * ledger, in one transaction, or by itself after some time. null: the store does not answer.
   */
  reserve(wanted: {
    account_id: string;
    /** `2026-11-21` or `2026-11`. */
    period: string;
    units: number;
    most: number;
  }): Promise<SharedVerdict | null>;
};

/** `left`: units beyond those that others have reserved, before this reservation. */
export type SharedVerdict =
  | { granted: true; left: number; reservation: SharedReservation }
  | { granted: false; left: number };

export type SharedReservation = {
  /** Id for the event of usage that the reservation ends with. */
  event_id: string;
  /** Changes what is reserved, once the price is known; 0: nothing, it is released. Never waits. */
  settle(units: number): void;
};
