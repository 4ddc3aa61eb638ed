/** Any history of a store of datasets, with restarts, against a plain list of datasets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Datasets, NewDataset } from "#ports.ts";
import { assertKept, forgetAll, NOW_MS, type OpenDatasets, sampleDataset } from "./datasets.ts";

export function testHistories(
  name: string,
  { open, runs, skip = false }: { open: OpenDatasets; runs: number; skip?: string | false },
): void {
  test(
    `${name}: any history, with restarts, gives what a plain list of datasets gives`,
    { skip },
    async (t) => {
      const seen = { histories: 0, forgotten: 0, restarts: 0, kept_on: 0, not_kept_on: 0 };
      const fates_seen = new Map<string, number>();
      const opened = await open(t);
      let { datasets } = opened;
      const { secret } = datasets;
      await fc.assert(
        fc.asyncProperty(histories(), async (steps) => {
          // Each in a room of its own: what is left of the one before is none of its business.
          const history = seen.histories++;
          const model = new Map<string, NewDataset>();
          const kept_on = new Map<string, NewDataset>();
          let now_ms = NOW_MS;
          for (const step of steps) {
            now_ms += step.pass_ms;
            const fates = step.ids.map((id) => datasets.put(sampleAt(history, id, now_ms)));
            if (step.restart && opened.reopen) {
              datasets = await opened.reopen();
              assert.deepEqual(datasets.secret, secret);
              seen.restarts += 1;
            }
            for (const [index, fate] of (await Promise.all(fates)).entries()) {
              assert.equal(fate, expectPut(model, sampleAt(history, step.ids[index]!, now_ms)));
              fates_seen.set(fate, (fates_seen.get(fate) ?? 0) + 1);
            }
            for (const each of step.keep) {
              const id = `nearby_${history}_${each}`;
              const stored = await datasets.keepOn(id, lifeAt(now_ms));
              assert.equal(stored, expectKeepOn({ model, kept_on }, id, now_ms));
              seen[stored ? "kept_on" : "not_kept_on"] += 1;
            }
            if (step.forget) {
              await forgetAll(datasets, now_ms);
              const gone = [...model.values()].filter(
                ({ expires_at_ms }) => expires_at_ms <= now_ms,
              );
              for (const { id } of gone) model.delete(id);
              seen.forgotten += gone.length;
            }
            await assertIs(datasets, model, { history, now_ms });
          }
        }),
        { numRuns: runs, examples: [[EVERY_FATE]] },
      );
      t.diagnostic(JSON.stringify({ ...seen, ...Object.fromEntries(fates_seen) }));
      for (const fate of ["stored", "taken", "quota", "block_quota"])
        assert.ok(fates_seen.has(fate), `${fate} was tried`);
      assert.ok(seen.forgotten > 0, "some were forgotten");
      assert.ok(seen.kept_on > 0 && seen.not_kept_on > 0, "some were kept on");
    },
  );
}

const QUOTA = 6;
/** The counts of both keys of a history together. */
const BLOCK_QUOTA = 9;
const IDS = 24;

/** The same id at another time is another dataset: the first one is kept. */
function sampleAt(history: number, id: number, now_ms: number): NewDataset {
  const expires_at_ms = now_ms + ((id % 4) + 1) * 1_000;
  return sampleDataset(id, {
    id: `nearby_${history}_${id}`,
    quota_key: `acc_${id % 2}_${history}`,
    created_at_ms: now_ms,
    expires_at_ms,
    quota_max: QUOTA,
    block_quota: { key: `block_${history}`, max: BLOCK_QUOTA },
  });
}

function expectPut(model: Map<string, NewDataset>, dataset: NewDataset): string {
  if (model.has(dataset.id)) return "taken";
  if (living(model, dataset.quota_key, dataset.created_at_ms) >= QUOTA) return "quota";
  const block = dataset.block_quota!.key;
  if (living(model, block, dataset.created_at_ms) >= BLOCK_QUOTA) return "block_quota";
  model.set(dataset.id, dataset);
  return "stored";
}

const KEEP_ON_MS = 5_000;
const KEPT_QUOTA = 2;
const KEPT_BLOCK_QUOTA = 3;

function lifeAt(now_ms: number) {
  const until_ms = now_ms + KEEP_ON_MS;
  return { until_ms, now_ms, quota_max: KEPT_QUOTA, block_max: KEPT_BLOCK_QUOTA };
}

/** `kept_on`: those of the model that have a longer life. */
function expectKeepOn(
  { model, kept_on }: Record<"model" | "kept_on", Map<string, NewDataset>>,
  id: string,
  now_ms: number,
): boolean {
  const match = model.get(id);
  const expires_at_ms = now_ms + KEEP_ON_MS;
  if (!match || match.expires_at_ms <= now_ms) return false;
  if (match.expires_at_ms >= expires_at_ms) return true;
  if (!kept_on.has(id)) {
    if (living(kept_on, match.quota_key, now_ms) >= KEPT_QUOTA) return false;
    if (living(kept_on, match.block_quota!.key, now_ms) >= KEPT_BLOCK_QUOTA) return false;
  }
  for (const each of [model, kept_on]) each.set(id, { ...match, expires_at_ms });
  return true;
}

function living(model: Map<string, NewDataset>, key: string, now_ms: number): number {
  const own = [...model.values()].filter(({ quota_key, block_quota }) =>
    [quota_key, block_quota?.key].includes(key),
  );
  return own.filter(({ expires_at_ms }) => expires_at_ms > now_ms).length;
}

async function assertIs(
  datasets: Datasets,
  model: Map<string, NewDataset>,
  { history, now_ms }: { history: number; now_ms: number },
): Promise<void> {
  for (const key of [`acc_0_${history}`, `acc_1_${history}`, `block_${history}`])
    assert.equal(await datasets.count(key, now_ms), living(model, key, now_ms));
  for (let id = 0; id < IDS; id++) {
    const stored = model.get(`nearby_${history}_${id}`);
    if (stored) await assertKept(datasets, stored);
    else assert.equal((await datasets.read(`nearby_${history}_${id}`, "body")).status, "absent");
  }
}

type Step = { ids: number[]; keep: number[]; pass_ms: number; forget: boolean; restart: boolean };

/** Meets each outcome of a put whatever else is drawn: one key's quota, the block's, an id twice. */
const EVERY_FATE: Step[] = [
  {
    ids: [0, 2, 4, 6, 8, 10, 12, 0],
    keep: [0, 2, 4, 0],
    pass_ms: 0,
    forget: false,
    restart: false,
  },
  { ids: [1, 3, 5, 7], keep: [3, 5, 7], pass_ms: 0, forget: false, restart: false },
  { ids: [14, 9], keep: [], pass_ms: 4_000, forget: true, restart: false },
];

function histories(): fc.Arbitrary<Step[]> {
  const step = fc.record({
    ids: fc.array(fc.nat(IDS - 1), { maxLength: 8 }),
    keep: fc.array(fc.nat(IDS - 1), { maxLength: 4 }),
    pass_ms: fc.nat(2_000),
    forget: fc.boolean(),
    restart: fc.integer({ min: 0, max: 39 }).map((chance) => chance === 0),
  });
  return fc.array(step, { minLength: 1, maxLength: 6 });
}
