import { isObject } from "../../../shared/is-object.js";
import type { NextPage, Parameter } from "./api-model.js";
import type { Schema } from "./schema-table.js";

/** Members that have the value of a parameter for the next page, with the usual names of that parameter. */
const cursors: readonly (readonly [member: readonly string[], parameters: readonly string[]])[] = [
  [["next_cursor"], ["cursor", "next_cursor", "start_cursor"]],
  [["nextCursor"], ["cursor", "nextCursor"]],
  [["response_metadata", "next_cursor"], ["cursor"]],
  [["meta", "next_cursor"], ["cursor"]],
  [["next_page_token"], ["page_token", "next_page_token"]],
  [["nextPageToken"], ["pageToken", "page_token"]],
  [["next_token"], ["next_token"]],
  [["nextToken"], ["nextToken"]],
  [["next_marker"], ["marker"]],
  [["metadata", "continue"], ["continue"]],
];

/** Members that have the URL of the next page. */
const links: readonly (readonly string[])[] = [
  ["next"],
  ["next_url"],
  ["next_page_uri"],
  ["nextPage"],
  ["next_page", "uri"],
  ["@odata.nextLink"],
  ["links", "next"],
  ["links", "pages", "next"],
  ["_links", "next", "href"],
  ["paging", "next"],
  ["pagination", "next"],
];

/** Recognizes how an operation is paged, by the names of its parameters and of the members of its response. */
export function recognizeNextPage(
  parameters: readonly Parameter[],
  response: Schema,
  follow: (schema: Schema) => Schema,
): NextPage | undefined {
  const names = new Set(parameters.flatMap((one) => (one.in === "query" ? [one.name] : [])));
  if (names.size === 0) return undefined;
  const has = (path: readonly string[]): boolean => hasMember(response, path, follow);
  for (const [member, wanted] of cursors) {
    const parameter = wanted.find((name) => names.has(name));
    if (parameter !== undefined && has(member)) return { kind: "member", member, parameter };
  }
  if (names.has("starting_after") && has(["data"]) && has(["has_more"]))
    return { kind: "last id", list: "data", more: "has_more", parameter: "starting_after" };
  const member = links.find(has);
  return member && { kind: "member", member };
}

function hasMember(schema: Schema, path: readonly string[], follow: (schema: Schema) => Schema): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const followed = follow(schema);
  if (!isObject(followed)) return false;
  const { properties, allOf } = followed;
  if (Array.isArray(allOf) && allOf.some((one) => hasMember(one as Schema, path, follow))) return true;
  return isObject(properties) && Object.hasOwn(properties, name) && hasMember(properties[name] as Schema, rest, follow);
}
