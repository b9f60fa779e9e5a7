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
import { serverAuthorization } from "../../shared/sessions/server-authorization.js";
import type { AskUser } from "../../shared/sessions/terminal.js";
import { readTarget } from "../../shared/sessions/read-target.js";
import type { TargetOptions } from "../../shared/sessions/target.js";
import { listingOf, readListing, describeChanges } from "./server-listing.js";
import { printClient } from "./print-client.js";
import { boundExtensions } from "./bound-extensions.js";
import { bindCommandLine } from "./command-line.js";

export interface BindOptions extends TargetOptions {
  /** The file to write. Default: none; the result contains the text. */
  readonly out?: string;
  /** Whether to write nothing and report how the server has changed since `out` was generated. Default: `false`. */
  readonly check?: boolean;
  /** Extensions that the client declares, each as the id or short name of one of the package, or the folder that generate wrote. Default: none. */
  readonly extensions?: readonly string[];
  /** The only revision to use. Default: the newest one that the server supports. */
  readonly revision?: string;
  /** Milliseconds to wait for each response. Default: `60_000`. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly trace?: Trace;
  /** Called with a line for each notification or request of the server, and for the user who has to log in. */
  readonly tell?: (line: string) => void;
  /** Asks the user during a log-in. */
  readonly ask?: AskUser;
}

export interface BindResult {
  /** The client. */
  readonly text: string;
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly findings: readonly Diagnostic[];
  /** The outcome for `out`. */
  readonly file: "none" | "written" | "unchanged" | "checked";
  /** With `check`: a sentence for each change, and a unified diff from the file to the new client. Empty if up to date. */
  readonly drift: { readonly sentences: readonly string[]; readonly diff: string };
}

/**
 * Connects to a server and generates a typed client for it.
 * @throws DiagnosticError target-*, config-*, server-*, login-*, revision-unknown; file-foreign, output-edited, output-not-writable
 */
export async function writeClient(options: BindOptions): Promise<BindResult> {
  const { out, check = false, signal } = options;
  const findings: Diagnostic[] = [];
  const extensions = await boundExtensions(options.extensions ?? [], out);
  const { lists, declared } = await fetchLists(options, findings);
  for (const { id } of extensions)
    if (declared?.includes(id) === false) findings.push(diagnostic("bind-extension-undeclared", { id }));
  const { text: body, findings: found } = await printClient(lists, extensions);
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

interface Fetched {
  readonly lists: ServerLists;
  /** The ids of the extensions that the server declares; absent in revisions without extensions. */
  readonly declared?: readonly string[];
}

async function fetchLists(options: BindOptions, findings: Diagnostic[]): Promise<Fetched> {
  const { revision, timeoutMs, signal, trace, tell = () => undefined, ask, authorization: settings } = options;
  const { target, notes } = readTarget(options);
  findings.push(...notes);
  const user = { tell, ...(ask && { ask }) };
  const authorization = target.kind === "http" && settings && serverAuthorization(target, settings, user);
  const session = await openSession(target, {
    ...(authorization && { authorization }),
    ...(revision !== undefined && { revision }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(signal && { signal }),
    ...(trace && { trace }),
    onNote: (note) => findings.push(note),
    prepare: (client) => answerServerRequests(client, { tell }),
  });
  try {
    // Fails if a list cannot be fetched: without it, the client would suggest that the server has no such items.
    const lists = await listAll(session, (failed) => {
      throw new DiagnosticError([failed]);
    });
    const { client } = session;
    // Servers of older revisions declare no extensions.
    const declared = client.era === "stateless" && Object.keys(client.getServerCapabilities()?.extensions ?? {});
    return { lists, ...(declared && { declared }) };
  } finally {
    await session.close();
  }
}

/** The comment at the beginning of a client, with the command line that generated it. */
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

/** Compares the clients without their command lines, because the server may be reached in another way. */
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
  if (before === undefined) return { sentences: [`${shown} does not exist`], diff };
  const author = authorOf("bind", before);
  const facts = author === "foreign" ? undefined : readListing(before);
  if (!facts) return { sentences: [`${shown} was not generated by mcpwright bind`], diff };
  const sentences = [
    ...describeChanges(facts, listingOf(lists)),
    ...(author === "edited" ? [`${shown} was edited by hand`] : []),
  ];
  return {
    sentences: sentences.length === 0 ? [`${shown} was generated by another version of mcpwright`] : sentences,
    diff,
  };
}
