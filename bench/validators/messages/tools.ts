import { icon, type Json } from "./envelope.js";

const location: Json = {
  type: "object",
  properties: {
    city: { type: "string", description: "Name of the city, in the language of the country" },
    country: { type: "string", pattern: "^[A-Z]{2}$", description: "ISO 3166 code" },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
  },
  required: ["city"],
};
const search: Json = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    query: { type: "string", minLength: 1 },
    filters: {
      type: "object",
      properties: { tags: { type: "array", items: { type: "string" } }, archived: { type: "boolean" } },
    },
    sort: { type: "string", enum: ["newest", "oldest", "relevance"] },
    limit: { type: "number" },
  },
  required: ["query", "limit"],
};
const nothing: Json = { type: "object" };

const shapes: readonly ((index: number) => Json)[] = [
  (index) => ({ name: `get_weather_${index}`, description: "The weather of the next days", inputSchema: location }),
  (index) => ({
    name: `search_${index}`,
    title: "Search the archive",
    description: "Finds documents by words and tags, best first",
    inputSchema: search,
    annotations: { readOnlyHint: true, openWorldHint: false },
  }),
  (index) => ({
    name: `list_files_${index}`,
    description: "Files of the project",
    inputSchema: nothing,
    outputSchema: { type: "object", properties: { files: { type: "array" } }, required: ["files"] },
  }),
  (index) => ({
    name: `deploy_${index}`,
    title: "Deploy",
    icons: [icon],
    inputSchema: location,
    annotations: { title: "Deploy", destructiveHint: true, idempotentHint: false },
    _meta: { "com.example/team": "platform" },
  }),
  (index) => ({ name: `ping_${index}`, inputSchema: nothing }),
];

/** Tools of five shapes; the index determines their order. */
export function tools(index: number, count: number): readonly Json[] {
  return Array.from({ length: count }, (_, position) => {
    const shape = shapes[(index + position) % shapes.length];
    return shape ? shape(position) : {};
  });
}
