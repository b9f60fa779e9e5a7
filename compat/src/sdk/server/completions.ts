import type { CompleteResult } from "../messages.js";
import { ErrorCode, McpError } from "../errors.js";
import { getCompleter, isCompletable } from "./completable.js";
import type { PromptRegistry } from "./prompt-registry.js";
import type { ResourceRegistry } from "./resource-registry.js";
import { getObjectShape } from "./zod-compat.js";

interface CompleteParams {
  readonly ref: { readonly type: string; readonly name?: string; readonly uri?: string };
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: { arguments?: Record<string, string> };
}

type Completer = (value: never, context: CompleteParams["context"]) => readonly unknown[] | Promise<readonly unknown[]>;

/** Returns suggestions for an argument of a prompt or a variable of a template. */
export async function complete(
  params: CompleteParams,
  prompts: PromptRegistry,
  resources: ResourceRegistry,
): Promise<CompleteResult> {
  const completer = completerOf(params, prompts, resources);
  if (!completer) return { completion: { values: [], hasMore: false } };
  const values = await completer(params.argument.value as never, params.context);
  return {
    completion: { values: values.slice(0, 100) as string[], total: values.length, hasMore: values.length > 100 },
  };
}

function completerOf(
  { ref, argument }: CompleteParams,
  prompts: PromptRegistry,
  resources: ResourceRegistry,
): Completer | undefined {
  if (ref.type === "ref/prompt") {
    const { argsSchema } = prompts.find(ref.name ?? "");
    const schema = getObjectShape(argsSchema)?.[argument.name];
    return isCompletable(schema) ? (getCompleter(schema) as Completer | undefined) : undefined;
  }
  const { uri = "" } = ref;
  const template = Object.values(resources.templates).find(
    ({ resourceTemplate }) => resourceTemplate.uriTemplate.toString() === uri,
  );
  if (template) return template.resourceTemplate.completeCallback(argument.name);
  if (resources.items[uri]) return undefined;
  throw new McpError(ErrorCode.InvalidParams, `Resource template ${uri} not found`);
}
