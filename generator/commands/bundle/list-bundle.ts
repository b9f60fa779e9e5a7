import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { environmentOf, type ServerVariable } from "../../shared/command/server-variables.js";
import { diagnostic, type Diagnostic, DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { ignoreErrors } from "../../shared/files/disk.js";
import { notWritable } from "../../shared/files/file-errors.js";
import { listAll } from "../../shared/sessions/list-all.js";
import { openSession } from "../../shared/sessions/open-session.js";
import type { BundleEntry } from "./included-files.js";

/** What hosts show of a server before they start it. */
export interface BundledSurface {
  readonly title: string | undefined;
  readonly tools: readonly { readonly name: string; readonly description?: string }[];
  readonly hasPrompts: boolean;
}

export interface ListOptions {
  /** The path of the code in the bundle. */
  readonly entry: string;
  readonly variables: readonly ServerVariable[];
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onFinding: (finding: Diagnostic) => void;
}

/**
 * Unpacks the files into an empty folder outside of the project, starts the server there as a host does, and lists its tools.
 * @throws DiagnosticError server-* and bundle-not-started
 */
export async function listBundle(
  files: ReadonlyMap<string, BundleEntry>,
  options: ListOptions,
): Promise<BundledSurface> {
  const folder = unpack(files);
  try {
    return await listAt(join(folder, options.entry), folder, options);
  } finally {
    ignoreErrors(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  }
}

function unpack(files: ReadonlyMap<string, BundleEntry>): string {
  const place = tmpdir();
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(place, "mcpwright-bundle-"));
    for (const [path, { content, isExecutable = false }] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content, { mode: isExecutable ? 0o755 : 0o644 });
    }
    return folder;
  } catch (error) {
    const made = folder;
    if (made !== undefined) ignoreErrors(() => rmSync(made, { recursive: true, force: true }));
    throw notWritable(folder ?? place, error);
  }
}

async function listAt(
  code: string,
  cwd: string,
  { variables, timeoutMs, signal, onFinding }: ListOptions,
): Promise<BundledSurface> {
  const env = environmentOf(variables);
  const session = await openSession(
    { kind: "stdio", command: process.execPath, args: [code], env, cwd },
    { onNote: onFinding, ...(timeoutMs !== undefined && { timeoutMs }), ...(signal && { signal }) },
  ).catch((error: unknown) => {
    throw notStarted(error, variables, env);
  });
  try {
    const { tools = [], prompts = [] } = await listAll(session, onFinding);
    return {
      title: session.client.getServerVersion()?.title,
      tools: tools.map(({ name, description }) => ({ name, ...(description !== undefined && { description }) })),
      hasPrompts: prompts.length > 0,
    };
  } finally {
    await session.close();
  }
}

function notStarted(
  error: unknown,
  variables: readonly ServerVariable[],
  env: Readonly<Record<string, string>>,
): unknown {
  if (!(error instanceof DiagnosticError)) return error;
  const unset = variables.map(({ name }) => name).filter((name) => !Object.hasOwn(env, name));
  const note = unset.length > 0 ? `, without a value for ${unset.join(", ")}` : "";
  return new DiagnosticError([...error.diagnostics, diagnostic("bundle-not-started", { note })]);
}
