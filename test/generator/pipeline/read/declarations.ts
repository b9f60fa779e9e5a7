import type { SourceModule } from "../../../../generator/shared/model/source.js";

/** The declarations of a module without positions and empty tags, as plain JSON. */
export function declarations(module: SourceModule): unknown {
  const text = JSON.stringify(module.declarations, (key, value: unknown) => {
    if (key === "span") return undefined;
    if (key === "tags" && Object.keys(value as object).length === 0) return undefined;
    return value;
  });
  return JSON.parse(text);
}
