import type { Trace } from "@mcpwright/runtime";
import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { type LiveSession, openSession } from "../../shared/sessions/open-session.js";
import { answerQuestions } from "../../shared/sessions/questions.js";
import type { Ask } from "../../shared/sessions/terminal.js";
import { readTarget } from "../../shared/sessions/read-target.js";
import type { TargetOptions } from "../../shared/sessions/target.js";
import type { Inspection, InspectRequest } from "./inspection.js";
import { hear } from "./hear.js";
import { listAll } from "../../shared/sessions/list-all.js";
import { request } from "./request.js";
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
  readonly ask?: Ask;
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
export async function inspect(options: InspectOptions): Promise<Inspection> {
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
      answerQuestions(client, { tell, ...(answer && { answer }), ...(ask && { ask }) });
      if (isAsking) hear(client, tell);
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
    const answered = await request(session, asked, { tell, note, ...(signal && { signal }), ...patience });
    return { ...facts, ...answered, notes };
  } finally {
    await session.close();
  }
}

function factsOf({ client, name }: LiveSession, transport: "stdio" | "http"): Omit<Inspection, "notes"> {
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
async function wantLogs({ client }: LiveSession): Promise<void> {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- servers of every revision are inspected
  if (client.getServerCapabilities()?.logging) await client.setLoggingLevel("debug").catch(() => undefined);
}
