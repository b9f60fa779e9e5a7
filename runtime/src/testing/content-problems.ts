import { parseUrl } from "../jsonrpc/parse-url.js";

/** A part of a result, with its place as a JSON Pointer. */
interface Place {
  readonly value: Readonly<Record<string, unknown>>;
  readonly at: string;
}

const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const mimeType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/;

/**
 * Returns what is wrong with the content of a result beyond its schema (MCP: resources, tools, prompts): Base64, MIME types,
 * URIs of embedded resources, and reads without contents.
 * @param result the result of `tools/call`, `prompts/get` or `resources/read`
 */
export function contentProblems(result: object): string[] {
  const { contents, content, messages } = result as Readonly<Record<string, unknown>>;
  const problems: string[] = [];
  if (Array.isArray(contents) && contents.length === 0)
    problems.push("/contents is empty: throw ResourceNotFoundError if the resource does not exist");
  for (const { value, at } of placesIn(contents, "/contents")) resourceProblems(value, at, false, problems);
  const blocks = [
    ...placesIn(content, "/content"),
    ...placesIn(messages, "/messages").flatMap(({ value, at }) => placesIn([value["content"]].flat(), `${at}/content`)),
  ];
  for (const { value, at } of blocks) {
    const { type, data, mimeType: kind, resource, uri } = value;
    if (type === "image" || type === "audio") {
      if (!isBase64(data)) problems.push(`${at}/data is not Base64`);
      if (!isMimeType(kind)) problems.push(`${at}/mimeType is not a MIME type, such as "${type}/…"`);
    } else if (type === "resource_link" && !isUri(uri)) problems.push(`${at}/uri is not an absolute URI`);
    else if (type === "resource")
      for (const place of placesIn([resource], at)) resourceProblems(place.value, `${at}/resource`, true, problems);
  }
  return problems;
}

function resourceProblems(value: Place["value"], at: string, isEmbedded: boolean, problems: string[]): void {
  const { uri, text, blob, mimeType: kind } = value;
  if (!isUri(uri)) problems.push(`${at}/uri is not an absolute URI`);
  if (blob !== undefined && !isBase64(blob)) problems.push(`${at}/blob is not Base64`);
  if (typeof text !== "string" && blob === undefined) problems.push(`${at} has neither text nor blob`);
  if (kind === undefined ? isEmbedded : !isMimeType(kind))
    problems.push(`${at}/mimeType is missing or not a MIME type`);
}

function placesIn(values: unknown, at: string): Place[] {
  if (!Array.isArray(values)) return [];
  return values.flatMap((value: unknown, index) =>
    typeof value === "object" && value !== null ? [{ value: value as Place["value"], at: `${at}/${index}` }] : [],
  );
}

function isBase64(value: unknown): boolean {
  return typeof value === "string" && base64.test(value);
}

function isMimeType(value: unknown): boolean {
  return typeof value === "string" && mimeType.test(value);
}

function isUri(value: unknown): boolean {
  return typeof value === "string" && parseUrl(value) !== undefined;
}
