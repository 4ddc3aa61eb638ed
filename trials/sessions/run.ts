/**
 * Rounds of parallel sessions of /mcp, each with questions at points that no other question of the run
 * has, so that what belongs to another one is recognised: answers, datasets and answers that are read
 * again, what another account is refused, and notifications.
 */
import { createDice, type Dice } from "../dice.ts";
import { pointOf } from "../isolation/run.ts";
import { CITIES } from "../../sandbox/world/cities.ts";
import { type Given, Session } from "./session.ts";

export type SessionDeployment = {
  url: string;
  sandbox_url: string;
  /** Of different accounts, two at least. */
  keys: readonly string[];
};

export type SessionTally = {
  rounds: number;
  answers: number;
  resources: number;
  notifications: number;
  /** Reads of what another account was given. */
  refused: number;
  failed: number;
  /** Questions that a busy machine did not answer within their deadline. */
  late: number;
  /** The first few. */
  findings: string[];
};

export type SessionOptions = { rounds: number; seed: number; onRound?: (done: number) => void };

const PARALLEL = 16;
const FINDINGS_MAX = 20;
/** The share of sessions that try in a round to read what another account was given. */
const FOREIGN = 0.25;
/** Rounds after which the streams begin again, over what each was given meanwhile. */
const LISTEN_ROUNDS = 20;
/** By which the simulated world moves on then: departures leave and bikes are taken. */
const MOVE_S = 240;

export async function runSessions(
  { url, sandbox_url, keys }: SessionDeployment,
  { rounds, seed, onRound }: SessionOptions,
): Promise<SessionTally> {
  const tally: SessionTally = {
    ...{ rounds: 0, answers: 0, resources: 0, notifications: 0, refused: 0, failed: 0, late: 0 },
    findings: [],
  };
  const names = Array.from({ length: PARALLEL }, (_, i) => ({
    name: `session ${i}`,
    key: keys[i % keys.length]!,
  }));
  const sessions = await Promise.all(names.map((each) => Session.open(url, each)));
  try {
    for (let round = 0; round < rounds; round++) {
      const dice = createDice(seed, round);
      const note = (session: Session, problem: string | null): void => {
        if (problem === null) return;
        tally.failed++;
        if (tally.findings.length < FINDINGS_MAX)
          tally.findings.push(`round ${round}, ${session.name}: ${problem}`);
      };
      await inParallel(sessions, dice, async (session, i, own) => {
        note(session, await session.ask(pointOf(seed, round * PARALLEL + i, CITIES), own));
        tally.answers++;
      });
      await inParallel(sessions, dice, (session, _, own) =>
        readAgain({ session, sessions, dice: own, tally }, (problem) => note(session, problem)),
      );
      if (round % LISTEN_ROUNDS === LISTEN_ROUNDS - 1) {
        await inParallel(sessions, dice, async (session) => {
          const foreign = foreignTo(session, sessions).map(({ uri }) => uri);
          note(session, await session.listen(foreign.slice(0, 2)));
        });
        await move(sandbox_url);
      }
      for (const session of sessions) {
        const { notifications, foreign } = session.take();
        tally.notifications += notifications;
        for (const uri of foreign) note(session, `it is notified of ${uri}`);
      }
      tally.rounds++;
      tally.late = sessions.reduce((sum, { late }) => sum + late, 0);
      onRound?.(tally.rounds);
    }
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
  return tally;
}

/** In an order of its own, each with dice of its own. What is thrown ends the run. */
async function inParallel(
  sessions: readonly Session[],
  dice: Dice,
  task: (session: Session, index: number, own: Dice) => Promise<void>,
): Promise<void> {
  const seeds = sessions.map(() => dice.integer(1, 2 ** 30));
  const entries = dice.shuffle([...sessions.entries()]);
  await Promise.all(entries.map(([i, session]) => task(session, i, createDice(seeds[i]!))));
}

type Reading = {
  session: Session;
  sessions: readonly Session[];
  dice: Dice;
  tally: SessionTally;
};

async function readAgain(
  { session, sessions, dice, tally }: Reading,
  note: (problem: string | null) => void,
): Promise<void> {
  const { given } = session;
  if (given.length > 0) {
    note(await session.read(dice.pick(given)));
    tally.resources++;
  }
  const foreign = foreignTo(session, sessions);
  if (foreign.length === 0 || !dice.chance(FOREIGN)) return;
  const other = dice.pick(foreign);
  if (await session.isRefused(other)) tally.refused++;
  else note(`it reads ${other.uri} of another account`);
}

/** What sessions of other accounts were given. */
function foreignTo({ key }: Session, sessions: readonly Session[]): Given[] {
  return sessions.filter((each) => each.key !== key).flatMap(({ given }) => given);
}

async function move(sandbox_url: string): Promise<void> {
  const reply = await fetch(`${sandbox_url}/__sandbox/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advance_s: MOVE_S }),
  });
  if (!reply.ok) throw new Error(`the clock does not move: ${reply.status}`);
}
