import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  compareWithLock,
  formatLock,
  type GatewayLock,
  lockOf,
  parseLock,
  renderChanges,
  type ServerSurface,
} from "@mcpwright/runtime/gateway";
import { environmentOf } from "../../shared/command/server-variables.js";
import { diagnostic, type Diagnostic, DiagnosticError, fail } from "../../shared/diagnostics/diagnostic.js";
import type { Disk } from "../../shared/files/disk.js";
import { errnoText, hasCode } from "../../shared/files/file-errors.js";
import { findServerEntry, readProject } from "../../shared/project/read-project.js";
import { listAll } from "../../shared/sessions/list-all.js";
import { openSession } from "../../shared/sessions/open-session.js";
import { readTarget } from "../../shared/sessions/read-target.js";
import { httpTarget, type ServerTarget } from "../../shared/sessions/target.js";
import type { ManifestResult, ToolsLockOptions } from "./manifest-options.js";
import { settleFile } from "./settle-file.js";

/** @throws DiagnosticError manifest-*, server-*, target-*, output-not-writable */
export async function writeToolsLock(options: ToolsLockOptions, disk?: Disk): Promise<ManifestResult> {
  const { isCheck = false, isDryRun = false } = options;
  const folder = resolve(options.folder ?? ".");
  const path = options.out ?? join(folder, "tools.json");
  const findings: Diagnostic[] = [];
  const before = await readExisting(path, isCheck, findings);
  const { name, surface } = await surfaceOf(targetOf(folder, options), options, findings);
  const text = formatLock(await lockOf(new Map([[name, surface]])).catch((error: unknown) => invalid(error)));

  const isNew = before === undefined;
  const known: GatewayLock = before ?? { version: 1, servers: [] };
  const changes = compareWithLock(known, name, surface);
  const others = known.servers.filter((server) => server.name !== name).map((server) => server.name);
  const isSame = !isNew && changes.length === 0 && others.length === 0;
  const lines = [
    ...(changes.length > 0 ? [renderChanges(changes)] : []),
    ...others.map((other) => `server ${JSON.stringify(other)}\n  it is another one, or has another name now`),
    ...(isNew && changes.length === 0 ? ["it does not exist yet"] : []),
  ];
  const difference = isSame ? "" : `${lines.join("\n")}\n`;
  return settleFile({ path, isNew, text, difference, findings, mayWrite: !isCheck && !isDryRun }, disk);
}

function targetOf(folder: string, { command, url, variables = [] }: ToolsLockOptions): ServerTarget {
  if (url !== undefined) return httpTarget(url);
  const env = environmentOf(variables);
  if (command) return readTarget({ target: command, env, cwd: folder }).target;
  const project = readProject(folder);
  if (project.kind !== "read") return fail("manifest-no-project", project);
  const entry = findServerEntry(folder, project.content);
  if (entry.kind === "unknown") return fail("manifest-no-entry", { path: project.path });
  if (entry.kind === "missing") return fail("manifest-not-built", { path: entry.path });
  return { kind: "stdio", command: process.execPath, args: [entry.path], env, cwd: folder };
}

async function surfaceOf(
  target: ServerTarget,
  { hasResources = true, timeoutMs, signal }: ToolsLockOptions,
  findings: Diagnostic[],
): Promise<{ readonly name: string; readonly surface: ServerSurface }> {
  const note = (finding: Diagnostic): unknown => findings.push(finding);
  const session = await openSession(target, {
    onNote: note,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(signal && { signal }),
  });
  try {
    const { tools, prompts, resources, resourceTemplates } = await listAll(session, note);
    // A list that is not complete must not be locked as if it were.
    const failed = findings.filter(({ id }) => id === "server-list-failed" || id === "server-item-invalid");
    if (failed.length > 0) throw new DiagnosticError(failed);
    const { client } = session;
    return {
      name: client.getServerVersion()?.name ?? "server",
      surface: {
        instructions: client.getInstructions() ?? "",
        tools: tools ?? [],
        prompts: prompts ?? [],
        templates: resourceTemplates ?? [],
        ...(hasResources && { resources: resources ?? [] }),
      },
    };
  } finally {
    await session.close();
  }
}

/** Returns undefined if there is no lock, or if an invalid one is to be written again. */
async function readExisting(path: string, isCheck: boolean, findings: Diagnostic[]): Promise<GatewayLock | undefined> {
  try {
    return await parseLock(readFileSync(path, "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return isCheck ? fail("manifest-lock-missing", { path }) : undefined;
    const unreadable = errnoText(error);
    if (unreadable !== undefined) return fail("manifest-unreadable", { path, reason: `cannot be read: ${unreadable}` });
    const reason = (error as Error).message;
    if (isCheck) return fail("manifest-lock-invalid", { path, reason });
    findings.push({ ...diagnostic("manifest-lock-invalid", { path, reason }), severity: "finding" });
    return undefined;
  }
}

function invalid(error: unknown): never {
  throw new DiagnosticError([diagnostic("manifest-list-invalid", { reason: (error as Error).message })]);
}
