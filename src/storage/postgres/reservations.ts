/**
 * Reservations of units in PostgreSQL (ports/reservations.ts): one call of a function, in which the
 * requests of an account take turns (migrations.ts). The ledger ends a reservation in the statement
 * that counts its event.
 */
import { detach } from "#kit/guard.ts";
import type { Reservations, SharedReservation } from "#ports/reservations.ts";
import { attemptQuery } from "./attempt.ts";
import type { Pool } from "./pool.ts";

/** Longer than any answer takes, and than its event takes to the ledger. */
const RESERVED_MS = 120_000;

const RESERVE = `SELECT granted, units_left FROM reserve_units($1, $2, $3, $4, $5, $6)`;
const GIVE_BACK = `DELETE FROM usage_reservation WHERE event_id = $1`;
const AMEND = `UPDATE usage_reservation SET units = $2 WHERE event_id = $1`;

type Row = { granted: boolean; units_left: number };

/** Creates them over a pool that the caller closes afterwards. */
export function createPostgresReservations(
  pool: Pick<Pool, "query" | "noteDefect">,
  { newEventId, life_ms = RESERVED_MS }: { newEventId: () => string; life_ms?: number },
): Reservations {
  /** One that is lost ends by itself. */
  const send = (text: string, values: readonly (string | number)[]): void => {
    detach(
      attemptQuery(pool, () => pool.query(text, values)),
      () => undefined,
    );
  };
  const toReservation = (event_id: string, reserved: number): SharedReservation => ({
    event_id,
    settle(units) {
      if (units === 0) send(GIVE_BACK, [event_id]);
      else if (units !== reserved) send(AMEND, [event_id, units]);
    },
  });
  return {
    async reserve({ account_id, period, units, most }) {
      const event_id = newEventId();
      const rows = await attemptQuery(pool, () =>
        pool.query<Row>(RESERVE, [event_id, account_id, period, units, most, life_ms]),
      );
      const row = rows?.[0];
      if (row === undefined) {
        // It may have been written all the same.
        send(GIVE_BACK, [event_id]);
        return null;
      }
      const { granted, units_left: left } = row;
      if (!granted) return { granted, left };
      return { granted, left, reservation: toReservation(event_id, units) };
    },
  };
}
