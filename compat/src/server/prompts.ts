import { ProtocolError, ProtocolErrorCode } from "../shared/errors.js";
import type { GetPromptResult, InputRequiredResult, Prompt } from "../types/index.js";
import { issuesText, type StandardSchemaWithJSON, toJsonSchema, toSchema } from "../shared/standard-schema.js";
import { Items, withoutUndefined } from "./items.js";
import type { PromptCallback, RegisteredPrompt } from "./registered.js";
import type { Server } from "./server.js";

/** A prompt as `registerPrompt` gets it. */
export interface PromptDefinition extends Pick<
  RegisteredPrompt,
  "title" | "description" | "icons" | "scopeChallenge" | "_meta"
> {
  readonly argsSchema?: unknown;
}

type AnyCallback = PromptCallback<StandardSchemaWithJSON | undefined>;

/** The prompts of a server, and the handlers of the two methods about them. */
export class Prompts {
  readonly #items: Items<RegisteredPrompt>;

  constructor(changed: () => void) {
    this.#items = new Items(changed);
  }

  get byName(): ReadonlyMap<string, RegisteredPrompt> {
    return this.#items.byKey;
  }

  install(server: Server): void {
    server.assertCanSetRequestHandler("prompts/list");
    server.assertCanSetRequestHandler("prompts/get");
    server.setRequestHandler("prompts/list", () => ({
      prompts: this.#items.enabled().map(([name, prompt]) => {
        const { title, description, icons, _meta, argsSchema } = prompt;
        const args = argsSchema && argumentsOf(argsSchema);
        return withoutUndefined({ name, title, description, arguments: args, icons, _meta }) as unknown as Prompt;
      }),
    }));
    server.setRequestHandler("prompts/get", async ({ params }, ctx) => {
      const { name } = params;
      const prompt = this.#items.byKey.get(name);
      if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`);
      if (!prompt.enabled) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} disabled`);
      return prompt.handler(params.arguments, ctx);
    });
  }

  /** @throws Error when the name is already registered */
  add(name: string, definition: PromptDefinition, given: AnyCallback): RegisteredPrompt {
    if (this.#items.byKey.has(name)) throw new Error(`Prompt ${name} is already registered`);
    const { title, description, icons, scopeChallenge, _meta } = definition;
    const argsSchema = toSchema(definition.argsSchema);
    let key = name;
    let callback = given;
    const prompt: RegisteredPrompt = {
      title,
      description,
      argsSchema,
      icons,
      scopeChallenge,
      _meta,
      handler: handlerOf(name, argsSchema, callback),
      enabled: true,
      enable: () => prompt.update({ enabled: true }),
      disable: () => prompt.update({ enabled: false }),
      remove: () => prompt.update({ name: null }),
      update: ({ name: next, callback: other, scopeChallenge: challenge, ...members }) => {
        key = this.#items.move(prompt, key, next);
        this.#items.assign(prompt, members);
        if (challenge !== undefined) prompt.scopeChallenge = challenge ?? undefined;
        if (other) callback = other;
        if (other ?? members.argsSchema) prompt.handler = handlerOf(key, prompt.argsSchema, callback);
        this.#items.changed();
      },
    };
    this.#items.byKey.set(name, prompt);
    this.#items.changed();
    return prompt;
  }
}

function argumentsOf(schema: StandardSchemaWithJSON): Prompt["arguments"] {
  const { properties = {}, required = [] } = toJsonSchema(schema, "input") as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description }]) => ({
    name,
    ...(description !== undefined && { description }),
    required: required.includes(name),
  }));
}

function handlerOf(
  name: string,
  schema: StandardSchemaWithJSON | undefined,
  callback: AnyCallback,
): RegisteredPrompt["handler"] {
  const run = callback as (...args: unknown[]) => GetPromptResult | InputRequiredResult;
  if (!schema) return (_args, ctx) => Promise.resolve().then(() => run(ctx));
  return async (args, ctx) => {
    const checked = await schema["~standard"].validate(args);
    if (!checked.issues) return run(checked.value, ctx);
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Invalid arguments for prompt ${name}: ${issuesText(checked.issues)}`,
    );
  };
}
