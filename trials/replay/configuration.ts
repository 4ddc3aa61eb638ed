/** The configuration file that makes the service read a replay host. */
import type { ReplaySystem } from "./host.ts";

export function configurationFor(systems: readonly Pick<ReplaySystem, "id" | "url" | "name">[]) {
  return {
    // The host listens on loopback.
    egress: { allow_private: true },
    sources: {
      gbfs: {
        enabled: true,
        systems: systems.map(({ id, url, name }) => ({ id, url, name: oneLine(name) || id })),
        catalogue: null,
      },
    },
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
