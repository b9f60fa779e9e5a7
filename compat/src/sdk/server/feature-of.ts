import type { ServerCapabilities } from "../messages.js";

type Feature = keyof ServerCapabilities;
type FeatureOfMethod = readonly [method: RegExp, feature: Feature, words: string];

const ofRequests: readonly FeatureOfMethod[] = [
  [/^completion\/complete$/, "completions", "completions"],
  [/^logging\/setLevel$/, "logging", "logging"],
  [/^prompts\/(get|list)$/, "prompts", "prompts"],
  [/^resources\/(list|templates\/list|read)$/, "resources", "resources"],
  [/^tools\/(call|list)$/, "tools", "tools"],
  [/^tasks\/(get|list|result|cancel)$/, "tasks", "tasks capability"],
];

const ofNotifications: readonly FeatureOfMethod[] = [
  [/^notifications\/message$/, "logging", "logging"],
  [/^notifications\/resources\/(updated|list_changed)$/, "resources", "notifying about resources"],
  [/^notifications\/tools\/list_changed$/, "tools", "notifying of tool list changes"],
  [/^notifications\/prompts\/list_changed$/, "prompts", "notifying of prompt list changes"],
];

/** @throws Error when a server handles or sends a message of a feature that it has not declared */
export function assertServerFeature(
  declared: ServerCapabilities,
  method: string,
  kind: "request" | "notification",
): void {
  const rows = kind === "request" ? ofRequests : ofNotifications;
  const row = rows.find(([pattern]) => pattern.test(method));
  if (row && !declared[row[1]]) throw new Error(`Server does not support ${row[2]} (required for ${method})`);
}
