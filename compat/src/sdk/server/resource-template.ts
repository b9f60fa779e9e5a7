import { UriTemplate } from "../../shared/uri-template.js";
import type { CompleteResourceTemplateCallback, ListResourcesCallback, ResourceTemplateLike } from "./mcp-types.js";

interface Callbacks {
  /** Lists the resources of the template. Must be stated, also if it is undefined. */
  list: ListResourcesCallback | undefined;
  /** Suggests values, by the name of the variable. */
  complete?: Record<string, CompleteResourceTemplateCallback> | undefined;
}

/** Resources whose URIs have a pattern. */
export class ResourceTemplate implements ResourceTemplateLike {
  readonly #uriTemplate: UriTemplate;
  readonly #callbacks: Callbacks;

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
