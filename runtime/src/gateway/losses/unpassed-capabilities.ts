import { isObject } from "../../jsonrpc/guards.js";
import type { GatewayLoss } from "./gateway-loss.js";
import type { PassedExtension } from "./loss-recorder.js";

/** What a gateway passes on. Each extension is looked at itself. */
const passed = new Set(["tools", "prompts", "resources", "completions", "logging", "extensions"]);

/** A server can declare any number of capabilities. */
const most = 20;

/**
 * What a server declares, and a gateway does not pass on.
 * @param method the one by which it declares its capabilities
 */
export function unpassedCapabilities(
  capabilities: object,
  method: string,
  extensions: readonly PassedExtension[],
): readonly Omit<GatewayLoss, "server">[] {
  const declared: unknown = (capabilities as { readonly extensions?: unknown }).extensions;
  const ids = isObject(declared) ? Object.keys(declared) : [];
  const through = extensions.filter(({ client }) => ids.includes(client.id));
  const known = new Set(through.map(({ client }) => client.id));
  const names = [
    ...Object.keys(capabilities).filter((name) => !passed.has(name)),
    ...ids.filter((id) => !known.has(id)).map((id) => `extensions.${id}`),
  ];
  return [
    ...names.slice(0, most).map((name) => ({
      direction: "toClient" as const,
      method,
      kind: "unsupported" as const,
      at: `capabilities.${name.slice(0, 100)}`,
      text: "This capability of the server.",
    })),
    ...through.flatMap(({ unsupported = [] }) => unsupported),
  ];
}
