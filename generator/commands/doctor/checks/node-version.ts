import { isObject } from "../../../shared/is-object.js";
import { type CheckResult, problem } from "../finding.js";
import { dependenciesOf, findInstalled, type Members, type Project } from "../project.js";
import { isInRange } from "../version-range.js";

/** Compares the version of Node with `engines` of the project and of the packages that it depends on. */
export function checkNode(project: Project, node: string): CheckResult {
  const { manifest, manifestPath } = project;
  const own = { name: "this project", range: manifest && nodeRange(manifest), path: manifestPath };
  const packages = Object.keys(dependenciesOf(project)).flatMap((name) => {
    const installed = findInstalled(name, project.folder);
    return installed ? [{ name, range: nodeRange(installed.manifest), path: installed.folder }] : [];
  });
  const problems = [own, ...packages].flatMap(({ name, range, path }) =>
    range !== undefined && isInRange(node, range) === false
      ? [
          problem(
            "error",
            `${name} requires Node ${range}; this is ${node}`,
            "install another version of Node: from https://nodejs.org, or with a version manager (nvm install 22)",
            path,
          ),
        ]
      : [],
  );
  return problems.length > 0 ? problems : `Node ${node}`;
}

function nodeRange({ engines }: Members): string | undefined {
  return isObject(engines) && typeof engines["node"] === "string" ? engines["node"] : undefined;
}
