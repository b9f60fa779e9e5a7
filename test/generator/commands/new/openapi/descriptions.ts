import { DiagnosticError } from "../../../../../generator/shared/diagnostics/diagnostic.js";
import { checkDescription } from "../../../../../generator/commands/new/openapi/check-description.js";
import { pickOperations } from "../../../../../generator/commands/new/openapi/pick-operations.js";
import { readApi, type ReadApi } from "../../../../../generator/commands/new/openapi/read-api.js";

export type Json = Readonly<Record<string, unknown>>;

/** An operation that responds with an object. */
export function operation(more: Json = {}): Json {
  return {
    responses: { "200": { description: "done", content: { "application/json": { schema: { type: "object" } } } } },
    ...more,
  };
}

/** A description of OpenAPI 3.1 with these paths. */
export function describing(paths: Json, more: Json = {}): Json {
  return {
    openapi: "3.1.0",
    info: { title: "Test", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths,
    ...more,
  };
}

/** An API of which all operations are picked. */
export async function apiOf(description: Json): Promise<ReadApi> {
  const document = await checkDescription(description, "api.json");
  return readApi(document, pickOperations(document, { tags: [], paths: [], limit: 1_000 }), "api.json");
}

/** The diagnostics of a run that fails, as `id: message`. */
export async function refusals(run: Promise<unknown>): Promise<readonly string[]> {
  try {
    await run;
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ id, message }) => `${id}: ${message}`);
  }
}
