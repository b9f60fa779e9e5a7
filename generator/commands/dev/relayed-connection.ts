import { ErrorCode } from "@mcpwright/runtime/errors";
import { INITIALIZE, NOTIFICATIONS_CANCELLED, SUBSCRIPTIONS_LISTEN } from "@mcpwright/protocol/names";
import { isRawNotification, isRawRequest, messagesOf, objectAt, type RawRequest } from "./json-messages.js";
import { HostMessages } from "./host-messages.js";
import { capabilitiesOf, capabilityChanges, sessionChanges, streamChanges } from "./list-changes.js";
import type { ReportEvent } from "./listeners.js";
import { OwnRequests } from "./own-requests.js";
import { errorUnits, type PendingRequest } from "./pending-requests.js";
import type { HostConnection, RelayHost } from "./relay-host.js";
import { reopenSession } from "./reopen-session.js";
import type { DevCommand, ServerProcess } from "./server-process.js";
import { type ServerFailure, type ServerStart, ServerSupervisor } from "./server-supervisor.js";
import { SessionRecord } from "./session-record.js";

export interface RelayedConnectionOptions {
  readonly id: string;
  readonly command: () => DevCommand;
  readonly startTimeoutMs: number | undefined;
  readonly report: ReportEvent;
  readonly onClosed: () => void;
}

/** Milliseconds in which the server may answer after the host has left. */
const finishMs = 2_000;

