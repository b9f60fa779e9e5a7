import { COMPLETION_COMPLETE } from "@mcpwright/protocol/names";
import type { CompleteRequestParams, CompleteResult } from "../authoring.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import { ErrorCode, ProtocolError } from "../jsonrpc/errors.js";
import { ownMember } from "../jsonrpc/guards.js";
import type { ServerContext } from "./contracts.js";

/** Maximum number of values in one result (MCP, completion). */
const maxValues = 100;

/** Suggests values that begin with or resemble the user's input, best match first. */
export type Completer = (
  value: string,
  context: {
    /** Other arguments or variables that already have values. */
    readonly arguments: Readonly<Record<string, string>>;
    readonly request: ServerContext;
  },
) => readonly string[] | Promise<readonly string[]>;

export type Completers = Readonly<Record<string, Completer>>;

type Reference = CompleteRequestParams["ref"];

/** @param find returns the completers of a prompt, resource or template; undefined when it does not exist */
export function completionHandlers(find: (ref: Reference) => Completers | undefined): MethodHandlers {
  return {
    [COMPLETION_COMPLETE]: async ({ ref, argument, context }: CompleteRequestParams, request: ServerContext) => {
      const completers = find(ref);
      if (!completers) {
        const what = ref.type === "ref/prompt" ? `prompt: ${ref.name}` : `resource: ${ref.uri}`;
        throw new ProtocolError(ErrorCode.InvalidParams, `Unknown ${what.slice(0, 200)}`);
      }
      const complete = ownMember(completers, argument.name);
      const values = complete ? await complete(argument.value, { arguments: context?.arguments ?? {}, request }) : [];
      return { completion: { values, total: values.length, hasMore: false } };
    },
  };
}

/** Limits the values of a result to the maximum number. */
export function limitCompletionValues(result: object): object {
  const { completion } = result as Partial<CompleteResult>;
  const { values } = completion ?? {};
  if (!Array.isArray(values) || values.length <= maxValues) return result;
  const first = { total: values.length, ...completion, values: values.slice(0, maxValues) as unknown[], hasMore: true };
  return { ...result, completion: first };
}
