import type { Progress } from "@mcpwright/protocol/contract";
import {
  ELICITATION_CREATE,
  META_BAGGAGE,
  META_TRACEPARENT,
  META_TRACESTATE,
  NOTIFICATIONS_MESSAGE,
  ROOTS_LIST,
  SAMPLING_CREATE_MESSAGE,
} from "@mcpwright/protocol/names";
import type { CreateMessageResult, ElicitResult, InputResponses, ListRootsResult } from "../authoring.js";
import { reportDeprecated } from "../connection/deprecation.js";
import type { ResponseWaiter } from "../connection/pending-requests.js";
import { RateLimit } from "../connection/rate-limit.js";
import { RequestContext, type HandlerOutcome } from "../connection/request-context.js";
import type { InputRequest } from "../input-requests/check-input-request.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { Meta } from "../jsonrpc/message-types.js";
import { markHandled } from "../timing/mark-handled.js";
import { raceAbort } from "../timing/race-abort.js";
import type { ClientDescription, Session } from "./client-description.js";
import type { ServerConnection, ServerContext, SuspendedCall } from "./contracts.js";
import { sendInputRequest } from "./handshake/input-requests.js";
import type { InputRequestOptions } from "./input-request-options.js";
import { levels } from "./log-levels.js";
import { SuspendedHandler } from "./stateless/suspended-call.js";

const insteadOfLogging = "Write to standard error, or collect logs with OpenTelemetry.";

const droppedLogs = "log messages are dropped: a request may send 2,000, then 100 a second";

/** The context of a server's request handlers. Members are created on first use. */
export class ServerHandlerContext extends RequestContext<ClientDescription> implements ServerContext {
  declare readonly connection: ServerConnection;
  inputResponses: InputResponses | undefined;
  unmatchedResponses: InputResponses | undefined;
  requestState: unknown;
  round = 0;
  hasInvalidResponse = false;
  errorToResult: ((error: unknown, context: ServerContext) => object) | undefined;
  suspended: SuspendedCall | undefined;
  resumes: SuspendedCall | undefined;
  reply: ResponseWaiter | undefined;

  #logRate: RateLimit | undefined;
  #hasDroppedLogs = false;

  get client(): ClientDescription {
    return this.sender;
  }

  get traceContext(): Meta {
    const { _meta } = this;
    const keys = [META_TRACEPARENT, META_TRACESTATE, META_BAGGAGE].filter((key) => _meta[key] !== undefined);
    return Object.fromEntries(keys.map((key) => [key, _meta[key]]));
  }

  get session(): Session | undefined {
    return this.sender.session;
  }

  get elicit(): ServerContext["elicit"] {
    return (key, params, options) =>
      this.#requestInput(key, { method: ELICITATION_CREATE, params }, options) as Promise<ElicitResult>;
  }

  get sample(): ServerContext["sample"] {
    return (key, params, options) =>
      this.#requestInput(key, { method: SAMPLING_CREATE_MESSAGE, params }, options) as Promise<CreateMessageResult>;
  }

  get listRoots(): ServerContext["listRoots"] {
    return (key, options) => this.#requestInput(key, { method: ROOTS_LIST }, options) as Promise<ListRootsResult>;
  }

  get log(): ServerContext["log"] {
    return (level, data, logger) => {
      const { capabilities, options } = this.connection.server;
      if (!capabilities.logging)
        throw new SdkError("CAPABILITY_NOT_SUPPORTED", "log needs the option capabilities: { logging: {} }");
      const target = this.activeContext;
      if (!target?.isLogLevelEnabled(level) || (target.session && !target.session.advertisedCapabilities.logging))
        return;
      // Clients that request a level per request are those of the revisions that deprecate logging.
      if (!target.session) reportDeprecated(options, NOTIFICATIONS_MESSAGE, insteadOfLogging);
      this.#logRate ??= new RateLimit(2_000, 100);
      if (!this.#logRate.take()) {
        if (!this.#hasDroppedLogs) this.connection.report(new SdkError("LIMIT_EXCEEDED", droppedLogs));
        this.#hasDroppedLogs = true;
        return;
      }
      const message = { level, data: data ?? null, ...(logger !== undefined && { logger }) };
      if (!target.done) target.notifyInBackground(NOTIFICATIONS_MESSAGE, message);
    };
  }

  get isLogLevelEnabled(): ServerContext["isLogLevelEnabled"] {
    return (level) => {
      const { logLevel } = this.sender;
      return logLevel !== undefined && levels.indexOf(level) >= levels.indexOf(logLevel);
    };
  }

  get activeContext(): ServerContext | undefined {
    return this.suspended ? this.suspended.activeRequest : this;
  }

  override sendNotification(method: string, params?: object): Promise<void> {
    const target = this.activeContext;
    if (target === this) return super.sendNotification(method, params);
    return target ? target.notify(method, params) : Promise.resolve();
  }

  protected override sendProgress(progress: Progress): void {
    const target = this.activeContext;
    if (target === this) super.sendProgress(progress);
    else target?.progress(progress);
  }

  override onLateOutcome(outcome: HandlerOutcome): void {
    // With middleware, the handler's own outcome is passed on; this is that of the first request.
    if (!this.reply) this.suspended?.onOutcome(outcome);
  }

  override markAnswered(): void {
    super.markAnswered();
    (this.resumes ?? this.suspended)?.onAnswered(this);
  }

  override abort(reason: unknown): void {
    super.abort(reason);
    (this.resumes ?? this.suspended)?.abort(reason);
  }

  /** A handler may await its questions one after the other, while all of them fail. */
  #requestInput(key: string, request: InputRequest, options?: InputRequestOptions): Promise<unknown> {
    return markHandled(this.requestInput(key, request, options));
  }

  async requestInput(key: string, request: InputRequest, options?: InputRequestOptions): Promise<unknown> {
    if (this.session) return sendInputRequest(this, key, request, options);
    const { suspendedCalls } = this.connection.server;
    if (!this.row.alternatives)
      throw new SdkError(
        "CANNOT_ASK",
        `${this.method} cannot request input; only methods with input_required results can`,
      );
    if (!suspendedCalls)
      throw new SdkError(
        "CANNOT_ASK",
        "handlers cannot wait for input with suspension: false; register inputRequests or return inputRequired(...)",
      );
    this.suspended ??= new SuspendedHandler(this, suspendedCalls);
    return raceAbort(options?.signal, this.suspended.requestInput(key, request));
  }
}
