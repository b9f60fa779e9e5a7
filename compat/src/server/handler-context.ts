import type { ServerContext as NativeContext } from "@mcpwright/runtime/server";
import { META_LOG_LEVEL, META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import type { RequestStateAccessor, ServerContext } from "../shared/contexts.js";
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode, toOfficialError } from "../shared/errors.js";
import type {
  ElicitResult,
  LoggingLevel,
  MessageExtraInfo,
  MetaObject,
  RequestId,
  RequestMeta,
} from "../types/index.js";
import { reachesLevel } from "../shared/log-levels.js";
import { type RequestOptions, toCallOptions } from "../shared/request-options.js";
import { CarriedExtra } from "../shared/transport-bridge.js";

interface Message {
  readonly method: string;
  readonly params?: object | undefined;
}

/** What contexts need of their server. */
export interface ContextOwner {
  readonly hasLogging: () => boolean;
  /** Sends a request on behalf of another one; `rest` are a schema and options. */
  readonly send: (native: NativeContext, request: Message, rest: readonly unknown[]) => Promise<unknown>;
  readonly notify: (native: NativeContext, notification: Message) => Promise<void>;
}

type HandledRequest = ServerContext["mcpReq"];

/** The context of a handler, over that of the runtime. Members are created when they are read. */
export class HandlerContext implements ServerContext {
  #request: HandledRequest | undefined;

  /** @param method that of the request, if the runtime has another one */
  constructor(
    readonly native: NativeContext,
    readonly owner: ContextOwner,
    readonly method: string = native.method,
  ) {}

  get sessionId(): string | undefined {
    return (this.native.connection as unknown as { readonly transport: { readonly sessionId?: string } }).transport
      .sessionId;
  }

  get mcpReq(): HandledRequest {
    return (this.#request ??= new RequestView(this.native, this.owner, this.method));
  }

  get http(): ServerContext["http"] {
    const extra = carriedExtra(this.native);
    if (!extra) return undefined;
    const { request, authInfo, closeSSEStream, closeStandaloneSSEStream } = extra;
    if (!request && !authInfo && !closeSSEStream && !closeStandaloneSSEStream) return undefined;
    return { authInfo, req: request, closeSSE: closeSSEStream, closeStandaloneSSE: closeStandaloneSSEStream };
  }
}

function carriedExtra(native: NativeContext): MessageExtraInfo | undefined {
  const { principal } = native;
  return principal instanceof CarriedExtra ? principal.extra : undefined;
}

const reserved = "io.modelcontextprotocol/";

class RequestView implements HandledRequest {
  readonly #native: NativeContext;
  readonly #owner: ContextOwner;
  /** What the option `requestState.verify` has returned. */
  verified: { readonly value: unknown } | undefined;

  constructor(
    native: NativeContext,
    owner: ContextOwner,
    readonly method: string,
  ) {
    this.#native = native;
    this.#owner = owner;
  }

  get id(): RequestId {
    return this.#native.requestId;
  }

  get _meta(): RequestMeta | undefined {
    const { params } = this.#native;
    const meta = params?._meta;
    if (!meta || this.#native.session) return meta;
    return Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith(reserved)));
  }

  get envelope(): MetaObject | undefined {
    const meta = this.#native.params?._meta;
    if (meta?.[META_PROTOCOL_VERSION] === undefined) return undefined;
    return Object.fromEntries(Object.entries(meta).filter(([key]) => key.startsWith(reserved)));
  }

  get inputResponses(): Record<string, unknown> | undefined {
    const { inputResponses, params } = this.#native;
    return inputResponses ?? (params?.["inputResponses"] as Record<string, unknown> | undefined);
  }

  get requestState(): RequestStateAccessor {
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature of the official SDK
    return <T>() => (this.verified ? this.verified.value : this.#native.requestState) as T | undefined;
  }

  get signal(): AbortSignal {
    return this.#native.signal;
  }

  get send(): HandledRequest["send"] {
    const send = (request: { method: string; params?: object }, ...rest: unknown[]): Promise<unknown> =>
      this.#owner.send(this.#native, request, rest);
    return send as HandledRequest["send"];
  }

  get notify(): HandledRequest["notify"] {
    return (notification) => this.#owner.notify(this.#native, notification);
  }

  get log(): HandledRequest["log"] {
    return (level, data, logger) => {
      const native = this.#native;
      if (!this.#owner.hasLogging()) return Promise.resolve();
      const least = native.session ? native.session.logLevel : native._meta[META_LOG_LEVEL];
      if (least === undefined || !reachesLevel(level, least as LoggingLevel)) return Promise.resolve();
      const params = { level, data, ...(logger !== undefined && { logger }) };
      return this.#owner.notify(native, { method: "notifications/message", params });
    };
  }

  get elicitInput(): HandledRequest["elicitInput"] {
    return (params, options) => elicit(this.#native, params, options);
  }

  get requestSampling(): HandledRequest["requestSampling"] {
    return async (params, options) => {
      const native = this.#native;
      assertPush(native, "sampling/createMessage");
      try {
        return (await native.sample("sampling", params as never, inputOptions(options))) as never;
      } catch (error) {
        throw toOfficialError(error);
      }
    };
  }
}

/** Whether the client has a session: requests of the others describe it. */
export function isSession(context: ServerContext): boolean {
  return !(context instanceof HandlerContext) || context.native.session !== undefined;
}

/** Sets what handlers get as the state of the request. */
export function setVerifiedState(context: HandlerContext, value: unknown): void {
  (context.mcpReq as RequestView).verified = { value };
}

async function elicit(
  native: NativeContext,
  params: Parameters<HandledRequest["elicitInput"]>[0],
  options: RequestOptions | undefined,
): Promise<ElicitResult> {
  assertPush(native, "elicitation/create");
  const mode = params.mode ?? "form";
  const { elicitation } = native.client.capabilities as { elicitation?: { form?: unknown; url?: unknown } };
  // A client that names no mode has forms.
  const isSupported =
    elicitation && (elicitation[mode] !== undefined || (mode === "form" && elicitation.url === undefined));
  if (!isSupported)
    throw new SdkError(SdkErrorCode.CapabilityNotSupported, `Client does not support ${mode} elicitation.`);
  try {
    return (await native.elicit("elicitation", { ...params, mode } as never, inputOptions(options))) as ElicitResult;
  } catch (error) {
    const known = toOfficialError(error);
    if (known instanceof SdkError && isInvalidResult(known))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Elicitation response content does not match requested schema: ${known.message}`,
      );
    throw known;
  }
}

function isInvalidResult({ code }: SdkError): boolean {
  return code === SdkErrorCode.InvalidResult;
}

function inputOptions(options: RequestOptions | undefined): object {
  const { relatedRequestId: _relatedTo, ...known } = toCallOptions(options);
  return known;
}

/** @throws SdkError when the client of this request accepts no requests */
export function assertPush({ session, client }: NativeContext, method: string): void {
  if (session) return;
  throw new SdkError(
    SdkErrorCode.MethodNotSupportedByProtocolVersion,
    `Server-to-client requests are not available on protocol revision ${client.side.revision}: '${method}' cannot be sent while serving a request on that revision. Return inputRequired({ ... }) from the handler instead`,
    { method, era: client.side.revision },
  );
}
