import type { BaseMetadata, ClientCapabilities, ServerCapabilities, ToolAnnotations } from "./core-messages.js";

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function mergeCapabilities(
  base: ServerCapabilities,
  additional: Partial<ServerCapabilities>,
): ServerCapabilities;
export function mergeCapabilities(
  base: ClientCapabilities,
  additional: Partial<ClientCapabilities>,
): ClientCapabilities;
/** Returns the capabilities of both. Members of the same capability are merged; undefined ones are ignored. */
export function mergeCapabilities<Capabilities extends ServerCapabilities | ClientCapabilities>(
  base: Capabilities,
  additional: Partial<Capabilities>,
): Capabilities {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(additional)) {
    if (value === undefined) continue;
    const own = merged[key];
    merged[key] = isObject(own) && isObject(value) ? { ...own, ...value } : value;
  }
  return merged as Capabilities;
}

/** Returns the name to show to people: the title, for tools also that of the annotations, or else the name. */
export function getDisplayName(
  metadata: BaseMetadata | (BaseMetadata & { annotations?: ToolAnnotations | undefined }),
): string {
  if (metadata.title !== undefined && metadata.title !== "") return metadata.title;
  const title = "annotations" in metadata ? metadata.annotations?.title : undefined;
  return title !== undefined && title !== "" ? title : metadata.name;
}
