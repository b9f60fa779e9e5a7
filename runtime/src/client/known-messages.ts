import type { Extension, Side } from "@mcpwright/protocol/contract";
import type { ClientRequests } from "../authoring.js";
import type { AddedResults, HasOwnMessages, KnownMessages } from "../connection/known-messages.js";
import type { ParamsInput } from "../connection/params-input.js";
import type { ServerNotificationMap } from "./client-options.js";

interface KnownRequest {
  readonly params: unknown;
  readonly result: unknown;
}

/**
 * Params and result of each request that a client can send, by method. Results of methods that this package has types for are converted
 * to these types.
 */
export type KnownRequests<Sides extends readonly Side[], Extensions extends readonly Extension[]> =
  HasOwnMessages<Sides, Extensions> extends true
    ? Converted<KnownMessages<"clientRequests", Sides, Extensions>>
    : ClientRequests;

type Converted<Requests> = {
  [Method in keyof Requests]: Method extends keyof ClientRequests
    ? { params: ParamsOf<Requests[Method]>; result: ClientRequests[Method]["result"] }
    : Requests[Method];
};

/** The params of each notification that a client can receive, by method. */
export type KnownNotifications<Sides extends readonly Side[], Extensions extends readonly Extension[]> =
  HasOwnMessages<Sides, Extensions> extends true
    ? KnownMessages<"serverNotifications", Sides, Extensions>
    : ServerNotificationMap;

/** The arguments of `request` after the method. Params that have no required members can be omitted. */
export type RequestArguments<Request, Options> =
  ParamsOf<Request> extends infer Params
    ? object extends ParamsInput<NonNullable<Params>>
      ? [params?: ParamsInput<NonNullable<Params>>, options?: Options]
      : [params: ParamsInput<Params>, options?: Options]
    : never;

/** The result of `request`: without `input_required` results, which the client answers, and with those that extensions add. */
export type RequestOutcome<Request, Extensions extends readonly Extension[], Method> =
  Exclude<ResultOf<Request>, { readonly resultType: "input_required" }> | AddedResults<Extensions, Method>;

type ParamsOf<Request> = Request extends Pick<KnownRequest, "params"> ? Request["params"] : never;
type ResultOf<Request> = Request extends Pick<KnownRequest, "result"> ? Request["result"] : never;
