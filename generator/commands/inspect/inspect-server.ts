import type { Trace } from "@mcpwright/runtime";
import type { ClientExtension } from "@mcpwright/runtime/client";
import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { type ServerSession, openSession } from "../../shared/sessions/open-session.js";
import { answerServerRequests } from "../../shared/sessions/server-requests.js";
import type { AskUser } from "../../shared/sessions/terminal.js";
import { serverAuthorization } from "../../shared/sessions/server-authorization.js";
import { readTarget } from "../../shared/sessions/read-target.js";
import type { TargetOptions } from "../../shared/sessions/target.js";
import type { Inspection, InspectRequest } from "./inspection.js";
import { printNotifications } from "./print-notifications.js";
import { taskExtensions } from "./call-task.js";
import type { LossInspection } from "./losses/inspect-losses.js";
import { listAll } from "../../shared/sessions/list-all.js";
import { callAndShow } from "./app/call-and-show.js";
import { sendRequest } from "./send-request.js";
import { watchResource } from "./watch-resource.js";

export interface InspectOptions extends TargetOptions {
  /** The request to send. Default: none; the lists are fetched. */
  readonly request?: InspectRequest;
  /** A resource to watch until `signal` is aborted. */
  readonly watch?: string;
  /**
   * The revision of clients for which to find what they do not get through a gateway; `true` for every revision. Only without `request` and
   * `watch`, which fetch no lists. Default: losses are not searched.
   */
  readonly losses?: string | true;
  /** The only revision to use. Default: the newest one that the server supports. */
  readonly revision?: string;
  /** Milliseconds to wait for each response. Default: `60_000`. */
  readonly timeoutMs?: number;
  /** The field values for forms of the server. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Asks the user, for the fields of forms without `answer`, and during log-ins. Without both, forms are declined. */
  readonly ask?: AskUser;
  readonly signal?: AbortSignal;
  readonly trace?: Trace;
  /** Called with a line for each log message, progress, change and request of the server, and each line of its stderr. */
  readonly tell?: (line: string) => void;
  /** Called with each finding as soon as it is detected. */
  readonly onNote?: (note: Diagnostic) => void;
}

/**
 * Connects to a server and returns its revision and features, or its response to one request.
 * @throws DiagnosticError target-*, config-*, server-*, login-*, request-arguments, revision-unknown
 */
export async function inspectServer(options: InspectOptions): Promise<Inspection> {
  const { tell = () => undefined, onNote, answer, ask, revision, timeoutMs, signal } = options;
  const notes: Diagnostic[] = [];
  const note = (one: Diagnostic): void => {
    notes.push(one);
    onNote?.(one);
  };
  const { target, notes: doubts } = readTarget(options);
  doubts.forEach(note);
  const { inspectLosses, trace } = await lossesFor(options);
  const isAsking = options.request !== undefined || options.watch !== undefined;
  const ended = new AbortController();
  const authorization =
    target.kind === "http" &&
    options.authorization &&
    serverAuthorization(target, options.authorization, { tell, ...(ask && { ask }) });
  const asked = options.request;
  const extensions = await extensionsFor(asked, revision);
  const session = await openSession(target, {
    extensions,
    ...(authorization && { authorization }),
    ...(revision !== undefined && { revision }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(signal && { signal }),
    ...(trace && { trace }),
    onStderr: (line) => tell(`server: ${line}`),
    onNote: note,
    onEnd: (error) => ended.abort(error),
    prepare: (client) => {
      answerServerRequests(client, { tell, ...(answer ? { answer } : ask && { ask }) });
      if (isAsking) printNotifications(client, tell);
    },
  });
  try {
    const facts = factsOf(session, target.kind);
    if (!isAsking) {
      const lists = await listAll(session, note);
      const losses = inspectLosses && { losses: await inspectLosses(session, note) };
      return { ...facts, ...lists, ...losses, notes };
    }
    await wantLogs(session);
    if (options.watch !== undefined) {
      await watchResource(session, options.watch, { tell, ended: ended.signal, ...(signal && { signal }) });
      return { ...facts, notes };
    }
    if (!asked) return { ...facts, notes };
    // A user may need more time than the timeout.
    const patience = ask && !answer && timeoutMs === undefined ? { timeoutMs: 600_000 } : {};
    const sending = { tell, note, ...(signal && { signal }), ...patience };
    const answered =
      asked.kind === "app"
        ? await callAndShow(session, asked, {
            ...sending,
            ended: ended.signal,
            openBrowser: options.authorization?.openBrowser !== false,
            ...(timeoutMs !== undefined && { readyTimeoutMs: timeoutMs }),
          })
        : await sendRequest(session, asked, sending);
    return { ...facts, ...answered, notes };
  } finally {
    await session.close();
  }
}

/** What finds losses, and the trace that it needs. Loads their tables only if they are requested. */
async function lossesFor({ losses, trace }: InspectOptions): Promise<Partial<LossInspection>> {
  if (losses === undefined) return trace ? { trace } : {};
  const { prepareLosses } = await import("./losses/inspect-losses.js");
  const prepared = prepareLosses(losses);
  const both: Trace = (...message) => {
    prepared.trace(...message);
    trace?.(...message);
  };
  return { inspectLosses: prepared.inspectLosses, trace: both };
}

/** Servers hide tools for apps from clients without them, and a call as such a client returns a text. */
async function extensionsFor(
  asked: InspectRequest | undefined,
  revision: string | undefined,
): Promise<readonly ClientExtension[]> {
  if (asked?.kind === "call") return taskExtensions(revision, asked.task === true);
  if (asked !== undefined && asked.kind !== "app") return [];
  const { appsExtensions } = await import("./app/apps-extensions.js");
  return appsExtensions(revision);
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

/** Sets the log level, because servers log only what is requested. An error is ignored. */
async function wantLogs({ client }: ServerSession): Promise<void> {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- servers of every revision are inspected
  if (client.getServerCapabilities()?.logging) await client.setLoggingLevel("debug").catch(() => undefined);
}
