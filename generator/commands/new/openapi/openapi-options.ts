import { basename, relative, resolve, sep } from "node:path";
import type { Argv } from "yargs";
import { UsageError } from "../../../shared/command/usage-error.js";
import { packageNameFrom } from "../../../shared/project/package-name.js";
import type { OpenapiProject } from "../../../shared/project/project-options.js";
import { isUrl } from "./description-source.js";

/** The options of `mcpwright new` that concern an OpenAPI description. */
export interface OpenapiArguments {
  readonly fromOpenapi?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly path?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

/** Models choose badly between more tools, and some hosts refuse them. */
const defaultLimit = 100;

export function openapiOptions(argv: Argv): Argv {
  return argv
    .option("from-openapi", {
      describe: "Create a server with a tool for each operation of an OpenAPI 3.0 or 3.1 description",
      type: "string",
      requiresArg: true,
    })
    .option("tag", {
      describe: "With --from-openapi: only operations with this tag; * stands for any characters; may be repeated",
      type: "string",
      array: true,
      nargs: 1,
    })
    .option("path", {
      describe: "With --from-openapi: only operations with this path; * stands for any characters; may be repeated",
      type: "string",
      array: true,
      nargs: 1,
    })
    .option("limit", {
      describe: `With --from-openapi: the largest number of tools (default: ${defaultLimit})`,
      type: "number",
      requiresArg: true,
    });
}

/** Options that only other kinds of projects have. */
const ofOthers = { start: "--start", stdio: "--stdio", legacySse: "--legacy-sse", skills: "--skills" } as const;

/** @throws UsageError when options do not fit together */
export function checkOpenapiOptions(given: Readonly<Record<string, unknown>>): void {
  const source = given["fromOpenapi"];
  if (source === undefined) {
    const alone = ["tag", "path", "limit"].find((name) => given[name] !== undefined);
    if (alone !== undefined) throw new UsageError(`--${alone} requires --from-openapi.`);
    return;
  }
  if (source === "") throw new UsageError("--from-openapi must not be empty: pass a file or a URL.");
  const { limit } = given;
  const other = Object.entries(ofOthers).find(([name]) => given[name] !== undefined);
  if (other)
    throw new UsageError(
      `--from-openapi cannot be combined with ${other[1]}: it creates a server over stdio, whose credentials for the API are those of one user.`,
    );
  if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) > 0))
    throw new UsageError("--limit must be a positive integer.");
}

/** @throws UsageError when the name is missing */
export function openapiProject(
  { fromOpenapi = "", tag, path, limit = defaultLimit, name }: OpenapiArguments & { readonly name: string | undefined },
  folder: string,
): OpenapiProject {
  const chosen = name ?? packageNameFrom(basename(folder));
  if (chosen === undefined)
    throw new UsageError(
      `--name is required: the folder name ${JSON.stringify(basename(folder))} is not a valid package name.`,
    );
  // Relative to the project, so that `update` finds it from there.
  const source = isUrl(fromOpenapi) ? fromOpenapi : relative(folder, resolve(fromOpenapi)).split(sep).join("/");
  return {
    start: "openapi",
    name: chosen,
    openapi: { source, ...(tag && { tags: tag }), ...(path && { paths: path }), limit },
  };
}
