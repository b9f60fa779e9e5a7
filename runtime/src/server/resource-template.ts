import type { Resource } from "../authoring.js";
import { UriTemplate } from "../uri-template.js";
import type { Completer } from "./completions.js";
import type { ServerContext } from "./contracts.js";

/** Lists the resources of a template. */
export type ListResourcesCallback = (
  context: ServerContext,
) => { readonly resources: readonly Resource[] } | Promise<{ readonly resources: readonly Resource[] }>;

/** A family of resources: an RFC 6570 template, and what is known about its members. */
export class ResourceTemplate {
  readonly uriTemplate: UriTemplate;

  /**
   * @param callbacks `list` names the resources there are now; `complete` suggests values for variables
   * @throws SdkError `INVALID_CONFIGURATION` for what is no URI template
   */
  constructor(
    uriTemplate: string | UriTemplate,
    readonly callbacks: {
      readonly list?: ListResourcesCallback | undefined;
      readonly complete?: Readonly<Record<string, Completer>>;
    } = {},
  ) {
    this.uriTemplate = typeof uriTemplate === "string" ? new UriTemplate(uriTemplate) : uriTemplate;
  }
}
