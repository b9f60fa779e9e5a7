import type { BaseMetadata } from "../messages.js";

/** The name to show: `title`, else the title of the annotations, else `name`. */
export function getDisplayName(metadata: BaseMetadata | (BaseMetadata & { annotations?: { title?: string } })): string {
  const { annotations } = metadata as { annotations?: { title?: string } };
  // An empty title is none.
  return [metadata.title, annotations?.title].find((title) => title) ?? metadata.name;
}
