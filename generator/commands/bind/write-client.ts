import { relative } from "node:path";
import type { Trace } from "@mcpwright/runtime";
import { diagnostic, DiagnosticError, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { lineComment } from "../../shared/code/code.js";
import { authorOf, readWrittenFile, withChecksum, writeWithChecksum } from "../../shared/files/file-with-checksum.js";
import { unifiedDiff } from "../../shared/files/unified-diff.js";
import { listAll } from "../../shared/sessions/list-all.js";
import type { ServerLists } from "../../shared/sessions/server-lists.js";
import { openSession } from "../../shared/sessions/open-session.js";
import { answerServerRequests } from "../../shared/sessions/server-requests.js";
import { readTarget } from "../../shared/sessions/read-target.js";
import type { TargetOptions } from "../../shared/sessions/target.js";
import { listingOf, readListing, describeChanges } from "./server-listing.js";
import { printClient } from "./print-client.js";
import { bindCommandLine } from "./command-line.js";

export interface BindOptions extends TargetOptions {
  /** The file to write. Default: none, the text is in the result. */
  readonly out?: string;
  /** Write nothing: tell how the server differs from what `out` was made of. */
  readonly check?: boolean;
  /** The only revision to speak. Default: the newest one that the server speaks, too. */
  readonly revision?: string;
  /** Milliseconds that each request waits for its answer. Default 60,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly trace?: Trace;
  /** Told, in lines for people, what the server says besides answers. */
  readonly tell?: (line: string) => void;
}

export interface BindResult {
  /** The client. */
  readonly text: string;
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly findings: readonly Diagnostic[];
  /** What became of `out`. */
  readonly file: "none" | "written" | "unchanged" | "checked";
  /** With `check`: a sentence for each change, and a unified diff from the file to what belongs there; both empty without drift. */
  readonly drift: { readonly sentences: readonly string[]; readonly diff: string };
}

/**
 * Connects with a live server and writes a typed client for it.
 * @throws DiagnosticError target-*, config-*, server-*, revision-unknown; file-foreign, output-edited, output-not-writable
 */
export async function writeClient(options: BindOptions): Promise<BindResult> {
  const { out, check = false, signal } = options;
  const findings: Diagnostic[] = [];
  const lists = await fetchLists(options, findings);
  const { text: body, findings: found } = await printClient(lists);
  findings.push(...found);
  const text = withChecksum("bind", `${headingOf(options)}\n${body}`);
  const drift = check && out !== undefined ? driftOf(out, body, lists) : { sentences: [], diff: "" };
  if (drift.diff !== "" && out !== undefined) findings.push(diagnostic("bind-drift", { path: out }));
  signal?.throwIfAborted();
  const file = out === undefined ? "none" : check ? "checked" : writeWithChecksum("bind", out, text);
  const { tools = [], prompts = [], resources = [], resourceTemplates = [] } = lists;
  return {
    text,
    tools: tools.length,
    prompts: prompts.length,
    resources: resources.length,
    resourceTemplates: resourceTemplates.length,
    findings,
    file,
    drift,
  };
}

async function fetchLists(options: BindOptions, findings: Diagnostic[]): Promise<ServerLists> {
  const { revision, timeoutMs, signal, trace, tell = () => undefined } = options;
  const { target, notes } = readTarget(options);
  findings.push(...notes);
  const session = await openSession(target, {
    ...(revision !== undefined && { revision }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(signal && { signal }),
    ...(trace && { trace }),
    onNote: (note) => findings.push(note),
    prepare: (client) => answerServerRequests(client, { tell }),
  });
  try {
    // A client without what could not be listed would look as if the server had none.
    return await listAll(session, (failed) => {
      throw new DiagnosticError([failed]);
    });
  } finally {
    await session.close();
  }
}

/** The comment that tells how a client was made, with which it begins. */
function headingIn(text: string): string {
  return /^\/\/.*\n((?:\/\/.*\n)*)/.exec(text)?.[1] ?? "";
}

function headingOf(options: BindOptions): string {
  const lines = [
    "A typed client, generated with",
    `  ${bindCommandLine(options)}`,
    "Add --check to see whether the server has changed.",
  ];
  return lines.map((line) => `${lineComment(line)}\n`).join("");
}

/** How a client was made is no difference: the server may be reached in another way than before. */
function driftOf(path: string, body: string, lists: ServerLists): BindResult["drift"] {
  const before = readWrittenFile(path);
  const text = withChecksum("bind", `${headingIn(before ?? "")}\n${body}`);
  if (before === text) return { sentences: [], diff: "" };
  const shown = relative(process.cwd(), path).replaceAll("\\", "/");
  const diff = unifiedDiff([
    before === undefined
      ? { path: shown, kind: "added", after: text }
      : { path: shown, kind: "changed", before, after: text },
  ]);
  if (before === undefined) return { sentences: [`${shown} is not there`], diff };
  const author = authorOf("bind", before);
  const facts = author === "foreign" ? undefined : readListing(before);
  if (!facts) return { sentences: [`${shown} was not made by mcpwright bind`], diff };
  const sentences = [
    ...describeChanges(facts, listingOf(lists)),
    ...(author === "edited" ? [`${shown} was changed by hand`] : []),
  ];
  return {
    sentences: sentences.length === 0 ? [`${shown} was made by another version of mcpwright`] : sentences,
    diff,
  };
}
