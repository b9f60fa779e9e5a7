import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject } from "../../../shared/is-object.js";
import { isFile } from "../../../shared/project/read-project.js";
import { type CheckResult, problem } from "../finding.js";
import { filesBelow, findInstalled, importsOf, type InstalledPackage, isSource, type Project } from "../project.js";

/** Larger files are not written by hand. */
const largestSource = 1_000_000;
const scope = "@mcpwright/";

/** Whether the packages that imported entries of ours need are installed. */
export function checkPeers(project: Project): CheckResult | undefined {
  if (!project.manifest) return undefined;
  const entries = [...importedEntries(project.folder)].flatMap(([entry, file]) => {
    const [, name = ""] = /^(@mcpwright\/[^/]+)/.exec(entry) ?? [];
    const owner = findInstalled(name, project.folder);
    return owner ? [{ entry, file, needed: peersOf(owner, entry.slice(name.length)) }] : [];
  });
  if (entries.length === 0) return undefined;
  const problems = entries.flatMap(({ entry, file, needed }) => {
    const missing = needed.filter((peer) => !findInstalled(peer, project.folder));
    if (missing.length === 0) return [];
    const message = `${entry} needs ${missing.join(" and ")}, which ${missing.length > 1 ? "are" : "is"} not installed`;
    return [problem("error", message, `run: npm install ${missing.join(" ")}`, file)];
  });
  return problems.length > 0 ? problems : `the ${entries.length} imported entries have their peers`;
}

/** The entries of our packages that the sources import, each with the first file that does. */
function importedEntries(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of filesBelow(folder).filter(isSource)) {
    if (statSync(file).size > largestSource) continue;
    const own = importsOf(readFileSync(file, "utf8")).filter((specifier) => specifier.startsWith(scope));
    for (const specifier of own) if (!found.has(specifier)) found.set(specifier, file);
  }
  return found;
}

/** The optional peers that the modules of an entry import statically, according to the published files. */
function peersOf({ folder, manifest }: InstalledPackage, subpath: string): readonly string[] {
  const { exports, peerDependencies } = manifest;
  const target = isObject(exports) ? exports[`.${subpath}`] : undefined;
  const start = isObject(target) ? target["default"] : target;
  if (typeof start !== "string" || !isObject(peerDependencies)) return [];
  const peers = new Set<string>();
  const seen = new Set<string>();
  const waiting = [join(folder, start)];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || !isFile(file)) continue;
    seen.add(file);
    for (const specifier of importsOf(readFileSync(file, "utf8"))) {
      if (specifier.startsWith(".")) waiting.push(resolve(dirname(file), specifier));
      else {
        const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
        if (Object.hasOwn(peerDependencies, name)) peers.add(name);
      }
    }
  }
  return [...peers].sort();
}
