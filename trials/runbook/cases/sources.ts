/** Cases of sources that fail, refuse, are old or cannot be listed; they are the simulator's. */
import { sleep } from "../../chaos/fleet/clock.ts";
import type { FaultCase } from "../case.ts";
import { Repeat } from "../repeat.ts";
import { type Settings, type Stage, toSettings } from "../stage.ts";

const KEY = "sandbox-ocm-key";
const CHARGING = { url: "openchargemap", key: KEY };

const repeat = new Repeat();

/** Asks about charging at ever other places, so that no cache has the answer. */
function ask({ nodes }: Stage): void {
  repeat.start(async (turn) => {
    const at = [48.84 + (turn % 97) * 0.0004, 2.32 + (turn % 89) * 0.0007];
    const [lat, lon] = at.map((degrees) => degrees.toFixed(4));
    await fetch(`${nodes[0]!.url}/v1/charging/nearby?lat=${lat}&lon=${lon}`).then(
      (reply) => reply.text(),
      () => null,
    );
    await sleep(150);
  });
}

async function restartWith(stage: Stage, more: Record<string, object>): Promise<void> {
  const [node] = stage.nodes;
  const settings: Settings = toSettings(stage.simulator, more);
  node!.settings = settings;
  await node!.end();
  await node!.start();
}

const charging = ({ simulator }: Stage): Record<string, object> => ({
  [CHARGING.url]: { url: `${simulator.url}/upstreams/openchargemap`, api_key: KEY },
});

/** Calls of a good source are made before, so that its series are there. */
async function prepare(stage: Stage): Promise<void> {
  await restartWith(stage, charging(stage));
  ask(stage);
  await sleep(5_000);
}

async function recover(stage: Stage): Promise<void> {
  await stage.simulator.heal();
}

/** Calls go on until it is well again: a circuit closes by a probe. */
async function settle(stage: Stage): Promise<string[]> {
  await repeat.stop();
  await restartWith(stage, {});
  return [];
}

export const SOURCE_CASES: readonly FaultCase[] = [
  {
    name: "a source fails (500)",
    stage: "alone",
    says: [["operations", "the circuit closes by itself when a probe succeeds"]],
    async fault(stage) {
      await prepare(stage);
      await stage.simulator.fail("openchargemap", "http_500");
      return null;
    },
    seen: {
      metrics: ["svc_provider_breaker_state == 2"],
      log: null,
      // The probes of an open circuit are further apart than a shortened range: rules.test.yaml has
      // VicinitySourceFails.
      alerts: ["VicinityCircuitOpen"],
    },
    restarts: true,
    cure: recover,
    after: settle,
  },
  {
    name: "a source refuses our key",
    stage: "alone",
    says: [["operations", "Set a good key and restart one replica at a time."]],
    async fault(stage) {
      await prepare(stage);
      const wrong = charging(stage);
      wrong[CHARGING.url] = { ...wrong[CHARGING.url], api_key: "a-wrong-key" };
      await restartWith(stage, wrong);
      return null;
    },
    seen: {
      metrics: ['svc_provider_request_duration_seconds_count{outcome="unauthorized"} > 0'],
      log: null,
      alerts: ["VicinityKeyRefused"],
    },
    restarts: true,
    cure: (stage) => restartWith(stage, charging(stage)),
    after: settle,
  },
  {
    name: "feeds fail",
    stage: "alone",
    says: [["operations", "A third of the readings fail."]],
    async fault({ simulator }) {
      await simulator.fail("gbfs", "http_500");
      await simulator.fail("citybikes", "http_500");
      return null;
    },
    seen: {
      metrics: ['increase(svc_feed_ingest_total{outcome!="ok"}[1m]) > 0'],
      log: /"feed"/,
      alerts: ["VicinityFeedsFail"],
      later: [120, "a feed is read again when its time to live is over"],
    },
    cure: recover,
  },
  {
    name: "a catalogue cannot be read",
    stage: "alone",
    says: [
      [
        "operations",
        "The last good one is kept in the data folder (`documents/`) and stays in use, over restarts too",
      ],
    ],
    async fault(stage) {
      await stage.simulator.fail("citybikes", "http_500");
      await restartWith(stage, {});
      return null;
    },
    seen: {
      metrics: ["svc_catalogue_up == 0"],
      log: /the catalogue could not be read/,
      alerts: ["VicinityCatalogueFails"],
    },
    // The last good one stays in use, and its age is known.
    during: async ({ prometheus }) =>
      (await prometheus.query("svc_catalogue_age_seconds > 0")).length > 0
        ? []
        : ["the age of the catalogue is not known"],
    restarts: true,
    cure: recover,
  },
];
