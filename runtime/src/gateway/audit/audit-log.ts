import {
  COMPLETION_COMPLETE,
  PROMPTS_GET,
  RESOURCES_READ,
  TASKS_CANCEL,
  TASKS_GET,
  TASKS_UPDATE,
  TOOLS_CALL,
} from "@mcpwright/protocol/names";
import { isInputRequired } from "../../input-requests/input-required.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import { ErrorCode, McpError } from "../../jsonrpc/errors.js";
import type { Params } from "../../jsonrpc/message-types.js";
import type { ServerContext } from "../../server/contracts.js";
import { type AuditOptions, createAuditLog } from "./audit-line.js";
import type { AuditClient, AuditOutcome, AuditRecord, AuditSink } from "./audit-record.js";
import type { GatewayAudit } from "./gateway-audit.js";

/** What a request of a method concerns. */
type ItemOf = (params: Params) => unknown;

const nameOf: ItemOf = ({ name }) => name;

/** The methods of which the log has a line for each request. */
const items: ReadonlyMap<string, ItemOf> = /* @__PURE__ */ new Map<string, ItemOf>([
  [TOOLS_CALL, nameOf],
  [PROMPTS_GET, nameOf],
  [RESOURCES_READ, ({ uri }) => uri],
  [COMPLETION_COMPLETE, ({ ref }) => (ref as Params | undefined)?.["name"] ?? (ref as Params | undefined)?.["uri"]],
  // The id of a task is not logged: a reader of the log could use the task with it.
  ...[TASKS_GET, TASKS_UPDATE, TASKS_CANCEL].map((method) => [method, () => undefined] as const),
]);

/**
 * Writes an audit log of a gateway, for its option `audit`: a line of JSON for each call of a tool, prompt, read, completion, and request
 * about a task. It says who asked for what, when, how long it took, and how it ended. It contains no
 * tokens and no ids of sessions; arguments only by the option `arguments`, with secrets redacted.
 *
 * A line is written when the outcome is known, before the client gets it. An error of `write` is reported to `onerror`, and does not
 * affect the request.
 * @param write receives each line, without a line break
 * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid
 * @example
 * ```ts
 * const gateway = createGateway({ servers, audit: auditLog((line) => appendFileSync("audit.jsonl", `${line}\n`)) });
 * ```
 */
export function auditLog(write: AuditSink, options: AuditOptions = {}): GatewayAudit {
  const record = createAuditLog(write, options);
  return {
    attachGateway(report) {
      const servers = new WeakMap<ServerContext, string>();
      const sessions = new SessionNames();
      let isFailing = false;
      const add = (entry: AuditRecord): void => {
        try {
          record(entry);
          isFailing = false;
        } catch (error) {
          // Once, and not for each request while a disk is full.
          if (!isFailing)
            report(new Error(`the audit log cannot be written: ${toError(error).message}`, { cause: error }));
          isFailing = true;
        }
      };
      /** @param since when it arrived, by `performance.now()` */
      const end = (context: ServerContext, since: number, outcome: AuditOutcome): void => {
        const { method, params = {} } = context;
        const item = items.get(method)?.(params);
        const durationMs = performance.now() - since;
        add({
          time: Date.now() - durationMs,
          client: { session: sessions.nameOf(context), ...clientOf(context) },
          server: servers.get(context),
          method,
          item: typeof item === "string" ? item : undefined,
          durationMs,
          outcome,
          arguments: params["arguments"] ?? params["argument"],
        });
      };
      return {
        routed: (context, server) => void servers.set(context, server),
        refused: (context, error) => end(context, performance.now(), failureOf(error, context)),
        async middleware(context, next) {
          if (!items.has(context.method)) return next();
          const since = performance.now();
          try {
            const result = await next();
            end(context, since, outcomeOf(result));
            return result;
          } catch (error) {
            end(context, since, failureOf(error, context));
            throw error;
          }
        },
      };
    },
  };
}

function clientOf({ extra, client }: ServerContext): AuditClient {
  // Not the member `principal`, which would make the result one that must not be cached for others.
  return { principal: extra?.principal, name: client.info?.name };
}

function outcomeOf(result: unknown): AuditOutcome {
  const { isError } = Object(result) as { readonly isError?: unknown };
  if (isError === true) return { kind: "tool-error" };
  return { kind: isInputRequired(result) ? "input-required" : "ok" };
}

function failureOf(error: unknown, { done }: ServerContext): AuditOutcome {
  // A request with an error is not done yet, unless the client has cancelled it.
  if (done) return { kind: "cancelled" };
  if (!(error instanceof McpError)) return { kind: "error", code: ErrorCode.InternalError };
  const { reason } = Object(error.data) as { readonly reason?: unknown };
  return reason === "REQUEST_TIMEOUT" ? { kind: "timeout" } : { kind: "error", code: error.code };
}

/** Numbers the sessions: their ids must not be in the log. */
class SessionNames {
  readonly #names = new WeakMap<object, string>();
  #last = 0;

  /** Undefined for clients without a session, whose requests share no connection. */
  nameOf({ session, connection, http }: ServerContext): string | undefined {
    const key = session ?? (http ? undefined : connection);
    if (!key) return undefined;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = String(++this.#last);
    this.#names.set(key, name);
    return name;
  }
}
