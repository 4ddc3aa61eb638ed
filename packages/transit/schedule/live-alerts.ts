/** A publisher's notice about departures, as answers show it. Unknown is null. */
export type LiveAlertItem = {
  id: string;
  feed_id: string | null;
  cause: string | null;
  effect: string | null;
  header: string | null;
  description: string | null;
  url: string | null;
  /** RFC 3339; null: open on that side. */
  active_periods: readonly { from: string | null; to: string | null }[];
};
