import { lazyMember } from "../../shared/lazy-member.js";
import { CarriedExtra } from "../../shared/transport-bridge.js";
import type { AuthInfo, Notification, Request, RequestId, RequestMeta } from "../messages.js";
import type { RequestTaskStore } from "../experimental/tasks/task-types.js";
import type { NativeRequest, RequestHandlerExtra } from "./protocol-types.js";
import type { MessageExtraInfo, RequestInfo } from "./transport.js";

export type AnyExtra = RequestHandlerExtra<Request, Notification>;

/** What the transports of both versions know about a message. */
type KnownInfo = MessageExtraInfo & { readonly request?: globalThis.Request };

/** The members that only the protocol knows. */
type ProtocolMembers = Pick<AnyExtra, "sendNotification" | "sendRequest" | "sessionId" | "taskId" | "taskStore">;

const nothing: KnownInfo = {};
const info: unique symbol = Symbol("info");
const request: unique symbol = Symbol("request");

/** What handlers get beside the request. Copies of it have all members, too. */
export class RequestExtra implements AnyExtra {
  declare readonly signal: AbortSignal;
  declare readonly requestInfo: RequestInfo | undefined;
  readonly [request]: NativeRequest;
  readonly [info]: KnownInfo;
  readonly sessionId: string | undefined;
  readonly _meta: RequestMeta | undefined;
  readonly requestId: RequestId;
  readonly sendNotification: AnyExtra["sendNotification"];
  readonly sendRequest: AnyExtra["sendRequest"];
  readonly authInfo: AuthInfo | undefined;
  readonly taskId: string | undefined;
  readonly taskStore: RequestTaskStore | undefined;
  readonly taskRequestedTtl: number | undefined;
  readonly closeSSEStream: (() => void) | undefined;
  readonly closeStandaloneSSEStream: (() => void) | undefined;

  constructor(native: NativeRequest, members: ProtocolMembers) {
    const { params, principal } = native;
    const known: KnownInfo = principal instanceof CarriedExtra ? (principal.extra as object) : nothing;
    const task = params?.["task"] as { readonly ttl?: number } | undefined;
    this[request] = native;
    this[info] = known;
    this.sessionId = members.sessionId;
    this._meta = params?.["_meta"] as RequestMeta | undefined;
    this.requestId = native.requestId;
    this.sendNotification = members.sendNotification;
    this.sendRequest = members.sendRequest;
    this.authInfo = known.authInfo;
    this.taskId = members.taskId;
    this.taskStore = members.taskStore;
    this.taskRequestedTtl = task?.ttl;
    this.closeSSEStream = known.closeSSEStream;
    this.closeStandaloneSSEStream = known.closeStandaloneSSEStream;
    Object.defineProperty(this, "signal", signal);
    if (known === nothing) this.requestInfo = undefined;
    else Object.defineProperty(this, "requestInfo", requestInfo);
  }
}

const signal = lazyMember<RequestExtra>("signal", (extra) => extra[request].signal);
const requestInfo = lazyMember<RequestExtra>("requestInfo", (extra) => requestInfoOf(extra[info]));

function requestInfoOf({ requestInfo: known, request: web }: KnownInfo): RequestInfo | undefined {
  if (known || !web) return known;
  return { headers: Object.fromEntries(web.headers as unknown as Iterable<[string, string]>), url: new URL(web.url) };
}
