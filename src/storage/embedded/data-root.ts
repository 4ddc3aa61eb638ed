/**
 * The folder that VICINITY_DATA_DIR names, and the one of a mode in it. A user who can write one of them
 * can put other accounts and keys in the place of ours before the next start, so that it is closed to
 * others, or not used. A link is followed once: everything is opened below the folder that it leads to.
 */
import { chmodSync, lstatSync, mkdirSync, realpathSync, type Stats, statSync } from "node:fs";

const CLOSED = 0o700;
const OTHERS = 0o077;
const STICKY = 0o1000;
const WRITABLE_BY = { group: 0o020, others: 0o002 } as const;

/** The process that opens the folder; without ids where the system has none. */
type User = { uid: number; groups: readonly number[] } | null;

export type RootDeps = {
  /** Called with a line about what was found and done. */
  say: (line: string) => void;
  /** Replaced by tests, like what follows. */
  user?: User;
  statOf?: (path: string) => Pick<Stats, "uid" | "gid" | "mode">;
  /** Administrators run commands on the folder of the service's user. */
  isCommand?: boolean;
};

/**
 * Makes the folder, or closes it to others; returns its real path. Throws an error of one line where
 * others can write it and that cannot be changed, and as the file system does.
 */
export function secureFolder(path: string, deps: RootDeps): string {
  mkdirSync(path, { recursive: true, mode: CLOSED });
  const real = lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  if (real !== path) deps.say(`${path} is a link to ${real}`);
  const { user = currentUser() } = deps;
  if (user !== null) closeFolder(real, user, deps);
  return real;
}

function closeFolder(path: string, user: NonNullable<User>, deps: RootDeps): void {
  const { say, isCommand, statOf = statSync } = deps;
  const before = statOf(path);
  const isTrusted = before.uid === user.uid || before.uid === 0;
  if (!isTrusted && !(isCommand === true && user.uid === 0))
    throw new Error(
      `it belongs to the user ${before.uid}, who can replace what is in it (chown it to ${user.uid})`,
    );
  if ((before.mode & OTHERS) === 0 || isShared(before, user)) return;
  const isClosed = tryToClose(path);
  const after = statOf(path);
  const writers = writersOf(after, user);
  if (writers !== null)
    throw new Error(`${writers} can replace what is in it (chmod 700, or another folder)`);
  if (isClosed && (after.mode & OTHERS) === 0)
    say(
      `${path} was ${writersOf(before, user) ? "writable by" : "open to"} others: it is closed now`,
    );
}

type Owned = Pick<Stats, "uid" | "gid" | "mode">;

/** Of root, like /tmp: in it no other user can rename or remove what is ours. */
function isShared({ uid, mode }: Owned, user: NonNullable<User>): boolean {
  return uid !== user.uid && (mode & STICKY) !== 0;
}

/** Who else can write; null: no other user, or only the group that root gave to this process (fsGroup). */
function writersOf({ uid, gid, mode }: Owned, user: NonNullable<User>): string | null {
  if ((mode & WRITABLE_BY.others) !== 0) return "every user";
  if ((mode & WRITABLE_BY.group) === 0) return null;
  return uid === 0 && user.uid !== 0 && user.groups.includes(gid) ? null : `the group ${gid}`;
}

function tryToClose(path: string): boolean {
  try {
    chmodSync(path, CLOSED);
    return true;
  } catch {
    return false;
  }
}

function currentUser(): User {
  const { getuid, getgid, getgroups } = process;
  if (!getuid || !getgid || !getgroups) return null;
  return { uid: getuid(), groups: [getgid(), ...getgroups()] };
}
