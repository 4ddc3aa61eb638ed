/** A store of datasets whose callers are worked for again when it has answered. */
import type { DatasetRead, Datasets, Repeated } from "#ports.ts";
import type { ServingThread } from "./serving.ts";

export function resumeAfter(datasets: Datasets, serving: ServingThread) {
  return {
    get secret() {
      return datasets.secret;
    },
    knowsSecret: () => datasets.knowsSecret?.() ?? true,
    put: serving.resuming((each: Parameters<Datasets["put"]>[0]) => datasets.put(each)),
    read: serving.resuming<Parameters<Datasets["read"]>, DatasetRead>((...of) =>
      datasets.read(...of),
    ),
    keepOn: serving.resuming<Parameters<Datasets["keepOn"]>, boolean>((...of) =>
      datasets.keepOn(...of),
    ),
    findRepeat: serving.resuming<Parameters<Datasets["findRepeat"]>, Repeated | null>((...of) =>
      datasets.findRepeat(...of),
    ),
  } satisfies Partial<Datasets>;
}
