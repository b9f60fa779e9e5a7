import type { ServerContext } from "../shared/contexts.js";
import type { ListResourcesResult } from "../types/index.js";
import { UriTemplate } from "../shared/uri-template.js";

/** Returns suggestions for a variable that the user is typing. */
export type CompleteResourceTemplateCallback = (
  value: string,
  context?: { arguments?: Record<string, string> },
) => string[] | Promise<string[]>;

/** Lists the resources of a template. */
export type ListResourcesCallback = (ctx: ServerContext) => ListResourcesResult | Promise<ListResourcesResult>;

interface Callbacks {
  list: ListResourcesCallback | undefined;
  complete?: Record<string, CompleteResourceTemplateCallback>;
}

/** A template for several resources. */
export class ResourceTemplate {
  readonly #uriTemplate: UriTemplate;
  readonly #callbacks: Callbacks;

  /** @param callbacks `list` is required, so that it is not forgotten: pass undefined if the resources cannot be listed */
  constructor(uriTemplate: string | UriTemplate, callbacks: Callbacks) {
    this.#uriTemplate = typeof uriTemplate === "string" ? new UriTemplate(uriTemplate) : uriTemplate;
    this.#callbacks = callbacks;
  }

  get uriTemplate(): UriTemplate {
    return this.#uriTemplate;
  }

  get listCallback(): ListResourcesCallback | undefined {
    return this.#callbacks.list;
  }

  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined {
    return this.#callbacks.complete?.[variable];
  }
}
