import {
  CONTRACT,
  type Extension,
  type ParamsDescriptor,
  type Predicate,
  type RequestDescriptor,
  type ResultDescriptor,
  type Side,
} from "@mcpwright/protocol/contract";
import { SdkError } from "../jsonrpc/errors.js";
import { formatIssues } from "../schema/format-issues.js";
import type { InferInput, StandardResult, StandardTyped } from "../schema/standard-schema.js";

/** The schemas of a request. Without a schema of the params, any are accepted. */
export interface RequestSchemas {
  readonly params?: StandardTyped;
  readonly result: StandardTyped;
}

/** Messages of your own, by method. */
export interface OwnMessages {
  /** Requests that clients send. */
  readonly requests?: Readonly<Record<string, RequestSchemas>>;
  /** The params of notifications that servers send. */
  readonly serverNotifications?: Readonly<Record<string, StandardTyped>>;
  /** The params of notifications that clients send. */
  readonly clientNotifications?: Readonly<Record<string, StandardTyped>>;
}

type ParamsOf<Messages> = {
  -readonly [Method in keyof Messages]: Messages[Method] extends StandardTyped ? InferInput<Messages[Method]> : never;
};

/** The types of messages of your own. */
export interface OwnMessageTypes<Messages extends OwnMessages> {
  readonly clientRequests: {
    -readonly [Method in keyof Messages["requests"]]: {
      params: Messages["requests"][Method] extends { readonly params: infer Params extends StandardTyped }
        ? InferInput<Params>
        : object;
      result: Messages["requests"][Method] extends { readonly result: infer Result extends StandardTyped }
        ? InferInput<Result>
        : never;
    };
  };
  readonly clientNotifications: ParamsOf<NonNullable<Messages["clientNotifications"]>>;
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- no messages
  readonly serverRequests: {};
  readonly serverNotifications: ParamsOf<NonNullable<Messages["serverNotifications"]>>;
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- no results
  readonly alternatives: {};
  readonly clientSettings: object;
  readonly serverSettings: object;
}

/**
 * Adds methods that the protocol does not have to a server and to its clients, in every revision. Pass the value as an extension to both.
 * Params and results are checked with the schemas, which must be synchronous. Handlers and callers get the values as they were sent, so
 * defaults and transformations of the schemas do not apply.
 *
 * Peers do not declare these methods: a peer that lacks one responds with -32601. For methods that both sides declare, and that other
 * implementations should know, generate an extension with `mcpwright generate --extension`.
 * @param messages the schemas by method: of zod, valibot, arktype or any other library with Standard Schema. Begin methods with a name of
 * yours, such as `acme/search`
 * @throws SdkError `INVALID_CONFIGURATION` when a schema is missing; the constructors of servers and clients throw it when their revisions
 * already have a method
 * @example
 * ```ts
 * const search = defineMethods({
 *   requests: { "acme/search": { params: z.object({ query: z.string() }), result: z.object({ items: z.array(z.string()) }) } },
 * });
 * const server = new Server(info, { extensions: [search] });
 * server.handle({ "acme/search": ({ query }) => ({ items: [query] }) });
 * const client = new Client(info, { extensions: [search] });
 * const { items } = await client.request("acme/search", { query: "tea" });
 * ```
 */
export function defineMethods<const Messages extends OwnMessages>(
  messages: Messages,
): Extension<OwnMessageTypes<Messages>> {
  const { requests = {}, serverNotifications = {}, clientNotifications = {} } = messages;
  const rows = {
    requests: mapped(requests, ({ params }, method): RequestDescriptor => paramsRow(method, params)),
    results: mapped(requests, ({ result }, method): ResultDescriptor => ({
      capability: null,
      result: accepts(checkOf(result, `the result of ${method}`)),
    })),
    toClient: mapped(serverNotifications, (params, method): ParamsDescriptor => paramsRow(method, params)),
    toServer: mapped(clientNotifications, (params, method): ParamsDescriptor => paramsRow(method, params)),
  };
  const none = { settings: () => true };
  return {
    contract: CONTRACT,
    id: "",
    revisions: [],
    client: none,
    server: none,
    alternatives: {},
    filters: {},
    layerOver: (sides, toError) =>
      sides.map((side) => {
        const { receives, sends, role } = side;
        const [received, sent] = role === "server" ? [rows.toServer, rows.toClient] : [rows.toClient, rows.toServer];
        const add = <Row>(known: Readonly<Record<string, Row>>, own: Readonly<Record<string, Row>>) => {
          const twice = Object.keys(own).find((method) => Object.hasOwn(known, method));
          if (twice !== undefined)
            throw toError(`${side.revision} already has ${twice}; give your method another name`);
          return { ...known, ...own };
        };
        return {
          ...side,
          base: side.base ?? side,
          receives: {
            ...receives,
            requests: role === "server" ? add(receives.requests, rows.requests) : receives.requests,
            results: role === "client" ? add(receives.results, rows.results) : receives.results,
            notifications: add(receives.notifications, received),
          },
          sends: { notifications: add(sends.notifications, sent) },
        } satisfies Side;
      }),
  };
}

function mapped<From, To>(
  from: Readonly<Record<string, From>>,
  to: (value: From, method: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(from).map(([method, value]) => [method, to(value, method)]));
}

/** The reason why a value is not valid, if it is not. */
type Check = (value: unknown) => string | undefined;

function paramsRow(method: string, schema: StandardTyped | undefined): ParamsDescriptor {
  const row = { capability: null, params: null, paramsOptional: true };
  if (schema === undefined) return row;
  const check = checkOf(schema, `the params of ${method}`);
  return {
    ...row,
    refuse: (_peer, params) => {
      const problem = check(withoutProtocol(params ?? {}));
      return problem === undefined ? undefined : { problem: `Invalid params of ${method}: ${problem}` };
    },
  };
}

function accepts(check: Check): Predicate {
  return (value) => typeof value === "object" && value !== null && check(withoutProtocol(value)) === undefined;
}

/** A message without the members of the protocol, which schemas of your own do not know. */
function withoutProtocol(message: object): object {
  const {
    _meta,
    resultType: _resultType,
    ...own
  } = message as { readonly _meta?: unknown; readonly resultType?: unknown };
  return own;
}

function checkOf(schema: StandardTyped, what: string): Check {
  const { "~standard": standard } = Object(schema) as { readonly "~standard"?: { readonly validate?: unknown } };
  const validate = standard?.validate;
  if (typeof validate !== "function")
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `defineMethods: ${what} need a Standard Schema, such as z.object({ … })`,
    );
  return (value) => {
    const found = validate.call(standard, value) as StandardResult | Promise<StandardResult>;
    if ("then" in found) return "the schema is not synchronous";
    return found.issues && formatIssues(found.issues);
  };
}
