import type { Tool } from "../../authoring.js";
import type { ServerHost } from "../../server/server-extension.js";
import { APP_MIME_TYPE } from "../app-mime-type.js";
import { toolApp } from "../tool-link.js";

/**
 * What is wrong with the resource that a tool names; undefined if the tool names none, or nothing is wrong. Resources of a template, and
 * of handlers of the low-level server, are not checked further.
 */
export function brokenLink({ name, _meta }: Tool, { features, capabilities }: ServerHost): string | undefined {
  const { resourceUri } = toolApp({ _meta });
  const { resources } = features;
  if (resourceUri === undefined || (!resources && capabilities.resources)) return undefined;
  const resource = resources?.registry.get(resourceUri);
  const mimeType = resource?.definition.mimeType;
  const where = `tool "${name}" is shown by ${resourceUri}`;
  if (resource)
    return mimeType === APP_MIME_TYPE
      ? undefined
      : `${where}, whose MIME type is ${mimeType ?? "not given"}, not ${APP_MIME_TYPE}; use registerAppResource`;
  const isOfTemplate = [...(resources?.templates ?? [])].some(({ template }) =>
    template.uriTemplate.match(resourceUri),
  );
  return isOfTemplate ? undefined : `${where}, which is not registered; register it with registerAppResource`;
}
