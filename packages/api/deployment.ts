/**
 * Constants of the contract that are constant per deployment (decisions, Identifiers): which maps
 * provider it has. Schemas and examples name them by these
 * placeholders; the served description has the deployment's own.
 */
export const MAPS_PROVIDER_ID: string = "<maps_provider_id>";
export const MAPS_PROVIDER_NAME: string = "<maps_provider_name>";

export type Deployment = {
  maps: { id: string; name: string };
};

/** The deployment of `npm start`, which the committed description describes. */
export const SANDBOX_DEPLOYMENT: Deployment = {
  maps: { id: "sandbox_maps", name: "Sandbox Maps" },
};

/** A copy with every placeholder replaced; an `enum` names each value once. */
export function forDeployment<T>(value: T, deployment: Deployment): T {
  const names: Readonly<Record<string, string>> = {
    [MAPS_PROVIDER_ID]: deployment.maps.id,
    [MAPS_PROVIDER_NAME]: deployment.maps.name,
  };
  const replace = (node: unknown): unknown => {
    if (typeof node === "string") return names[node] ?? node;
    if (Array.isArray(node)) return node.map(replace);
    if (node === null || typeof node !== "object") return node;
    const entries = Object.entries(node).map(([member, each]) => {
      const replaced = replace(each);
      const unique = member === "enum" && Array.isArray(replaced);
      return [member, unique ? [...new Set(replaced)] : replaced];
    });
    return Object.fromEntries(entries);
  };
  return replace(value) as T;
}
