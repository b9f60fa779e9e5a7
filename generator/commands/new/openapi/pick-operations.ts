import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { type Located, type OpenApiDocument, own, text } from "./openapi-document.js";

/** Which operations become tools. */
export interface OperationChoice {
  /** Patterns of tags; `*` stands for any characters. Default: all. */
  readonly tags: readonly string[];
  /** Patterns of paths; `*` stands for any characters. Default: all. */
  readonly paths: readonly string[];
  /** The largest number of tools. */
  readonly limit: number;
}

/** An operation as the description has it. */
export interface FoundOperation {
  readonly method: string;
  readonly path: string;
  readonly item: Located;
  readonly operation: Located;
  readonly tags: readonly string[];
}

const methods = ["get", "put", "post", "delete", "patch", "head", "options"] as const;

/** All operations, in the order of the description. */
export function findOperations(document: OpenApiDocument): readonly FoundOperation[] {
  const paths = document.follow(own(document.root, "paths"), "#/paths");
  return document.members(paths).flatMap(([path, item]) =>
    path.startsWith("/")
      ? methods.flatMap((method) => {
          const operation = document.member(item, method);
          if (!operation) return [];
          const stated = operation.value["tags"];
          const tags = Array.isArray(stated) ? stated.flatMap((tag) => text(tag) ?? []) : [];
          return [{ method: method.toUpperCase(), path, item, operation, tags }];
        })
      : [],
  );
}

/** @throws DiagnosticError openapi-nothing-picked, openapi-too-many */
export function pickOperations(document: OpenApiDocument, choice: OperationChoice): readonly FoundOperation[] {
  const all = findOperations(document);
  const [tags, paths] = [choice.tags.map(patternOf), choice.paths.map(patternOf)];
  const picked = all.filter(
    ({ path, tags: own }) =>
      (tags.length === 0 || tags.some((pattern) => own.some((tag) => pattern.test(tag)))) &&
      (paths.length === 0 || paths.some((pattern) => pattern.test(path))),
  );
  if (picked.length === 0) {
    const stated = [...choice.tags.map((tag) => `--tag ${tag}`), ...choice.paths.map((path) => `--path ${path}`)];
    const known = tagCounts(all);
    fail("openapi-nothing-picked", {
      path: document.path,
      choice: stated.length === 0 ? "any path" : stated.join(" and "),
      available:
        all.length === 0
          ? "It describes no operation."
          : known === ""
            ? "It has no tags: use --path."
            : `Its tags are: ${known}.`,
    });
  }
  const { limit } = choice;
  if (picked.length > limit)
    fail("openapi-too-many", { count: picked.length, limit, tags: tagCounts(picked) || "none" });
  return picked;
}

/** `pets (3), users (2)`, the largest first. */
function tagCounts(operations: readonly FoundOperation[]): string {
  const counts = new Map<string, number>();
  for (const { tags } of operations) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([tag, count]) => `${tag} (${count})`)
    .join(", ");
}

function patternOf(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "is");
}
