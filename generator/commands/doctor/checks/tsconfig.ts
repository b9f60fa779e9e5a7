import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { compilerOptions } from "../../dev/read-tsconfig.js";
import { type CheckResult, problem, type Problem } from "../finding.js";
import { findInstalled, type Project, versionOf } from "../project.js";
import { dependsOnUs } from "./package-versions.js";

/** Looks for compiler options with which imports of our packages do not compile, or do not run. */
export function checkTsconfig(project: Project): CheckResult | undefined {
  const path = join(project.folder, "tsconfig.json");
  if (!existsSync(path) || !dependsOnUs(project)) return undefined;
  const broken = syntaxProblem(path);
  if (broken) return [broken];
  const options = compilerOptions(path);
  const problems = [resolution(options, typescriptMajor(project), path), aliases(options, path)];
  const found = problems.filter((one) => one !== undefined);
  return found.length > 0 ? found : "tsconfig.json finds the entries of packages";
}

function syntaxProblem(path: string): Problem | undefined {
  const errors: ParseError[] = [];
  parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  const [first] = errors;
  if (!first) return undefined;
  const reason = `${printParseErrorCode(first.error)} at character ${first.offset + 1}`;
  return problem("error", `tsconfig.json is not valid: ${reason}`, "correct the file; npx tsc shows the line", path);
}

/** The resolutions that know `exports` of packages. */
const fit = new Set(["node16", "node18", "node20", "nodenext", "bundler"]);
const nodeModules = new Set(["node16", "node18", "node20", "nodenext"]);

function resolution(
  options: Readonly<Record<string, unknown>>,
  typescript: number | undefined,
  path: string,
): Problem | undefined {
  const text = (name: string): string | undefined =>
    typeof options[name] === "string" ? options[name].toLowerCase() : undefined;
  const [module, moduleResolution] = [text("module"), text("moduleResolution")];
  const remedy = 'set "module": "nodenext" in compilerOptions';
  if (moduleResolution !== undefined)
    return fit.has(moduleResolution)
      ? undefined
      : problem(
          "error",
          `with "moduleResolution": "${moduleResolution}", imports of @mcpwright/… are not found`,
          remedy,
          path,
        );
  if (module !== undefined && (nodeModules.has(module) || module === "preserve")) return undefined;
  // Since TypeScript 6, the default is one that knows exports.
  if (typescript === undefined || typescript >= 6) return undefined;
  const stated = module === undefined ? "without module" : `with "module": "${module}" alone`;
  return problem("error", `${stated}, TypeScript ${typescript} does not find imports of @mcpwright/…`, remedy, path);
}

function aliases({ paths, noEmit }: Readonly<Record<string, unknown>>, path: string): Problem | undefined {
  if (paths === undefined || noEmit === true) return undefined;
  const remedy = 'use relative imports, or "imports" in package.json';
  return problem(
    "warning",
    'Node does not know "paths": the built files import names that it does not find',
    remedy,
    path,
  );
}

function typescriptMajor({ folder }: Project): number | undefined {
  const found = findInstalled("typescript", folder);
  const major = found && Number.parseInt(versionOf(found), 10);
  return Number.isNaN(major) ? undefined : major;
}
