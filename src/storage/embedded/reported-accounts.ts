/**
 * Accounts whose writes are reported to the health of the data folder. What the disk refuses is
 * `store_unavailable` with its reason, as of a store elsewhere: it is no defect.
 */
import type { AccountsAtHand } from "#ports.ts";
import type { Reports } from "#storage/store-health.ts";
import { folderFailure } from "#storage/store-reasons.ts";
import { unavailable } from "#storage/unavailable.ts";

const PART = "accounts";

export function reportAccounts(accounts: AccountsAtHand, health: Reports): AccountsAtHand {
  const reported =
    <Given extends unknown[], Result>(write: (...args: Given) => Result) =>
    (...args: Given): Result => {
      try {
        const result = write(...args);
        health.succeed(PART);
        return result;
      } catch (error) {
        const failing = folderFailure(error);
        if (failing === null) throw error;
        health.fail(PART, failing);
        throw unavailable("the store of accounts takes no changes", { failing, cause: error });
      }
    };
  return {
    ...accounts,
    createAccount: reported(accounts.createAccount),
    setAccount: reported(accounts.setAccount),
    createKey: reported(accounts.createKey),
    rotateKey: reported(accounts.rotateKey),
    revokeKey: reported(accounts.revokeKey),
    touchKeys: reported(accounts.touchKeys),
  };
}
