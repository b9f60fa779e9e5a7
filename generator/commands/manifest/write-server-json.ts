import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DiagnosticError, fail } from "../../shared/diagnostics/diagnostic.js";
import type { Disk } from "../../shared/files/disk.js";
import { errnoText, hasCode } from "../../shared/files/file-errors.js";
import { unifiedDiff } from "../../shared/files/unified-diff.js";
import { isObject } from "../../shared/is-object.js";
import { packageFacts } from "../../shared/project/package-facts.js";
import { readProject } from "../../shared/project/read-project.js";
import { checkServer } from "./check-server.js";
import type { ManifestOptions, ManifestResult } from "./manifest-options.js";
import { serverContent } from "./server-content.js";
import { settleFile } from "./settle-file.js";

/** @throws DiagnosticError manifest-*, output-not-writable */
export async function writeServerJson(options: ManifestOptions, disk?: Disk): Promise<ManifestResult> {
  const { isCheck = false, isDryRun = false, mcpb } = options;
  const folder = resolve(options.folder ?? ".");
  const project = readProject(folder);
  if (project.kind !== "read") return fail("manifest-no-project", project);
  const path = options.out ?? join(folder, "server.json");
  const before = readExisting(path);
  const { content, findings } = serverContent({
    facts: packageFacts(project.content),
    isPrivate: project.content["private"] === true,
    path: project.path,
    options,
    sha256: mcpb && digestOf(resolve(mcpb.file)),
    existing: before.content,
  });
  const problems = await checkServer(content, path);
  if (problems.length > 0) throw new DiagnosticError(problems);

  const isNew = before.text === undefined;
  const isSame = !isNew && isDeepStrictEqual(content, before.content);
  const text = `${JSON.stringify(content, undefined, indentOf(before.text))}\n`;
  const name = basename(path);
  const difference = isSame
    ? ""
    : unifiedDiff([
        isNew
          ? { path: name, kind: "added", after: text }
          : { path: name, kind: "changed", before: before.text.replaceAll("\r\n", "\n"), after: text },
      ]);
  return settleFile({ path, isNew, text, difference, findings, mayWrite: !isCheck && !isDryRun }, disk);
}

interface Existing {
  readonly text: string | undefined;
  readonly content: Readonly<Record<string, unknown>>;
}

function readExisting(path: string): Existing {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return { text: undefined, content: {} };
    return fail("manifest-unreadable", { path, reason: `cannot be read: ${errnoText(error) ?? String(error)}` });
  }
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return fail("manifest-unreadable", { path, reason: `is not valid JSON: ${(error as Error).message}` });
  }
  if (!isObject(content)) return fail("manifest-unreadable", { path, reason: "is not an object" });
  for (const key of ["packages", "remotes"]) {
    const value = content[key];
    if (value !== undefined && !(Array.isArray(value) && value.every(isObject)))
      fail("manifest-unreadable", { path, reason: `has "${key}" that are not a list of objects` });
  }
  return { text, content };
}

function digestOf(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch (error) {
    return fail("manifest-unreadable", { path: file, reason: `cannot be read: ${errnoText(error) ?? String(error)}` });
  }
}

function indentOf(text = ""): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
}
