import type { ServerCapabilities } from "../types/index.js";

type Feature = keyof ServerCapabilities;

/** The features that methods of the server belong to, with the words of the error. */
const features: readonly (readonly [prefix: string, feature: Feature, words: string])[] = [
  ["completion/", "completions", "completions"],
  ["logging/", "logging", "logging"],
  ["prompts/", "prompts", "prompts"],
  ["resources/", "resources", "resources"],
  ["tools/", "tools", "tools"],
  ["notifications/message", "logging", "logging"],
  ["notifications/resources/", "resources", "notifying about resources"],
  ["notifications/tools/", "tools", "notifying of tool list changes"],
  ["notifications/prompts/", "prompts", "notifying of prompt list changes"],
];

/** Returns the problem with a method whose feature the server has not declared. */
export function missingServerCapability(declared: ServerCapabilities, method: string): string | undefined {
  const found = features.find(([prefix]) => method.startsWith(prefix));
  return found && !declared[found[1]] ? `Server does not support ${found[2]} (required for ${method})` : undefined;
}
