import {
  ELICITATION_CREATE,
  META_BAGGAGE,
  META_TRACEPARENT,
  META_TRACESTATE,
  NOTIFICATIONS_MESSAGE,
  ROOTS_LIST,
  SAMPLING_CREATE_MESSAGE,
} from "@mcpwright/protocol/names";
import type { Progress } from "@mcpwright/protocol/contract";
import type { InputRequest } from "../ask/check.js";
import type { UrlElicitationParams } from "../ask/question.js";
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  InputResponses,
  ListRootsResult,
  LoggingLevel,
} from "../authoring.js";
import { RequestContext, type HandlerOutcome } from "../engine/call.js";
import { SdkError } from "../engine/errors.js";
import type { Meta } from "../engine/json-rpc.js";
import type { CallOptions } from "../engine/pending.js";
import { raceAbort } from "../engine/unless-aborted.js";
import { sendInputRequest } from "../handshake/questions.js";
import { SuspendedCall } from "../per-request/parking.js";
import type { ClientDescription, Session } from "./client-facts.js";
import type { ServerConnection } from "./connection.js";

const levels: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** What a server's handler knows of the request it handles, and all it can do for it. */
export class ServerContext extends RequestContext<ClientDescription> {
  declare readonly connection: ServerConnection;
  /** Answers to the questions of earlier rounds, by key. */
  inputResponses: InputResponses | undefined;
  /** Answers that came without a `requestState`, so that nobody knows what they answer. @internal */
  unmatchedResponses: InputResponses | undefined;
  /** What the handler gave as `requestState` in the round before. */
  requestState: unknown;
  /** How often input was asked for so far. */
  round = 0;
  /** An answer of this round could not be used, so its question is asked once more. @internal */
  hasInvalidResponse = false;
  /** Makes a result of what went wrong while the runtime asked on the handler's behalf; absent: it is an error. @internal */
  errorToResult: ((error: unknown, context: this) => object) | undefined;
  /** Set while the handler waits, or has waited, for answers that come with later requests. @internal */
  suspended: SuspendedCall | undefined;
  /** The waiting handler that this request brings answers for. @internal */
  resumes: SuspendedCall | undefined;

  /** The client: what it declared and who it says it is. */
  get client(): ClientDescription {
    return this.sender;
  }

  /** The trace context of the request (W3C Trace Context, Baggage), for what is done on its behalf. */
  get traceContext(): Meta {
    const { _meta } = this;
    const keys = [META_TRACEPARENT, META_TRACESTATE, META_BAGGAGE].filter((key) => _meta[key] !== undefined);
    return Object.fromEntries(keys.map((key) => [key, _meta[key]]));
  }

  /** What is kept between requests, by handshake-era clients; undefined in the stateless era. */
  get session(): Session | undefined {
    return this.sender.session;
  }

  /**
   * Asks the user and waits. In the handshake era a request is sent; in the stateless era the handler is suspended, never
   * run again, until the client's retry brings the answer. Only `tools/call`, `prompts/get` and `resources/read` may ask.
   * @param key names the question within this request
   * @throws MissingRequiredClientCapabilityError before anything is sent, when the client does not offer it
   * @throws SdkError `CANNOT_ASK` where nobody can be asked; the signal's reason when the wait ends without an answer
   */
  elicit(
    key: string,
    params: ElicitRequestParams | UrlElicitationParams,
    options?: CallOptions,
  ): Promise<ElicitResult> {
    return this.#requestInput(key, { method: ELICITATION_CREATE, params }, options) as Promise<ElicitResult>;
  }

  /**
   * Has the client's model complete a conversation; otherwise like `elicit`.
   * @deprecated since 2026-07-28: call the provider's API from the server.
   */
  sample(key: string, params: CreateMessageRequestParams, options?: CallOptions): Promise<CreateMessageResult> {
    return this.#requestInput(
      key,
      { method: SAMPLING_CREATE_MESSAGE, params },
      options,
    ) as Promise<CreateMessageResult>;
  }

  /**
   * The folders that the client works in; otherwise like `elicit`.
   * @deprecated since 2026-07-28: take them as tool parameters.
   */
  listRoots(key: string, options?: CallOptions): Promise<ListRootsResult> {
    return this.#requestInput(key, { method: ROOTS_LIST }, options) as Promise<ListRootsResult>;
  }

  /**
   * Sends a log message, if the client wants that level.
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the server does not declare `logging`
   * @deprecated since 2026-07-28: write to stderr, or use OpenTelemetry.
   */
  log(level: LoggingLevel, data: unknown, logger?: string): void {
    if (!this.connection.server.capabilities.logging)
      throw new SdkError("CAPABILITY_NOT_SUPPORTED", "to log to the client, declare capabilities: { logging: {} }");
    const target = this.activeContext;
    if (!target?.isLogLevelEnabled(level) || (target.session && !target.session.advertisedCapabilities.logging)) return;
    target
      .notify(NOTIFICATIONS_MESSAGE, { level, data: data ?? null, ...(logger !== undefined && { logger }) })
      .catch((error: unknown) => this.connection.report(error));
  }

  /** Whether the client wants log messages of this level. */
  isLogLevelEnabled(level: LoggingLevel): boolean {
    const { logLevel } = this.sender;
    return logLevel !== undefined && levels.indexOf(level) >= levels.indexOf(logLevel);
  }

  /** The request on whose stream messages of this handler go now: a later one after it was suspended, or none. @internal */
  get activeContext(): ServerContext | undefined {
    return this.suspended ? this.suspended.activeRequest : this;
  }

  override notify(method: string, params?: object): Promise<void> {
    const target = this.activeContext;
    if (target === this) return super.notify(method, params);
    return target ? target.notify(method, params) : Promise.resolve();
  }

  override progress(progress: Progress): void {
    const target = this.activeContext;
    if (target === this) super.progress(progress);
    else target?.progress(progress);
  }

  /** @internal */
  override onLateOutcome(outcome: HandlerOutcome): void {
    this.suspended?.onOutcome(outcome);
  }

  /** @internal */
  override abort(reason: unknown): void {
    super.abort(reason);
    (this.resumes ?? this.suspended)?.abort(reason);
  }

  async #requestInput(key: string, request: InputRequest, options?: CallOptions): Promise<unknown> {
    if (this.session) return sendInputRequest(this, key, request, options);
    const { suspendedCalls } = this.connection.server;
    if (!this.row.alternatives)
      throw new SdkError(
        "CANNOT_ASK",
        `${this.method} may not ask for input; only methods with input_required results may`,
      );
    if (!suspendedCalls)
      throw new SdkError(
        "CANNOT_ASK",
        "suspension is off, so a handler cannot wait for an answer: register `inputRequests` beside the handler, or return inputRequired(...)",
      );
    this.suspended ??= new SuspendedCall(this, suspendedCalls);
    return raceAbort(options?.signal, this.suspended.requestInput(key, request));
  }
}
