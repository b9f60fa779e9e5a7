import { join } from "node:path";
import { format } from "../../pipeline/format/format.js";
import { packageRoot } from "../../shared/package-root.js";
import { createRenderer } from "../../pipeline/render/render.js";
import { projectFiles } from "../../shared/project/project-files.js";
import { isOpenapiProject, type ProjectOptions } from "../../shared/project/project-options.js";
import { packageJson } from "../../shared/project/package-json.js";
import { projectView } from "../../shared/project/template-view.js";

/**
 * All files of a new project except the record in `.mcpwright/`, sorted by path.
 * @param folder the project, to which the path of an OpenAPI description is relative. Default: the current folder
 */
export async function renderProject(options: ProjectOptions, folder?: string): Promise<ReadonlyMap<string, string>> {
  if (isOpenapiProject(options)) {
    const { renderOpenapiProject } = await import("./openapi/render-openapi-project.js");
    return renderOpenapiProject(options, folder);
  }
  const render = await createRenderer(join(packageRoot().folder, "templates/skeletons"));
  const view = projectView(options);
  const files = new Map([["package.json", packageJson(options)]]);
  for (const [path, template] of projectFiles(options)) {
    const text = render(template, view);
    files.set(path, await format(path, text));
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
