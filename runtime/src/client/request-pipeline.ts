import type { ResultDescriptor, Side } from "@mcpwright/protocol/contract";
import { InvalidResultError, readResult } from "@mcpwright/protocol/support";
import type { InputRequiredResult } from "../authoring.js";
import { applyTolerances } from "../connection/apply-tolerances.js";
import type { CallOptions } from "../connection/call-options.js";
import { invalidResultError, readTolerantResult } from "../connection/read-tolerant-result.js";
import { isSdkError } from "../jsonrpc/error-conversion.js";
import { ErrorCode, RemoteError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { raceAbort } from "../timing/race-abort.js";
import type { ClientConnection } from "./client-connection.js";
import { completeUrlElicitations } from "./handshake/url-elicitation.js";
import { withElicitations } from "./handshake/url-elicitation-required.js";
import { supportedVersionsIn } from "./negotiation-errors.js";
import type { NegotiationResult } from "./negotiation-result.js";
import { outdatedLists } from "./outdated-lists.js";
import type { RequestPipelineOptions } from "./request-pipeline-options.js";
import { toCallerError } from "./resource-not-found.js";
import type { CacheKey } from "./response-cache.js";
import type { SendOptions } from "./send-options.js";
import { resolveInputRequests } from "./stateless/input-requests.js";
import { isUnknownRequestError } from "./stateless/negotiate.js";

type Result = Record<string, unknown>;

/** Sends requests, and returns checked results in one shape for all revisions. */
export class RequestPipeline {
  constructor(
    readonly connection: ClientConnection,
    readonly options: RequestPipelineOptions,
  ) {}

  /**
   * @param isRepeated whether the request was sent before, in a session that is lost
   * @throws SdkError when the request cannot be sent, gets no response, or gets an invalid result
   * @throws RemoteError when the server responds with an error
   */
  async send(
    method: string,
    params: object | undefined,
    options: SendOptions = {},
    isRepeated = false,
  ): Promise<unknown> {
    const { connection } = this;
    const { negotiated } = connection;
    const row = connection.resultRow(method);
    const { cache } = this.options;
    const { cacheMode = "use" } = options;
    const isCacheable = cache && row.cacheable && !isRetry(params) && cacheMode !== "bypass";
    const key = isCacheable ? await raceAbort(options.signal, this.#cacheKey(method, params)) : undefined;
    const cached = key && cacheMode === "use" && cache?.get(key);
    if (cached) return cached;
    const generation = cache?.generation ?? 0;
    // Reading the clock costs more than the comparison.
    const startedAt = options.maxTotalMs === undefined ? undefined : performance.now();
    let result: Result;
    try {
      result = this.read(row, method, params, await connection.request(method, params, options), options.isRaw);
    } catch (error) {
      result = await this.#retry(error, negotiated, method, params, options, startedAt, isRepeated).catch(
        (failure: unknown) => {
          for (const list of outdatedLists(method, failure)) cache?.invalidateMethod(this.options.cacheKey, list);
          throw toCallerError(withElicitations(failure), method, params);
        },
      );
    }
    if (result["resultType"] !== "input_required") {
      // If the token has changed in the meantime, it is unknown which principal a private result belongs to.
      if (
        key &&
        !row.isAdded?.(result) &&
        (result["cacheScope"] === "public" || key.principal === (await this.#cacheKey(method, params))?.principal)
      )
        cache?.set(key, result, result, generation);
      return result;
    }
    if (options.allowInputRequired) return result;
    return resolveInputRequests(
      connection,
      this.options,
      method,
      params,
      options,
      startedAt ?? performance.now(),
      result as InputRequiredResult,
      (next, remaining) => this.send(method, next, { ...remaining, allowInputRequired: true }) as Promise<Result>,
    );
  }

  async #cacheKey(method: string, params: object | undefined): Promise<CacheKey | undefined> {
    const { cacheKey: server, principal } = this.options;
    const { side, transport } = this.connection;
    try {
      let identity = transport.cacheIdentity?.();
      // If a user has to sign in first, let the request wait for it: the request has a time-out.
      if (isPromiseLike(identity)) identity = await raceAbort(AbortSignal.timeout(1_000), identity);
      return { server, method, revision: side.revision, params, principal: JSON.stringify([principal, identity]) };
    } catch {
      // The request itself will fail with the reason.
      return undefined;
    }
  }

  /**
   * @param negotiatedBefore the negotiation result when the request was sent
   * @param startedAt when the request was sent, by `performance.now()`; required if the call has a `maxTotalMs`
   */
  async #retry(
    error: unknown,
    negotiatedBefore: NegotiationResult | undefined,
    method: string,
    params: object | undefined,
    options: SendOptions,
    startedAt: number | undefined,
    isRepeated: boolean,
  ): Promise<Result> {
    const { connection } = this;
    // `maxTotalMs` covers the whole call.
    const { maxTotalMs = Infinity } = options;
    const remaining = (): SendOptions => {
      if (startedAt === undefined) return options;
      const left = startedAt + maxTotalMs - performance.now();
      if (left <= 0) throw error;
      return { ...options, maxTotalMs: left };
    };
    if (isSdkError(error, "SESSION_LOST")) {
      // The request may have been carried out.
      const isLost = !isRepeated && this.#isRepeatable(method, params);
      const next = isLost ? await this.options.whenReconnected(options.signal) : undefined;
      if (!next || next === this) throw error;
      return next.send(method, params, remaining(), true) as Promise<Result>;
    }
    if (!isSdkError(error, "RESPONSE_LOST") || !this.#isRepeatable(method, params)) {
      const clearing = negotiatedBefore && this.#isResolved(error, negotiatedBefore.side, method, options, startedAt);
      if (!clearing || !(await raceAbort(options.signal, clearing))) throw error;
    }
    const row = connection.resultRow(method);
    return this.read(row, method, params, await connection.request(method, params, remaining()), options.isRaw);
  }

  #isRepeatable(method: string, params: object | undefined): boolean {
    return !isRetry(params) && this.options.repeatable.includes(this.connection.resultRow(method), method, params);
  }

  /** Removes the cause of an error, if possible. Returns whether the request can be repeated. */
  async #isResolved(
    error: unknown,
    side: Side,
    method: string,
    call: CallOptions,
    startedAt: number | undefined,
  ): Promise<boolean> {
    const { connection, options } = this;
    const { revision, profile } = side;
    const { opening, unsupportedVersionCode, urlCompletion } = profile;
    const { urlElicitations, requestHandlers } = options;
    if (opening === "stateless" && isUnknownRequestError(error)) {
      if (connection.negotiated?.side === side) await options.renegotiate();
      // If the server still has the same revision, it understood the request, and may have carried it out.
      return connection.negotiated?.side !== side;
    }
    if (!(error instanceof RemoteError)) return false;
    if (opening === "stateless") {
      if (error.code === ErrorCode.HeaderMismatch) return options.refreshHeaders(method);
      // Servers of the handshake era have another code for this error.
      const isUnserved = supportedVersionsIn(error)?.includes(revision) === false;
      if (error.code !== unsupportedVersionCode && !isUnserved) return false;
      // Another call may have negotiated again in the meantime.
      return connection.negotiated?.side !== side || options.renegotiate();
    }
    return (
      urlCompletion &&
      urlElicitations !== undefined &&
      completeUrlElicitations(connection, error, urlElicitations, requestHandlers, method, call, startedAt)
    );
  }

  /**
   * Checks a result, and converts it to the newest revision.
   * @param isRaw whether it keeps the form of the revision in use
   * @throws SdkError `INVALID_RESULT`
   * @internal
   */
  read(row: ResultDescriptor, method: string, params: object | undefined, answer: unknown, isRaw?: true): Result {
    const { connection } = this;
    const { side } = connection;
    try {
      const result = readTolerantResult(method, row, side, params, answer);
      return isRaw ? result : this.#convert(row, method, result);
    } catch (error) {
      if (!(error instanceof InvalidResultError)) throw error;
      const rest = this.#withoutInvalid(row, method, params, applyTolerances(answer, row, side.receives));
      if (rest) return this.#convert(row, method, rest);
      throw invalidResultError(error, connection.explain(side, error.rejected?.predicate, error.rejected?.value));
    }
  }

  /** Converts a result to the newest revision; an alternative that only its own revision has is returned unchanged. */
  #convert({ alternative, isAdded }: ResultDescriptor, method: string, result: Result): Result {
    if ((alternative && result[alternative.member] !== undefined) || isAdded?.(result)) return result;
    return this.options.resultConverter.convert(this.connection.side, method, result) as Result;
  }

  /** Drops the invalid items of a list, so that one of them does not fail the whole list. */
  #withoutInvalid(
    row: ResultDescriptor,
    method: string,
    params: object | undefined,
    answer: unknown,
  ): Result | undefined {
    const { item, pages } = row;
    const items = isObject(answer) && pages !== undefined ? answer[pages] : undefined;
    if (!item || pages === undefined || !Array.isArray(items)) return undefined;
    const { side } = this.connection;
    let rest: Result;
    try {
      const valid = { ...(answer as Result), [pages]: items.filter(item) };
      rest = readResult(method, row, side.receives.resultTag, params, valid) as Result;
    } catch {
      return undefined;
    }
    const { onInvalidItem } = this.options;
    for (const one of onInvalidItem ? items : []) {
      if (item(one)) continue;
      const problem = this.connection.explain(side, item, one) ?? { text: "it does not match the schema", issues: [] };
      this.connection.callHook(() => onInvalidItem?.(one, method, problem));
    }
    return rest;
  }
}

/** Whether a request contains responses to input requests: its result must not be cached, and its state works once. */
function isRetry(params: object | undefined): boolean {
  const { requestState, inputResponses } = (params ?? {}) as Record<string, unknown>;
  return requestState !== undefined || inputResponses !== undefined;
}
