import { TemplateOf } from "../../server/resource-template.js";
import type { ListResourcesCallback } from "./mcp-types.js";

/** Resources whose URIs have a pattern. */
export class ResourceTemplate extends TemplateOf<ListResourcesCallback> {}
