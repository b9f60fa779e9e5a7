import type { Trace } from "@mcpwright/runtime";
import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { type ServerSession, openSession } from "../../shared/sessions/open-session.js";
import { answerServerRequests } from "../../shared/sessions/server-requests.js";
import type { AskUser } from "../../shared/sessions/terminal.js";
import { readTarget } from "../../shared/sessions/read-target.js";
import type { TargetOptions } from "../../shared/sessions/target.js";
import type { Inspection, InspectRequest } from "./inspection.js";
import { printNotifications } from "./print-notifications.js";
import { listAll } from "../../shared/sessions/list-all.js";
import { sendRequest } from "./send-request.js";
import { watchResource } from "./watch-resource.js";

export interface InspectOptions extends TargetOptions {
  /** What to ask of the server. Default: its lists. */
  readonly request?: InspectRequest;
  /** A resource to watch, until `signal` ends that. */
  readonly watch?: string;
  /** The only revision to speak. Default: the newest one that the server speaks, too. */
  readonly revision?: string;
  /** Milliseconds that each request waits for its answer. Default 60,000. */
  readonly timeoutMs?: number;
  /** The fields of each form that the server asks to fill in. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Asks a person. Without it, and without an answer, forms are declined. */
  readonly ask?: AskUser;
  readonly signal?: AbortSignal;
  readonly trace?: Trace;
  /** Told, in lines for people, what comes besides answers: logs, progress, changes, questions, standard error. */
  readonly tell?: (line: string) => void;
  /** Told what is wrong, as soon as it is known. */
  readonly onNote?: (note: Diagnostic) => void;
}

/**
 * Connects with a live server and finds out what it speaks and offers, or what it answers to one request.
 * @throws DiagnosticError target-*, config-*, server-*, request-arguments, revision-unknown
 */
export async function inspectServer(options: InspectOptions): Promise<Inspection> {
  const { tell = () => undefined, onNote, answer, ask, revision, timeoutMs, signal, trace } = options;
  const notes: Diagnostic[] = [];
  const note = (one: Diagnostic): void => {
    notes.push(one);
    onNote?.(one);
  };
  const { target, notes: doubts } = readTarget(options);
  doubts.forEach(note);
  const isAsking = options.request !== undefined || options.watch !== undefined;
  const ended = new AbortController();
  const session = await openSession(target, {
    ...(revision !== undefined && { revision }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(signal && { signal }),
    ...(trace && { trace }),
    onStderr: (line) => tell(`server: ${line}`),
    onNote: note,
    onEnd: (error) => ended.abort(error),
    prepare: (client) => {
      answerServerRequests(client, { tell, ...(answer && { answer }), ...(ask && { ask }) });
      if (isAsking) printNotifications(client, tell);
    },
  });
  try {
    const facts = factsOf(session, target.kind);
    if (!isAsking) return { ...facts, ...(await listAll(session, note)), notes };
    await wantLogs(session);
    if (options.watch !== undefined) {
      await watchResource(session, options.watch, { tell, ended: ended.signal, ...(signal && { signal }) });
      return { ...facts, notes };
    }
    const asked = options.request;
    if (!asked) return { ...facts, notes };
    // People take their time over questions.
    const patience = ask && timeoutMs === undefined ? { timeoutMs: 600_000 } : {};
    const answered = await sendRequest(session, asked, { tell, note, ...(signal && { signal }), ...patience });
    return { ...facts, ...answered, notes };
  } finally {
    await session.close();
  }
}

function factsOf({ client, name }: ServerSession, transport: "stdio" | "http"): Omit<Inspection, "notes"> {
  const server = client.getServerVersion();
  const instructions = client.getInstructions();
  return {
    target: name,
    transport,
    era: client.era ?? "handshake",
    revision: client.getNegotiatedProtocolVersion() ?? "",
    ...(server && { server: { ...server } }),
    ...(instructions !== undefined && { instructions }),
    capabilities: { ...client.getServerCapabilities() },
  };
}

/** Servers log only what they are asked for. One that refuses is inspected all the same. */
async function wantLogs({ client }: ServerSession): Promise<void> {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- servers of every revision are inspected
  if (client.getServerCapabilities()?.logging) await client.setLoggingLevel("debug").catch(() => undefined);
}