/** One host and the server processes that follow each other for it. */
export class RelayedConnection implements HostConnection {
  readonly id: string;
  readonly #record = new SessionRecord();
  readonly #messages: HostMessages;
  readonly #own: OwnRequests;
  readonly #supervisor: ServerSupervisor;
  readonly #report: ReportEvent;
  /** Wire units of the host that wait for a start. */
  #queue: unknown[] = [];
  #handshakeTimer: NodeJS.Timeout | undefined;
  /** The last note about capabilities, so that each is shown once. */
  #noted: string | undefined;
  #ending: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    private readonly host: RelayHost,
    private readonly options: RelayedConnectionOptions,
  ) {
    const { id, command, report } = options;
    this.id = id;
    this.#report = report;
    this.#own = new OwnRequests(report);
    this.#messages = new HostMessages(this.#record, {
      note: (text) => report({ kind: "note", text }),
      sendToHost: (unit) => this.#sendToHost(unit, "relay"),
    });
    this.#supervisor = new ServerSupervisor({
      command,
      open: (process) => this.#open(process),
      onMessage: (unit) => this.#fromServer(unit),
      onNoise: (line, pid) => report({ kind: "stdout-noise", line, pid }),
      onStderr: (line, pid) => report({ kind: "stderr", line, pid }),
      onStarted: ({ pid, count, reason }) =>
        report({ kind: "server-started", pid, start: count, ...(reason !== undefined && { reason }) }),
      onReady: (start) => this.#onReady(start),
      onEnded: (pid, exit, isExpected) =>
        report({ kind: "server-ended", pid, exitCode: exit.exitCode, signal: exit.signal, isExpected }),
      onFailed: (failure) => this.#onFailed(failure),
    });
  }

  /** Starts the first process. */
  open(): void {
    this.#report({ kind: "host-connected", name: this.host.name });
    this.#supervisor.start();
  }

  receive(unit: unknown): void {
    if (this.#ending) return;
    const now = performance.now();
    const { unit: passed, at } = this.#messages.fromHost(unit);
    this.#report({
      kind: "message",
      direction: "to-server",
      message: unit,
      origin: "host",
      ...(at !== undefined && { durationMs: now - at }),
    });
    if (passed === undefined || this.#withdraw(passed)) return;
    const { failure } = this.#supervisor;
    if (failure?.startsAtNextRequest && messagesOf(passed).some(isRawRequest)) this.#supervisor.start("it had exited");
    if (this.#supervisor.state === "running") this.#pass(passed);
    else if (this.#supervisor.state === "starting") this.#queue.push(passed);
    else if (failure) this.#refuse(passed, reasonOf(failure));
  }

  restart(reason: string): void {
    if (this.#ending) return;
    this.#endRequests(`The server was restarted because ${reason}; send the request again`, (one) =>
      this.#outlives(one),
    );
    this.#supervisor.start(reason);
  }

  finish(): Promise<void> {
    this.#ending ??= this.#end(() => this.#supervisor.finish(finishMs));
    return this.#ending;
  }

  close(): Promise<void> {
    if (!this.#ending) this.#isClosed = true;
    this.#ending ??= this.#end(() => this.#supervisor.close());
    return this.#ending;
  }

  async #end(endServer: () => Promise<void>): Promise<void> {
    clearTimeout(this.#handshakeTimer);
    await endServer();
    if (!this.#isClosed) this.#endRequests("The server ended without a response");
    this.#isClosed = true;
    this.#report({ kind: "host-disconnected" });
    this.options.onClosed();
  }

  /** Brings the session of the host to a new process. */
  async #open(process: ServerProcess): Promise<void> {
    const { initialize, discover, streams } = this.#record;
    const requests = this.#own.at(process);
    const note = (text: string): void => this.#report({ kind: "note", text });
    if (initialize) {
      const opening = reopenSession(this.#record, initialize, requests, note);
      this.#record.current = await within(this.options.startTimeoutMs, opening);
    } else {
      const first = this.#messages.toServer.find(({ request }) => request.method === INITIALIZE);
      if (first) this.#sendAgain(process, first.request);
    }
    if (discover) {
      void requests.request(discover).then(({ result }) => {
        if (result !== undefined) this.#noteCapabilities((this.#record.current = capabilitiesOf(result)));
      });
    }
    for (const stream of streams.values()) {
      stream.isAcknowledged = false;
      this.#sendAgain(process, stream.request);
    }
  }

  #sendAgain(process: ServerProcess, request: RawRequest): void {
    process.send(request);
    this.#report({ kind: "message", direction: "to-server", message: request, origin: "relay", isHidden: true });
    if (request.method === INITIALIZE) this.#limitHandshake();
  }

  #onReady({ pid, count, reason, requestedAt }: ServerStart): void {
    this.#report({ kind: "server-ready", pid, start: count, durationMs: performance.now() - requestedAt });
    const queue = this.#queue;
    this.#queue = [];
    for (const unit of queue) this.#pass(unit);
    if (reason !== undefined) this.#announce();
  }

  /** Notifies the host of what an edit may have changed. */
  #announce(): void {
    const { initialize, initialized, known, current, resources, streams } = this.#record;
    if (initialize && initialized && known && current) {
      for (const one of sessionChanges(known, current, resources.keys())) this.#sendToHost(one, "relay");
      this.#noteCapabilities(current);
    }
    for (const [id, { filter }] of streams)
      if (filter) for (const one of streamChanges(id, filter)) this.#sendToHost(one, "relay");
  }

  #noteCapabilities(current: Readonly<Record<string, unknown>>): void {
    const changes = capabilityChanges(this.#record.known ?? {}, current);
    if (changes !== undefined && changes !== this.#noted) {
      const text = `The capabilities of the server differ from those that the host knows (${changes}): reconnect the host to use them.`;
      this.#report({ kind: "note", text });
    }
    this.#noted = changes;
  }

  #onFailed(failure: ServerFailure): void {
    const { summary, startsAtNextRequest } = failure;
    const reason = reasonOf(failure);
    clearTimeout(this.#handshakeTimer);
    this.#report({ kind: "server-failed", summary, reason, startsAtNextRequest });
    const queue = this.#queue;
    this.#queue = [];
    this.#endRequests(reason, ({ request }) => this.#record.streams.has(request.id));
    for (const unit of queue) this.#refuse(unit, reason);
  }

  /** Sends a unit of the host to the server. */
  #pass(unit: unknown): void {
    const now = performance.now();
    for (const message of messagesOf(unit)) {
      this.#record.onSent(message);
      if (!isRawRequest(message)) continue;
      this.#messages.toServer.add(message, now, unit);
      if (message.method === INITIALIZE) this.#limitHandshake();
    }
    this.#supervisor.process?.send(unit);
  }

  /** Answers the requests of a unit that no server gets. */
  #refuse(unit: unknown, reason: string): void {
    const at = performance.now();
    const messages = messagesOf(unit);
    // A later process has to know what the host has set up.
    for (const message of messages) if (isRawNotification(message)) this.#record.onSent(message);
    const batch = Array.isArray(unit) ? unit : undefined;
    const requests = messages.filter(isRawRequest).map((request): PendingRequest => ({ request, at, batch }));
    this.#answerWithError(requests, reason);
  }

  /** Removes a waiting request that the host cancels. Returns whether there was one: the server need not know then. */
  #withdraw(unit: unknown): boolean {
    if (!isRawNotification(unit) || unit.method !== NOTIFICATIONS_CANCELLED) return false;
    const { requestId } = objectAt(unit, "params");
    const kept = this.#queue.filter((one) => !(isRawRequest(one) && one.id === requestId));
    const isFound = kept.length < this.#queue.length;
    this.#queue = kept;
    if (!isFound && !this.#record.streams.has(requestId as string)) this.#messages.toServer.remove(requestId);
    return isFound;
  }

  /** Whether a request in flight survives a restart, because it is sent to the new process. */
  #outlives({ request }: PendingRequest): boolean {
    const isFirstHandshake = request.method === INITIALIZE && !this.#record.initialize;
    return isFirstHandshake || (request.method === SUBSCRIPTIONS_LISTEN && this.#record.streams.has(request.id));
  }

  /** Ends what is in flight in both directions. */
  #endRequests(reason: string, isKept?: (pending: PendingRequest) => boolean): void {
    this.#own.clear();
    this.#answerWithError(this.#messages.toServer.removeAll(isKept), reason);
    for (const requestId of this.#messages.abandon()) {
      const params = { requestId, reason };
      this.#sendToHost({ jsonrpc: "2.0", method: NOTIFICATIONS_CANCELLED, params }, "relay");
    }
  }

  #answerWithError(requests: readonly PendingRequest[], reason: string): void {
    for (const { unit, at } of errorUnits(requests, ErrorCode.InternalError, reason)) {
      this.#sendToHost(unit, "relay", performance.now() - at);
    }
  }

  #fromServer(unit: unknown): void {
    if (this.#isClosed) return;
    const rest = this.#own.take(unit);
    if (rest === undefined) return;
    const { unit: passed, at, hasOpened } = this.#messages.fromServer(rest);
    if (hasOpened) clearTimeout(this.#handshakeTimer);
    if (passed !== undefined) this.#sendToHost(passed, "server", at === undefined ? undefined : performance.now() - at);
  }

  #sendToHost(unit: unknown, origin: "server" | "relay", durationMs?: number): void {
    if (this.#isClosed) return;
    this.#report({
      kind: "message",
      direction: "to-host",
      message: unit,
      origin,
      ...(durationMs !== undefined && { durationMs }),
    });
    this.host.send(unit);
  }

  /** Gives up a server that does not answer the handshake of the host. */
  #limitHandshake(): void {
    const { startTimeoutMs } = this.options;
    clearTimeout(this.#handshakeTimer);
    if (startTimeoutMs === undefined) return;
    this.#handshakeTimer = setTimeout(
      () => this.#supervisor.fail({ summary: hangs(startTimeoutMs), startsAtNextRequest: false }),
      startTimeoutMs,
    );
  }
}

/** What hosts get. */
function reasonOf({ summary, stderr }: ServerFailure): string {
  return stderr ? `${summary}: ${stderr.join("\n").slice(-4_000)}` : summary;
}

async function within<T>(ms: number | undefined, work: Promise<T>): Promise<T> {
  if (ms === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => (timer = setTimeout(() => reject(new Error(hangs(ms))), ms))),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

function hangs(ms: number): string {
  return `The server has not answered ${INITIALIZE} for ${ms / 1_000} s; it must serve stdio`;
}
