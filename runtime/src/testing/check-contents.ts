import { contentProblems } from "./content-problems.js";

/** The part of a handler's context that the check uses. */
export interface CheckedCall {
  readonly method: string;
}

/**
 * Middleware for tests and development: reports what is wrong with the content of results, which the schema does not state.
 * It finds invalid Base64, MIME types and URIs, and reads without contents. Large contents take time to check, so a server in
 * production does not need it.
 * @param report called with each problem, its place and the method. Default: the request fails
 * @throws TypeError without `report`, with all problems of the result
 * @example
 * ```ts
 * const server = new McpServer({ name: "notes", version: "1.0.0" }, { middleware: [checkContents()] });
 * ```
 */
export function checkContents(
  report?: (problem: string, method: string) => void,
): (call: CheckedCall, next: () => unknown) => Promise<unknown> {
  return async ({ method }, next) => {
    const result = await next();
    const problems = typeof result === "object" && result !== null ? contentProblems(result) : [];
    if (problems.length > 0 && !report)
      throw new TypeError(`invalid content in the result of ${method}: ${problems.join("; ")}`);
    for (const problem of problems) report?.(problem, method);
    return result;
  };
}
