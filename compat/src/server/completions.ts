import { ProtocolError, ProtocolErrorCode } from "../shared/errors.js";
import type { CompleteRequest, CompleteResult } from "../types/index.js";
import { completersOf } from "./completable.js";
import type { Prompts } from "./prompts.js";
import type { Resources } from "./resources.js";

const none: CompleteResult = { completion: { values: [], hasMore: false } };

/** Suggests values for an argument of a prompt or a variable of a template. */
export async function complete(
  { params }: CompleteRequest,
  prompts: Prompts,
  resources: Resources,
): Promise<CompleteResult> {
  const { ref, argument } = params;
  const context = params.context as { arguments?: Record<string, string> } | undefined;
  if (ref.type === "ref/prompt") {
    const prompt = prompts.byName.get(ref.name);
    if (!prompt) throw invalid(`Prompt ${ref.name} not found`);
    if (!prompt.enabled) throw invalid(`Prompt ${ref.name} disabled`);
    const completer = completersOf(prompt.argsSchema)[argument.name];
    return completer ? suggestions(await completer(argument.value, context)) : none;
  }
  const template = [...resources.templates.values()].find(
    ({ resourceTemplate }) => resourceTemplate.uriTemplate.toString() === ref.uri,
  );
  if (!template) {
    if (resources.byUri.has(ref.uri)) return none;
    throw invalid(`Resource template ${ref.uri} not found`);
  }
  const completer = template.resourceTemplate.completeCallback(argument.name);
  return completer ? suggestions(await completer(argument.value, context)) : none;
}

function suggestions(values: readonly unknown[]): CompleteResult {
  const total = values.length;
  return { completion: { values: values.slice(0, 100).map(String), total, hasMore: total > 100 } };
}

function invalid(problem: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, problem);
}
