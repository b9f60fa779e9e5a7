import type { Resource } from "../authoring.js";
import { UriTemplate } from "../uri-template.js";
import type { Completer } from "./completions.js";
import type { ServerContext } from "./contracts.js";

/** A page of the resources of a template. */
export interface ListedResources {
  readonly resources: readonly Resource[];
  /** Where the next page begins, in a form of your own. Default: this is the last page. */
  readonly nextCursor?: string | undefined;
}

/**
 * Lists the resources of a template.
 * @param cursor the `nextCursor` of the previous page; undefined for the first page. It comes from the client: check it
 */
export type ListResourcesCallback = (
  context: ServerContext,
  cursor: string | undefined,
) => ListedResources | Promise<ListedResources>;

/** A URI template (RFC 6570) for several resources, with callbacks to list them and to complete variables. */
export class ResourceTemplate {
  readonly uriTemplate: UriTemplate;

  /**
   * @param callbacks `list` returns the current resources; `complete` suggests values for variables
   * @throws SdkError `INVALID_CONFIGURATION` for an invalid URI template
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
