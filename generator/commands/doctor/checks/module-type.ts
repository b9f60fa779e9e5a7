import { extname } from "node:path";
import { type CheckResult, problem } from "../finding.js";
import { dependenciesOf, type Project } from "../project.js";
import { ownPackages } from "./package-versions.js";

/** Whether Node treats the files of the project as ES modules. */
export function checkModuleType(project: Project): CheckResult | undefined {
  const { manifest, manifestPath, manifestProblem } = project;
  if (manifestProblem !== undefined)
    return [problem("error", `package.json ${manifestProblem}`, "correct the file", manifestPath)];
  const ranges = dependenciesOf(project);
  if (!manifest || !ownPackages.some((name) => ranges[name] !== undefined)) return undefined;
  if (manifest["type"] === "module") return '"type": "module"';
  const { main } = manifest;
  if (typeof main === "string" && extname(main) === ".mjs") return `${main} is an ES module`;
  const message = 'package.json has no "type": "module": Node and TypeScript treat .js and .ts files as CommonJS';
  return [problem("warning", message, 'add "type": "module" to package.json', manifestPath)];
}
