import { createHash } from "node:crypto";
import { extname, join, resolve } from "node:path";
import { type Diagnostic, fail } from "../../shared/diagnostics/diagnostic.js";
import { type Disk, realDisk } from "../../shared/files/disk.js";
import { replaceFile } from "../../shared/files/replace-file.js";
import { packageFacts } from "../../shared/project/package-facts.js";
import { unscoped } from "../../shared/project/package-name.js";
import { findServerEntry, isFile, type ProjectManifest, readProject } from "../../shared/project/read-project.js";
import { bundleCode, packageOf } from "./bundle-code.js";
import { bundleManifest, completeFacts, platformsOf } from "./bundle-manifest.js";
import type { BundleOptions, BundleResult } from "./bundle-options.js";
import { type BundleEntry, includedFiles } from "./included-files.js";
import { listBundle } from "./list-bundle.js";
import { pathInside } from "./path-inside.js";
import { zipFiles } from "./zip-files.js";

/** @throws DiagnosticError bundle-*, server-*, output-not-writable */
export async function writeBundle(options: BundleOptions, disk: Disk = realDisk): Promise<BundleResult> {
  const { include = [], icon, variables = [], isStarted = true, isDryRun = false, timeoutMs, signal } = options;
  const folder = resolve(options.folder ?? ".");
  const project = readManifest(folder);
  const findings: Diagnostic[] = [];
  const onFinding = (finding: Diagnostic): unknown => findings.push(finding);
  const facts = completeFacts(packageFacts(project.content), project.path, onFinding);
  const source = entryOf(folder, project, options.entry);
  const entry = bundledPath(folder, source);

  // Servers read their version in it.
  const included = includedFiles(folder, ["package.json", ...include, ...(icon === undefined ? [] : [icon])]);
  const external = [...new Set([...included.keys()].flatMap((path) => packageOf(path) ?? []))];
  const text = await bundleCode({ folder, entry: source, external, node: facts.node, onFinding });
  const files = new Map<string, BundleEntry>([...included, [entry, { content: Buffer.from(text) }]]);
  signal?.throwIfAborted();

  const surface = isStarted ? await listBundle(files, { entry, variables, timeoutMs, signal, onFinding }) : undefined;
  signal?.throwIfAborted();
  const platforms = platformsOf(facts.os, files.keys());
  const manifest = bundleManifest({
    facts,
    entry,
    icon: icon && pathInside(folder, resolve(folder, icon)),
    variables,
    platforms,
    surface,
  });
  files.set("manifest.json", { content: Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`) });

  const zip = zipFiles(files);
  const path = options.out ?? join(folder, `${unscoped(facts.name)}-${facts.version}.mcpb`);
  if (!isDryRun) replaceFile(resolve(path), zip, disk);
  return {
    path,
    isWritten: !isDryRun,
    bytes: zip.length,
    sha256: createHash("sha256").update(zip).digest("hex"),
    files: [...files]
      .map(([name, { content }]) => ({ path: name, bytes: content.length }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    manifest,
    findings,
  };
}

function readManifest(folder: string): ProjectManifest {
  const project = readProject(folder);
  return project.kind === "read" ? project : fail("bundle-no-project", project);
}

function entryOf(folder: string, { path, content }: ProjectManifest, given: string | undefined): string {
  if (given !== undefined) {
    const named = resolve(folder, given);
    return isFile(named) ? named : fail("bundle-not-built", { path: named });
  }
  const entry = findServerEntry(folder, content);
  switch (entry.kind) {
    case "found":
      return entry.path;
    case "missing":
      return fail("bundle-not-built", { path: entry.path });
    case "unknown":
      return fail("bundle-no-entry", { path });
  }
}

/** The code keeps its place, so that what it finds by `import.meta.url` has the same path. */
function bundledPath(folder: string, source: string): string {
  const path = pathInside(folder, source) ?? fail("bundle-entry-outside", { path: source, folder });
  return `${path.slice(0, path.length - extname(path).length)}.mjs`;
}
