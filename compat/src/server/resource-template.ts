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

interface Callbacks<List> {
  list: List | undefined;
  /** Suggests values, by the name of the variable. */
  complete?: Record<string, CompleteResourceTemplateCallback> | undefined;
}

/** A template for several resources. `List` is the callback of a version of the official SDK. */
export class TemplateOf<List> {
  readonly #uriTemplate: UriTemplate;
  readonly #callbacks: Callbacks<List>;

  /** @param callbacks `list` is required, so that it is not forgotten: pass undefined if the resources cannot be listed */
  constructor(uriTemplate: string | UriTemplate, callbacks: Callbacks<List>) {
    this.#uriTemplate = typeof uriTemplate === "string" ? new UriTemplate(uriTemplate) : uriTemplate;
    this.#callbacks = callbacks;
  }

  get uriTemplate(): UriTemplate {
    return this.#uriTemplate;
  }

  get listCallback(): List | undefined {
    return this.#callbacks.list;
  }

  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined {
    return this.#callbacks.complete?.[variable];
  }
}

/** A template for several resources. */
export class ResourceTemplate extends TemplateOf<ListResourcesCallback> {}
