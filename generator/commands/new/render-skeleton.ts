import { join } from "node:path";
import { format } from "../../pipeline/format/format.js";
import { packageRoot } from "../../shared/package-root.js";
import { createRenderer } from "../../pipeline/render/render.js";
import { skeletonFiles } from "../../shared/skeleton/files.js";
import type { SkeletonOptions } from "../../shared/skeleton/options.js";
import { packageJson } from "../../shared/skeleton/package-json.js";
import { skeletonView } from "../../shared/skeleton/view.js";

/** All files of a new project, sorted by path; the record of `.mcpwright/` is not among them. */
export async function renderSkeleton(options: SkeletonOptions): Promise<ReadonlyMap<string, string>> {
  const render = await createRenderer(join(packageRoot().folder, "templates/skeletons"));
  const view = skeletonView(options);
  const files = new Map([["package.json", packageJson(options)]]);
  for (const [path, template] of skeletonFiles(options)) {
    const text = render(template, view);
    files.set(path, await format(path, text));
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
