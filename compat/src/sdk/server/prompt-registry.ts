import { ZodOptional as ZodOptional4 } from "zod/v4";
import type { GetPromptResult, ListPromptsResult } from "../messages.js";
import { ErrorCode, McpError } from "../errors.js";
import { isCompletable } from "./completable.js";
import type { Extra, PromptCallback, RegisteredPrompt } from "./mcp-types.js";
import { type Items, registerItem } from "./registry.js";
import { parseOrThrow } from "./tool-schemas.js";
import {
  getObjectShape,
  getSchemaDescription,
  isSchemaOptional,
  objectFromShape,
  type ZodRawShapeCompat,
} from "./zod-compat.js";

type Callback = (...args: readonly unknown[]) => GetPromptResult | Promise<GetPromptResult>;

/** The prompts of a server. */
export class PromptRegistry {
  readonly items: Items<RegisteredPrompt> = {};

  constructor(readonly changed: () => void) {}

  /** @throws Error when there is a prompt of this name */
  assertFree(name: string): void {
    if (this.items[name]) throw new Error(`Prompt ${name} is already registered`);
  }

  register(
    name: string,
    config: {
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly argsSchema?: ZodRawShapeCompat | undefined;
    },
    callback: unknown,
  ): RegisteredPrompt {
    const { title, description, argsSchema } = config;
    const item = {
      title,
      description,
      argsSchema: argsSchema && objectFromShape(argsSchema),
      callback: callback as PromptCallback<undefined | ZodRawShapeCompat>,
    };
    const targets = {
      title: "title",
      description: "description",
      argsSchema: (shape: ZodRawShapeCompat) => ({ argsSchema: objectFromShape(shape) }),
      callback: "callback",
    };
    return registerItem(this.items as never, name, item, "name", targets, this.changed) as RegisteredPrompt;
  }

  list(): ListPromptsResult {
    const enabled = Object.entries(this.items).filter(([, prompt]) => prompt.enabled);
    const prompts = enabled.map(([name, { title, description, argsSchema }]) => ({
      name,
      title,
      description,
      arguments: argsSchema && argumentsOf(getObjectShape(argsSchema) ?? {}),
    }));
    return { prompts } as ListPromptsResult;
  }

  /** @throws McpError when there is no enabled prompt of this name */
  find(name: string): RegisteredPrompt {
    const prompt = Object.hasOwn(this.items, name) ? this.items[name] : undefined;
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `Prompt ${name} not found`);
    if (!prompt.enabled) throw new McpError(ErrorCode.InvalidParams, `Prompt ${name} disabled`);
    return prompt;
  }

  async get(params: { readonly name: string; readonly arguments?: unknown }, extra: Extra): Promise<GetPromptResult> {
    const { name } = params;
    const { argsSchema, callback } = this.find(name);
    const call = callback as unknown as Callback;
    if (!argsSchema) return call(extra);
    const args = await parseOrThrow(argsSchema, params.arguments ?? {}, `Invalid arguments for prompt ${name}`);
    return call(args, extra);
  }
}

function argumentsOf(shape: ZodRawShapeCompat): object[] {
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    description: getSchemaDescription(schema),
    required: !isSchemaOptional(schema),
  }));
}

/** Whether an argument of a prompt has suggestions. */
export function hasCompletable(shape: ZodRawShapeCompat | undefined): boolean {
  return Object.values(shape ?? {}).some((schema) =>
    isCompletable(schema instanceof ZodOptional4 ? schema.unwrap() : schema),
  );
}
